/// A line split into words and single signs.
struct LineWords {
    struct Word {
        /// Bytes of the text that the line belongs to.
        let range: Range<Int>
        let hash: ByteHash
        let kind: Kind

        /// How much an equal word says about the likeness of two lines.
        var weight: Int {
            switch kind {
            case .blank: 0
            case .sign: 1
            case .word: 2 * range.count
            }
        }
    }

    enum Kind {
        case word, sign, blank
    }

    /// Lines with more words are compared by their beginnings.
    private static let maximumCompared = 100

    let words: [Word]
    let weight: Int
    /// Sorted by hash, without blanks.
    private let compared: [(hash: UInt64, weight: Int)]
    private let comparedWeight: Int

    init(_ bytes: [UInt8], _ line: Range<Int>) {
        var words: [Word] = []
        words.reserveCapacity(line.count / 3)
        var index = line.lowerBound
        while index < line.upperBound {
            let start = index
            let kind = Self.kind(bytes[index])
            var hash = ByteHash()
            repeat {
                hash.add(bytes[index])
                index += 1
            } while index < line.upperBound && Self.joins(bytes[index], kind)
            words.append(Word(range: start..<index, hash: hash, kind: kind))
        }
        self.words = words
        weight = words.reduce(0) { $0 + $1.weight }
        compared = words.lazy.filter { $0.kind != .blank }.prefix(Self.maximumCompared)
            .map { ($0.hash.value, $0.weight) }.sorted { $0.hash < $1.hash }
        comparedWeight = compared.reduce(0) { $0 + $1.weight }
    }

    private static func kind(_ byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): .blank
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0xC3..<0xE2:
            .word
        default: .sign
        }
    }

    /// Characters of scripts without spaces, such as Han, and symbols are words of their own.
    private static func joins(_ byte: UInt8, _ kind: Kind) -> Bool {
        // The second and later bytes of a character.
        if byte & 0xC0 == 0x80 { return true }
        return kind == .word && Self.kind(byte) == .word
    }

    /// From 0 to 1,000: the common words' part of both lines, in any order.
    func likeness(to other: LineWords, steps: inout Int) -> Int {
        let sum = comparedWeight + other.comparedWeight
        steps += 1
        // Most lines differ so much in length that counting is needless.
        guard sum > 0, 2_000 * min(comparedWeight, other.comparedWeight) >= LinePairing.minimumLikeness * sum
        else { return 0 }
        var (left, right, common) = (0, 0, 0)
        while left < compared.count, right < other.compared.count {
            steps += 1
            let (one, two) = (compared[left], other.compared[right])
            if one.hash == two.hash {
                common += one.weight
                left += 1
                right += 1
            } else if one.hash < two.hash {
                left += 1
            } else {
                right += 1
            }
        }
        return 2_000 * common / sum
    }
}
