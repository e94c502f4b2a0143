import Foundation

/// A password as an attacker sees it: without case, and with digits and signs replaced by the letters they imitate.
struct PlainText: Equatable, Sendable {
    private let folded: [Unicode.Scalar]
    /// Parallel to `folded`, but "0" is "o" and "@" is "a"; "l" and "1" are both "i".
    private let unmasked: [Unicode.Scalar]

    init(_ text: String) {
        self.init(folded: Array(Password.normalised(text).lowercased().unicodeScalars))
    }

    private init(folded: [Unicode.Scalar]) {
        self.folded = folded
        unmasked = folded.map { Self.letters[$0] ?? $0 }
    }

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "l": "i", "!": "i", "|": "i", "3": "e", "€": "e", "4": "a", "@": "a", "5": "s",
        "$": "s", "7": "t", "+": "t", "8": "b", "9": "g",
    ]

    /// In code points.
    var count: Int { folded.count }
    var kinds: Int { Set(folded).count }
    var isAllDigits: Bool { folded.allSatisfy { $0.properties.generalCategory == .decimalNumber } }
    var hasLetters: Bool { folded.contains { $0.properties.isAlphabetic } }

    var lettersAndDigits: PlainText {
        PlainText(folded: folded.filter(Self.isLetterOrDigit))
    }

    private static func isLetterOrDigit(_ character: Unicode.Scalar) -> Bool {
        character.properties.isAlphabetic || character.properties.generalCategory == .decimalNumber
    }

    /// Texts with the same key are equal to an attacker.
    var key: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unmasked)
        return String(text)
    }

    func without(_ parts: [PlainText]) -> PlainText {
        var isRemoved = [Bool](repeating: false, count: count)
        for part in parts where part.count > 0 && part.count <= count {
            for start in 0...(count - part.count)
            where unmasked[start..<(start + part.count)].elementsEqual(part.unmasked) {
                for index in start..<(start + part.count) { isRemoved[index] = true }
            }
        }
        return PlainText(folded: zip(folded, isRemoved).filter { !$0.1 }.map(\.0))
    }

    /// True for "aaaaaaaaaa" and "abc1abc1abc": a repetition of one part, which adds no strength.
    func repeatsPart(shorterThan limit: Int) -> Bool {
        guard count >= 2 else { return false }
        return (1...max(1, min(limit - 1, count / 2))).contains { length in
            zip(folded, folded.dropFirst(length)).allSatisfy(==)
        }
    }

    /// True for "abcdefghij", "qwerty123456" and "1-1-2-2-3-3-4-4-5": runs, of three or more characters on average,
    /// that follow the alphabet or a keyboard, forwards or backwards. Each kind of separator counts as one run.
    var consistsOfRuns: Bool {
        let text = lettersAndDigits.withoutDoubles
        var runCount = Set(folded.filter { !Self.isLetterOrDigit($0) }).count
        var index = 0
        while index < text.count {
            index += Self.orders.map { $0.runLength(in: text.folded, from: index) }.max() ?? 1
            runCount += 1
        }
        return text.count >= 4 && runCount * 3 <= text.count
    }

    private var withoutDoubles: PlainText {
        PlainText(folded: folded.enumerated().filter { $0 == 0 || folded[$0 - 1] != $1 }.map(\.1))
    }

    private static let orders = [CharacterOrder()] + CharacterOrder.keyboards.map { CharacterOrder($0) }
}

/// An order of characters: the alphabet, or a keyboard's.
private struct CharacterOrder: Sendable {
    private let positions: [Unicode.Scalar: Int]?

    init() { positions = nil }

    init(_ order: String) {
        positions = Dictionary(uniqueKeysWithValues: zip(order.unicodeScalars, 0...))
    }

    /// Rows and columns of English, German, French and Russian keyboards, and of a telephone's.
    static let keyboards = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopü", "asdfghjklöä", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "wxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
        "qazwsxedcrfvtgbyhnujmikolp",
        "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "147258369",
        "741852963",
        "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
    ]

    /// How many characters from `start` on follow each other in this order, at least 1.
    func runLength(in text: [Unicode.Scalar], from start: Int) -> Int {
        var (length, step) = (1, 0)
        while start + length < text.count, let next = position(of: text[start + length]),
            let last = position(of: text[start + length - 1]), abs(next - last) == 1,
            step == 0 || next - last == step
        {
            step = next - last
            length += 1
        }
        return length
    }

    private func position(of character: Unicode.Scalar) -> Int? {
        guard let positions else { return Int(character.value) }
        return positions[character]
    }
}
