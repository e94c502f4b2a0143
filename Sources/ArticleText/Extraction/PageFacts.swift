/// Facts about the whole page, for classifying the page and its blocks.
struct PageFacts {
    let data: LinkedData
    let titleWords: [UInt64]
    let descriptionWords: Set<UInt64>
    /// The words of the article's text in linked data, if present.
    let bodyWords: Set<UInt64>
    let mains: Int
    let articles: Int
    let titles: Int
    /// The contents of `meta` elements, by property or name in lower case. The first of each name wins.
    let meta: [String: String]
    let title: String?

    init(_ tree: PageTree) {
        data = LinkedData(tree)
        var meta: [String: String] = [:]
        var title: String?
        var (mains, articles, titles) = (0, 0, 0)
        for index in 0..<tree.count {
            switch tree.nodes[index].tag {
            case .meta:
                guard
                    let name = tree.text(.property, of: index) ?? tree.text(.name, of: index)
                        ?? tree.text(.itemprop, of: index),
                    let content = tree.value(.content, of: index), !content.isEmpty
                else { continue }
                let key = name.lowercased()
                if meta[key] == nil { meta[key] = PageText.oneLine(content) }
            case .title:
                if title == nil { title = tree.text(in: index) }
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
        descriptionWords = Set(
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
