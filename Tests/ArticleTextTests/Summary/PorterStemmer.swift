import Synchronization

/// Porter's stemmer (Program 14, 1980) with NLTK's additions, as `rouge-score` uses it; for words of a-z and 0-9.
enum PorterStemmer {
    /// Caches stems, because texts repeat words.
    static func stem(_ word: String) -> String {
        if let cached = cache.withLock({ $0[word] }) { return cached }
        let stem = found(word)
        cache.withLock { $0[word] = stem }
        return stem
    }

    private static let cache = Mutex(irregular)

    private static func found(_ word: String) -> String {
        let bytes = Array(word.utf8)
        guard bytes.count > 2 else { return word }
        let steps = [step1a, step1b, step1c, step2, step3, step4, step5a, step5b]
        return String(decoding: steps.reduce(bytes) { $1($0) }, as: UTF8.self)
    }

    private static let irregular = [
        "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
        "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
        "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
        "exceed": "exceed", "succeed": "succeed",
    ]

    // MARK: - The shape of a stem

    /// Marks the consonants: every letter that is not a vowel, except y after a consonant.
    private static func areConsonants(_ word: some Sequence<UInt8>) -> [Bool] {
        var flags: [Bool] = []
        for letter in word {
            switch letter {
            case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
                UInt8(ascii: "u"):
                flags.append(false)
            case UInt8(ascii: "y"): flags.append(flags.last.map { !$0 } ?? true)
            default: flags.append(true)
            }
        }
        return flags
    }

    /// Counts how often a consonant follows a vowel.
    private static func measure(_ stem: [UInt8]) -> Int {
        let flags = areConsonants(stem)
        return zip(flags, flags.dropFirst()).count { !$0 && $1 }
    }

    private static func endsDouble(_ word: [UInt8]) -> Bool {
        word.count >= 2 && word[word.count - 1] == word[word.count - 2] && areConsonants(word).last == true
    }

    private static func endsConsonantVowelConsonant(_ word: [UInt8]) -> Bool {
        let flags = Array(areConsonants(word).suffix(3))
        if word.count == 2 { return flags == [false, true] }
        return flags == [true, false, true] && !"wxy".utf8.contains(word[word.count - 1])
    }

    // MARK: - Rules

    private typealias Rule = (suffix: String, replacement: String)

    private static func ends(_ word: [UInt8], _ suffix: String) -> [UInt8]? {
        let count = suffix.utf8.count
        guard word.count >= count, word.suffix(count).elementsEqual(suffix.utf8) else { return nil }
        return Array(word.dropLast(count))
    }

    /// Applies the first rule whose suffix matches.
    private static func apply(
        _ rules: [Rule], to word: [UInt8], where condition: ([UInt8]) -> Bool = { _ in true }
    ) -> [UInt8] {
        for rule in rules {
            guard let stem = ends(word, rule.suffix) else { continue }
            return condition(stem) ? stem + Array(rule.replacement.utf8) : word
        }
        return word
    }

    private static func step1a(_ word: [UInt8]) -> [UInt8] {
        if word.count == 4, let stem = ends(word, "ies") { return stem + Array("ie".utf8) }
        return apply([("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")], to: word)
    }

    private static func step1b(_ word: [UInt8]) -> [UInt8] {
        if let stem = ends(word, "ied") { return stem + Array((word.count == 4 ? "ie" : "i").utf8) }
        if let stem = ends(word, "eed") { return measure(stem) > 0 ? stem + Array("ee".utf8) : word }
        let stems = ["ed", "ing"].compactMap { ends(word, $0) }
        guard let stem = stems.first(where: { areConsonants($0).contains(false) }) else { return word }
        for (suffix, replacement) in [("at", "ate"), ("bl", "ble"), ("iz", "ize")] {
            if let rest = ends(stem, suffix) { return rest + Array(replacement.utf8) }
        }
        if endsDouble(stem) { return "lsz".utf8.contains(stem[stem.count - 1]) ? stem : stem.dropLast() }
        return measure(stem) == 1 && endsConsonantVowelConsonant(stem) ? stem + Array("e".utf8) : stem
    }

    private static func step1c(_ word: [UInt8]) -> [UInt8] {
        apply([("y", "i")], to: word) { $0.count > 1 && areConsonants($0).last == true }
    }

    private static func step2(_ word: [UInt8]) -> [UInt8] {
        if let stem = ends(word, "alli"), measure(stem) > 0 { return step2(stem + Array("al".utf8)) }
        if let stem = ends(word, "logi"), measure(stem + Array("l".utf8)) > 0 {
            return stem + Array("log".utf8)
        }
        return apply(
            [
                ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
                ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
                ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
                ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
                ("fulli", "ful"),
            ], to: word
        ) { measure($0) > 0 }
    }

    private static func step3(_ word: [UInt8]) -> [UInt8] {
        apply(
            [
                ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
                ("ness", ""),
            ], to: word
        ) { measure($0) > 0 }
    }

    private static func step4(_ word: [UInt8]) -> [UInt8] {
        let suffixes = [
            "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
            "ism",
            "ate", "iti", "ous", "ive", "ize",
        ]
        for suffix in suffixes {
            guard let stem = ends(word, suffix) else { continue }
            let mayEnd = suffix != "ion" || stem.last.map("st".utf8.contains) == true
            return measure(stem) > 1 && mayEnd ? stem : word
        }
        return word
    }

    private static func step5a(_ word: [UInt8]) -> [UInt8] {
        guard let stem = ends(word, "e") else { return word }
        let isShort = measure(stem) == 1 && !endsConsonantVowelConsonant(stem)
        return measure(stem) > 1 || isShort ? stem : word
    }

    private static func step5b(_ word: [UInt8]) -> [UInt8] {
        guard ends(word, "ll") != nil, measure(word.dropLast()) > 1 else { return word }
        return word.dropLast()
    }
}
