import TextFormats

/// How well a title matches a text; lower is better. Ignores case and accents.
struct SearchRank {
    private static let other = 3
    private static let guess = 4

    private let text: [UInt8]
    private let words: [[UInt8]]

    init(_ text: String) {
        self.text = FoldedText.fold(text.trimmed, ignoresAccents: true)
        words = Self.words(self.text)
    }

    /// As for its title, but guesses come last.
    func rank(of result: SearchResult) -> Int { result.isGuess ? Self.guess : rank(of: result.title) }

    /// 0 for the text itself, 1 for a title that begins with it, 2 if each word begins a word of the title, else 3.
    func rank(of title: String) -> Int {
        guard !words.isEmpty else { return Self.other }
        let title = FoldedText.fold(title, ignoresAccents: true)
        if title == text { return 0 }
        if title.starts(with: text) { return 1 }
        let titleWords = Self.words(title)
        let begins = words.allSatisfy { word in titleWords.contains { $0.starts(with: word) } }
        return begins ? 2 : Self.other
    }

    private static func words(_ folded: [UInt8]) -> [[UInt8]] {
        folded.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: false
            default: true
            }
        }.map(Array.init)
    }
}
