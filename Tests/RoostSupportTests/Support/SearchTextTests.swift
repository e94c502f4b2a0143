import Testing

@testable import TextFormats

/// The rules of the full-text indexes.
@Suite struct SearchTextTests {
    private func tokens(_ text: String, _ purpose: SearchTokenizer.Purpose) -> [String] {
        var (tokens, text): ([String], String) = ([], text)
        text.withUTF8 { bytes in
            SearchTokenizer.tokenize(bytes, for: purpose) { token in
                let source = String(decoding: bytes[token.start..<token.matchEnd], as: UTF8.self)
                tokens.append((token.isColocated ? "+" : "") + source)
                return true
            }
        }
        return tokens
    }

    private func marked(_ query: String, in text: String) -> String {
        let phrases = SearchPhrase.phrases(in: query)
        let highlighter = SearchHighlighter(phrases, isBeginning: phrases.last?.mayBePrefix ?? false)
        let snippet = SearchSnippet(text, matches: highlighter.matches(in: text).ranges)
        return snippet.pieces.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
    }

    @Test func `text without spaces is indexed by pairs and single letters, and searched by pairs`() {
        #expect(tokens("北京市", .indexing) == ["北京", "+北", "京市", "+京", "市"])
        #expect(tokens("北京市", .searching) == ["北京", "京市"])
        #expect(tokens("京", .searching) == ["京"])
        #expect(tokens("用Swift写", .indexing) == ["用", "Swift", "写"])
        // Positions agree, although a search leaves out the last letter of a run.
        #expect(tokens("北京Swift", .searching) == ["北京", "京", "Swift"])
    }

    @Test(arguments: [
        ("北京", "他在北京市", "他在[北京]市"), ("京", "北京北京", "北[京]北[京]"), ("哈哈", "哈哈哈", "[哈哈哈]"),
        ("2031年", "2031年夏天", "[2031年]夏天"), ("swift写", "用Swift写的", "用[Swift写]的"),
        ("カタ", "ｶﾀｶﾅ", "[ｶﾀ]ｶﾅ"), ("がく", "か\u{3099}くせい", "[か\u{3099}く]せい"),
        ("gruss", "die Grüße", "die [Grüße]"), ("gruesse", "die Grüße", "die Grüße"),
        ("\"a b\" c", "a b a c", "[a b] a [c]"), ("oeuvre", "Œuvre", "[Œuvre]"),
        ("мои", "мой", "мой"), ("हिन्दी", "यह हिन्दी है", "यह [हिन्दी] है"),
    ])
    func `matches are marked by the same rules`(query: String, text: String, shown: String) {
        #expect(marked(query, in: text) == shown)
    }

    @Test func `filters fold as the indexes do`() {
        for (one, other) in [
            ("Straße", "STRASSE"), ("ﬁsh", "fish"), ("Ё", "е"), ("Ἑλλάς", "ελλασ"), ("ＡＢ", "ab"),
        ] {
            #expect(
                FoldedText.fold(one, ignoresAccents: true) == FoldedText.fold(other, ignoresAccents: true),
                "\(one) and \(other)")
        }
    }

    @Test func `names of emoji are shown as emoji`() {
        #expect(EmojiNames.replacingNames(in: ":bug: bug") == "🐛 bug")
        #expect(
            EmojiNames.replacingNames(in: "fix: at 10:30 :nothing: :rocket:") == "fix: at 10:30 :nothing: 🚀")
        #expect(EmojiNames.replacingNames(in: ":") == ":")
    }
}
