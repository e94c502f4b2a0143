/// Guesses the language of a text.
public enum LanguageGuess {
    /// Returns an ISO 639-1 code such as "en", based on script, letters and frequent words; nil if the text is too
    /// short.
    public static func language(of text: String) -> String? {
        language(of: text.unicodeScalars.prefix(scalarLimit).map(\.value))
    }

    /// A longer sample does not improve the result.
    private static let scalarLimit = 20_000

    static func language(of scalars: [UInt32]) -> String? {
        let scalars = scalars.prefix(scalarLimit)
        var counts = ScriptCounts()
        for value in scalars { counts.add(value) }
        guard let script = counts.commonest else { return nil }
        switch script {
        case .latin, .cyrillic: return guessFromWords(scalars)
        case .japanese: return "ja"
        case .han: return "zh"
        case .hangul: return "ko"
        case .greek: return "el"
        case .arabic: return counts.isPersian ? "fa" : "ar"
        case .hebrew: return "he"
        case .devanagari: return "hi"
        case .thai: return "th"
        }
    }

    private enum Script: Int, CaseIterable {
        case latin, cyrillic, japanese, han, hangul, greek, arabic, hebrew, devanagari, thai
    }

    private struct ScriptCounts {
        private var counts = [Int](repeating: 0, count: Script.allCases.count)
        private var persianLetters = 0

        var isPersian: Bool { persianLetters * 50 > counts[Script.arabic.rawValue] }

        mutating func add(_ value: UInt32) {
            guard let script = Self.script(of: value) else { return }
            counts[script.rawValue] += 1
            if [0x67E, 0x686, 0x698, 0x6AF, 0x6CC].contains(value) { persianLetters += 1 }
        }

        /// Japanese text is half Chinese characters, so a few kana are enough.
        var commonest: Script? {
            var counts = counts
            let (kana, han) = (counts[Script.japanese.rawValue], counts[Script.han.rawValue])
            if kana * 10 > han {
                counts[Script.japanese.rawValue] += han
                counts[Script.han.rawValue] = 0
            }
            // A Chinese character carries as much as two or three letters.
            for script in [Script.japanese, .han] { counts[script.rawValue] *= 2 }
            let best = Script.allCases.max { counts[$0.rawValue] < counts[$1.rawValue] }
            return best.flatMap { counts[$0.rawValue] > 0 ? $0 : nil }
        }

        private static func script(of value: UInt32) -> Script? {
            switch value {
            case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: .latin
            case 0x370...0x3FF: .greek
            case 0x400...0x52F: .cyrillic
            case 0x5D0...0x5EA: .hebrew
            case 0x620...0x6FF: .arabic
            case 0x900...0x97F: .devanagari
            case 0xE00...0xE7F: .thai
            case 0x3041...0x30FF: .japanese
            case 0x3400...0x9FFF: .han
            case 0xAC00...0xD7AF: .hangul
            default: nil
            }
        }
    }

    /// Letters that only one or a few of the languages have.
    private static let letters: [UInt32: [String]] = {
        let rows = [
            ("ß", ["de"]), ("ñ¿¡", ["es"]), ("ãõ", ["pt"]), ("łęąśźż", ["pl"]), ("řěů", ["cs"]),
            ("ışğ", ["tr"]),
            ("őű", ["hu"]), ("țș", ["ro"]), ("æø", ["da", "no"]), ("œ", ["fr"]), ("іїєґ", ["uk"]),
            ("ыэё", ["ru"]), ("ù", ["it", "fr"]), ("ç", ["pt", "fr", "tr"]),
        ]
        var found: [UInt32: [String]] = [:]
        for (signs, languages) in rows {
            for sign in signs.unicodeScalars { found[sign.value] = languages }
        }
        return found
    }()

    /// Counts how many words are among each language's most frequent ones. Words shared by several languages count
    /// less.
    private static func guessFromWords(_ scalars: ArraySlice<UInt32>) -> String? {
        let languages = StopWords.languages
        var scores = [Double](repeating: 0, count: languages.count)
        var (words, hash, length) = (0, WordHash.seed, 0)
        for value in scalars + [0x20] {
            if let owners = letters[value] {
                for owner in owners {
                    if let index = languages.firstIndex(of: owner) {
                        scores[index] += 0.5 / Double(owners.count)
                    }
                }
            }
            if !ScalarKind.of(value).isDisjoint(with: .wordPart) {
                hash = WordHash.adding(ScalarKind.lowercased(value), to: hash)
                length += 1
            } else if length > 0 {
                words += 1
                let found = StopWords.languagesByWord[hash] ?? []
                for index in found { scores[index] += 1 / Double(found.count).squareRoot() }
                (hash, length) = (WordHash.seed, 0)
            }
        }
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        return scores[best] >= max(1, Double(words) * 0.06) ? languages[best] : nil
    }
}
