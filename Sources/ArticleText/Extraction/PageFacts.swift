/// What the page as a whole says of itself and shows, for its kind and for the judgement of its blocks.
struct PageFacts {
    let data: LinkedData
    /// Hashes of the words in the page's title, and in its description.
    let titleWords: [UInt64]
    let describedWords: Set<UInt64>
    /// Of the article's text, where linked data has it.
    let bodyWords: Set<UInt64>
    /// How many elements `main`, `article` and `h1` there are.
    let mains: Int
    let articles: Int
    let titles: Int
    /// What `meta` elements say, by property or name in small letters; the first counts.
    let meta: [String: String]
    /// The title element's text.
    let title: String?

    init(_ tree: PageTree) {
        data = LinkedData(tree)
        var meta: [String: String] = [:]
        var title: String?
        var (mains, articles, titles) = (0, 0, 0)
        for place in 0..<tree.count {
            switch tree.nodes[place].tag {
            case .meta:
                guard
                    let name = tree.text(.property, of: place) ?? tree.text(.name, of: place)
                        ?? tree.text(.itemprop, of: place),
                    let content = tree.value(.content, of: place), !content.isEmpty
                else { continue }
                let key = name.lowercased()
                if meta[key] == nil { meta[key] = PageText.oneLine(content) }
            case .title:
                if title == nil { title = tree.text(in: place) }
            case .main: mains += 1
            case .article: articles += 1
            case .h1: titles += 1
            default: break
            }
        }
        self.meta = meta
        self.title = title
        (self.mains, self.articles, self.titles) = (mains, articles, titles)
        titleWords = Self.words(meta["og:title"] ?? title ?? "")
        describedWords = Set(
            Self.words(meta["description"] ?? meta["og:description"] ?? data.description ?? ""))
        bodyWords = Set(Self.words(data.body ?? ""))
    }

    static func words(_ text: String) -> [UInt64] {
        var words: [UInt64] = []
        var word = PageHash.seed
        var isInWord = false
        for byte in text.utf8 {
            if PageText.isWord(byte) {
                word = PageHash.add(PageText.lower(byte), to: word)
                isInWord = true
            } else if isInWord {
                words.append(word)
                word = PageHash.seed
                isInWord = false
            }
        }
        if isInWord { words.append(word) }
        return words
    }
}
