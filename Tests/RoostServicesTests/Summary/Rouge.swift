/// ROUGE as the Python package `rouge-score` 0.1.2 computes it with `use_stemmer=True`: words are runs of a-z and 0-9
/// in lower case, those of more than three letters stemmed; all figures are F1.
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
        let (own, wanted) = (gist.map(Self.words), reference.map(Self.words))
        one = Self.overlap(Self.grams(own, 1), Self.grams(wanted, 1))
        two = Self.overlap(Self.grams(own, 2), Self.grams(wanted, 2))
        sum = Self.summaryOverlap(own, wanted)
    }

    /// The best of several references, each figure by itself.
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
        let pieces = text.lowercased().utf8.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return pieces.map {
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

    private static func overlap(_ own: [[String]: Int], _ wanted: [[String]: Int]) -> Double {
        let hits = wanted.reduce(0) { $0 + min($1.value, own[$1.key] ?? 0) }
        return measure(hits, own.values.reduce(0, +), wanted.values.reduce(0, +))
    }

    private static func measure(_ hits: Int, _ own: Int, _ wanted: Int) -> Double {
        guard hits > 0 else { return 0 }
        let (precision, recall) = (Double(hits) / Double(own), Double(hits) / Double(wanted))
        return 2 * precision * recall / (precision + recall)
    }

    /// A word of the reference is hit once at most, and no more often than the gist has it.
    private static func summaryOverlap(_ own: [[String]], _ wanted: [[String]]) -> Double {
        var left = own.joined().reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        var hits = 0
        for sentence in wanted {
            let places = own.reduce(into: Set<Int>()) { $0.formUnion(commonPlaces(sentence, $1)) }
            for place in places.sorted() {
                guard let count = left[sentence[place]], count > 0 else { continue }
                hits += 1
                left[sentence[place]] = count - 1
            }
        }
        return measure(hits, own.joined().count, wanted.joined().count)
    }

    /// Where in the reference's sentence one longest common subsequence stands.
    private static func commonPlaces(_ reference: [String], _ own: [String]) -> [Int] {
        var table = [[Int]](repeating: Array(repeating: 0, count: own.count + 1), count: reference.count + 1)
        for row in reference.indices {
            for column in own.indices {
                table[row + 1][column + 1] =
                    reference[row] == own[column]
                    ? table[row][column] + 1 : max(table[row][column + 1], table[row + 1][column])
            }
        }
        var (row, column, places) = (reference.count, own.count, [Int]())
        while row > 0, column > 0 {
            if reference[row - 1] == own[column - 1] {
                (row, column) = (row - 1, column - 1)
                places.append(row)
            } else if table[row][column - 1] > table[row - 1][column] {
                column -= 1
            } else {
                row -= 1
            }
        }
        return places
    }
}
