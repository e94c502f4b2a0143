import Foundation

/// A password as a guesser sees it: without case, and with the figures that stand for letters turned into
/// these.
struct PlainText: Equatable, Sendable {
    /// Without case.
    private let folded: [Unicode.Scalar]
    /// As `folded`, one for one, but "0" is "o", "@" is "a"; "l" and "1" are both "i".
    private let bare: [Unicode.Scalar]

    init(_ text: String) {
        self.init(folded: Array(Password.normalised(text).lowercased().unicodeScalars))
    }

    private init(folded: [Unicode.Scalar]) {
        self.folded = folded
        bare = folded.map { Self.letters[$0] ?? $0 }
    }

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "0": "o", "1": "i", "l": "i", "!": "i", "|": "i", "3": "e", "€": "e", "4": "a", "@": "a", "5": "s",
        "$": "s", "7": "t", "+": "t", "8": "b", "9": "g",
    ]

    /// In code points.
    var count: Int { folded.count }
    /// How many different characters there are.
    var kinds: Int { Set(folded).count }
    var isFigures: Bool { folded.allSatisfy { $0.properties.generalCategory == .decimalNumber } }
    var hasLetters: Bool { folded.contains { $0.properties.isAlphabetic } }

    var lettersAndFigures: PlainText {
        PlainText(folded: folded.filter(Self.isLetterOrFigure))
    }

    private static func isLetterOrFigure(_ character: Unicode.Scalar) -> Bool {
        character.properties.isAlphabetic || character.properties.generalCategory == .decimalNumber
    }

    /// What compares equal for a guesser.
    var key: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bare)
        return String(text)
    }

    /// What is left when every occurrence of every piece is taken out.
    func without(_ pieces: [PlainText]) -> PlainText {
        var isTaken = [Bool](repeating: false, count: count)
        for piece in pieces where piece.count > 0 && piece.count <= count {
            for start in 0...(count - piece.count)
            where bare[start..<(start + piece.count)].elementsEqual(piece.bare) {
                for place in start..<(start + piece.count) { isTaken[place] = true }
            }
        }
        return PlainText(folded: zip(folded, isTaken).filter { !$0.1 }.map(\.0))
    }

    /// True for "aaaaaaaaaa" and "abc1abc1abc": the whole is one piece again and again, worth as much as the
    /// piece.
    func repeatsPiece(shorterThan limit: Int) -> Bool {
        guard count >= 2 else { return false }
        return (1...max(1, min(limit - 1, count / 2))).contains { length in
            zip(folded, folded.dropFirst(length)).allSatisfy(==)
        }
    }

    /// True for "abcdefghij", "qwerty123456", "1-1-2-2-3-3-4-4-5": pieces of three and more, on average, that
    /// follow each other in the alphabet or on a keyboard, forwards or backwards. The same sign in between
    /// hides nothing.
    var isMadeOfRuns: Bool {
        let text = lettersAndFigures.withoutDoubles
        var pieces = Set(folded.filter { !Self.isLetterOrFigure($0) }).count
        var place = 0
        while place < text.count {
            place += Self.tracks.map { $0.length(of: text.folded, from: place) }.max() ?? 1
            pieces += 1
        }
        return text.count >= 4 && pieces * 3 <= text.count
    }

    private var withoutDoubles: PlainText {
        PlainText(folded: folded.enumerated().filter { $0 == 0 || folded[$0 - 1] != $1 }.map(\.1))
    }

    private static let tracks = [Track()] + Track.keyboards.map { Track($0) }
}

/// An order of characters that fingers or children know.
private struct Track: Sendable {
    private let places: [Unicode.Scalar: Int]?

    /// Unicode's own order, that of most alphabets.
    init() { places = nil }

    init(_ order: String) {
        places = Dictionary(uniqueKeysWithValues: zip(order.unicodeScalars, 0...))
    }

    /// Rows and columns, of English, German and French keyboards, and of the telephone's.
    static let keyboards = [
        "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiopü", "asdfghjklöä", "yxcvbnm",
        "azertyuiop", "qsdfghjklm", "wxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
        "qazwsxedcrfvtgbyhnujmikolp",
        "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "147258369",
        "741852963",
        "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
    ]

    /// How many characters from here on follow each other in this order, at least 1.
    func length(of text: [Unicode.Scalar], from start: Int) -> Int {
        var (length, step) = (1, 0)
        while start + length < text.count, let next = place(text[start + length]),
            let last = place(text[start + length - 1]), abs(next - last) == 1,
            step == 0 || next - last == step
        {
            step = next - last
            length += 1
        }
        return length
    }

    private func place(_ character: Unicode.Scalar) -> Int? {
        guard let places else { return Int(character.value) }
        return places[character]
    }
}
