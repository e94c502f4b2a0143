/// ROUGE as in the Python package `rouge-score` 0.1.2 with `use_stemmer=True`: words are runs of a-z and 0-9 in lower
/// case, and those of more than three letters are stemmed; all scores are F1.
struct Rouge: Equatable {
    var one = 0.0
    var two = 0.0
    /// ROUGE-Lsum: the longest common subsequences, sentence by sentence.
    var sum = 0.0

    init() {}

    /// - Parameters:
    ///   - gist: sentences
    ///   - reference: sentences
    init(of gist: [String], against reference: [String]) {
        let (own, expected) = (gist.map(Self.words), reference.map(Self.words))
        one = Self.overlap(Self.grams(own, 1), Self.grams(expected, 1))
        two = Self.overlap(Self.grams(own, 2), Self.grams(expected, 2))
        sum = Self.summaryOverlap(own, expected)
    }

    /// The best of several references, separately for each score.
    init(of gist: [String], againstBestOf references: [[String]]) {
        for score in references.map({ Rouge(of: gist, against: $0) }) {
            one = max(one, score.one)
            two = max(two, score.two)
            sum = max(sum, score.sum)
        }
    }

    static func mean(_ scores: [Rouge]) -> Rouge {
        var mean = Rouge()
        let count = Double(max(scores.count, 1))
        mean.one = scores.reduce(0) { $0 + $1.one } / count
        mean.two = scores.reduce(0) { $0 + $1.two } / count
        mean.sum = scores.reduce(0) { $0 + $1.sum } / count
        return mean
    }

    static func words(_ text: String) -> [String] {
        let tokens = text.lowercased().utf8.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return tokens.map {
            $0.count > 3
                ? PorterStemmer.stem(String(decoding: $0, as: UTF8.self))
                : String(decoding: $0, as: UTF8.self)
        }
    }

    private static func grams(_ sentences: [[String]], _ length: Int) -> [[String]: Int] {
        let words = Array(sentences.joined())
        guard words.count >= length else { return [:] }
        return (0...words.count - length).reduce(into: [:]) {
            $0[Array(words[$1..<$1 + length]), default: 0] += 1
        }
    }

    private static func overlap(_ own: [[String]: Int], _ expected: [[String]: Int]) -> Double {
        let hits = expected.reduce(0) { $0 + min($1.value, own[$1.key] ?? 0) }
        return measure(hits, own.values.reduce(0, +), expected.values.reduce(0, +))
    }

    private static func measure(_ hits: Int, _ own: Int, _ expected: Int) -> Double {
        guard hits > 0 else { return 0 }
        let (precision, recall) = (Double(hits) / Double(own), Double(hits) / Double(expected))
        return 2 * precision * recall / (precision + recall)
    }

    /// Counts a word of the reference at most once, and at most as often as the gist contains it.
    private static func summaryOverlap(_ own: [[String]], _ expected: [[String]]) -> Double {
        var left = own.joined().reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        var hits = 0
        for sentence in expected {
            let positions = own.reduce(into: Set<Int>()) { $0.formUnion(commonPositions(sentence, $1)) }
            for position in positions.sorted() {
                guard let count = left[sentence[position]], count > 0 else { continue }
                hits += 1
                left[sentence[position]] = count - 1
            }
        }
        return measure(hits, own.joined().count, expected.joined().count)
    }

    /// The positions in the reference's sentence of one longest common subsequence.
    private static func commonPositions(_ reference: [String], _ own: [String]) -> [Int] {
        var table = [[Int]](repeating: Array(repeating: 0, count: own.count + 1), count: reference.count + 1)
        for row in reference.indices {
            for column in own.indices {
                table[row + 1][column + 1] =
                    reference[row] == own[column]
                    ? table[row][column] + 1 : max(table[row][column + 1], table[row + 1][column])
            }
        }
        var (row, column, positions) = (reference.count, own.count, [Int]())
        while row > 0, column > 0 {
            if reference[row - 1] == own[column - 1] {
                (row, column) = (row - 1, column - 1)
                positions.append(row)
            } else if table[row][column - 1] > table[row - 1][column] {
                column -= 1
            } else {
                row -= 1
            }
        }
        return positions
    }
}
