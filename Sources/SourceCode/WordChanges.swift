/// Finds the words that differ between a removed line and the added line that replaces it.
struct WordChanges {
    /// The changed parts of both lines, as bytes of the text.
    struct Result: Equatable {
        var old: [Range<Int>] = []
        var new: [Range<Int>] = []
    }

    /// Words that may be removed and added in a line. With more, everything between the first and the last change counts
    /// as changed.
    private static let maximumDifference = 100
    /// Per thousand. Marks in lines that have less in common would only distract.
    private static let minimumLikeness = 200
    /// For all lines of a file. After that, only the beginnings and ends of lines are compared.
    private static let maximumSteps = 4_000_000

    private(set) var steps = 0
    private let bytes: [UInt8]
    /// The farthest index for each diagonal, and a copy of it for each number of differences.
    private var farthest = [Int32](repeating: 0, count: 2 * maximumDifference + 3)
    private var history: [Int32] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Compares the removed lines with the added lines that follow them. Calls `mark` with indexes of both.
    mutating func compare(
        _ removed: [Range<Int>], _ added: [Range<Int>], mark: (LinePairing.Match, Result) -> Void
    ) {
        let (old, new) = (removed.map { LineWords(bytes, $0) }, added.map { LineWords(bytes, $0) })
        steps += old.reduce(0) { $0 + $1.words.count } + new.reduce(0) { $0 + $1.words.count }
        for match in LinePairing.matches(old, new, steps: &steps) {
            mark(match, changes(old[match.removed], new[match.added]))
        }
    }

    private mutating func changes(_ old: LineWords, _ new: LineWords) -> Result {
        let (one, two) = (old.words, new.words)
        var start = 0
        while start < min(one.count, two.count), isEqual(one[start], two[start]) { start += 1 }
        var tail = 0
        while tail < min(one.count, two.count) - start,
            isEqual(one[one.count - 1 - tail], two[two.count - 1 - tail])
        {
            tail += 1
        }
        steps += start + tail
        let (middleOne, middleTwo) = (one[start..<one.count - tail], two[start..<two.count - tail])
        guard !middleOne.isEmpty || !middleTwo.isEmpty else { return Result() }
        var (isOld, isNew) = (
            [Bool](repeating: false, count: one.count), [Bool](repeating: false, count: two.count)
        )
        for index in middleOne.indices { isOld[index] = true }
        for index in middleTwo.indices { isNew[index] = true }
        if !middleOne.isEmpty, !middleTwo.isEmpty { findCommon(middleOne, middleTwo, &isOld, &isNew) }
        let common = one.indices.reduce(0) { isOld[$1] ? $0 : $0 + one[$1].weight }
        guard 2_000 * common >= Self.minimumLikeness * (old.weight + new.weight) else { return Result() }
        return Result(old: Self.ranges(one, isOld), new: Self.ranges(two, isNew))
    }

    private func isEqual(_ one: LineWords.Word, _ two: LineWords.Word) -> Bool {
        one.hash == two.hash && one.range.count == two.range.count
            && zip(one.range, two.range).allSatisfy { bytes[$0] == bytes[$1] }
    }

    /// Myers, "An O(ND) Difference Algorithm and Its Variations", with a limit for D. Changes nothing beyond it.
    private mutating func findCommon(
        _ one: ArraySlice<LineWords.Word>, _ two: ArraySlice<LineWords.Word>, _ isOld: inout [Bool],
        _ isNew: inout [Bool]
    ) {
        let middle = Self.maximumDifference + 1
        history.removeAll(keepingCapacity: true)
        farthest[middle + 1] = 0
        for difference in 0...min(Self.maximumDifference, one.count + two.count) {
            guard steps < Self.maximumSteps else { return }
            history += farthest[middle - difference - 1...middle + difference + 1]
            for diagonal in stride(from: -difference, through: difference, by: 2) {
                let (below, above) = (farthest[middle + diagonal - 1], farthest[middle + diagonal + 1])
                let isDown = diagonal == -difference || diagonal != difference && below < above
                var old = Int(isDown ? above : below + 1)
                var new = old - diagonal
                steps += 1
                while old < one.count, new < two.count,
                    isEqual(one[one.startIndex + old], two[two.startIndex + new])
                {
                    old += 1
                    new += 1
                    steps += 1
                }
                farthest[middle + diagonal] = Int32(old)
                if old >= one.count, new >= two.count {
                    return follow(difference, one, two, &isOld, &isNew)
                }
            }
        }
    }

    /// Walks back from the end, through the copies of `farthest`.
    private func follow(
        _ difference: Int, _ one: ArraySlice<LineWords.Word>, _ two: ArraySlice<LineWords.Word>,
        _ isOld: inout [Bool], _ isNew: inout [Bool]
    ) {
        var (old, new) = (one.count, two.count)
        for step in stride(from: difference, to: 0, by: -1) {
            // The copies for fewer differences have 3, 5, 7 ... numbers.
            let middle = step * (step + 2) + step + 1
            let diagonal = old - new
            let (below, above) = (history[middle + diagonal - 1], history[middle + diagonal + 1])
            let isDown = diagonal == -step || diagonal != step && below < above
            let oldBefore = Int(isDown ? above : below)
            let newBefore = oldBefore - (isDown ? diagonal + 1 : diagonal - 1)
            while old > oldBefore, new > newBefore {
                (old, new) = (old - 1, new - 1)
                (isOld[one.startIndex + old], isNew[two.startIndex + new]) = (false, false)
            }
            (old, new) = (oldBefore, newBefore)
        }
        while old > 0, new > 0 {
            (old, new) = (old - 1, new - 1)
            (isOld[one.startIndex + old], isNew[two.startIndex + new]) = (false, false)
        }
    }

    /// Joins changed words, also over equal blanks between them.
    private static func ranges(_ words: [LineWords.Word], _ isChanged: [Bool]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var canJoin = false
        for (index, word) in words.enumerated() {
            if isChanged[index] {
                if canJoin, let last = ranges.last {
                    ranges[ranges.count - 1] = last.lowerBound..<word.range.upperBound
                } else {
                    ranges.append(word.range)
                }
                canJoin = true
            } else if word.kind != .blank {
                canJoin = false
            }
        }
        return ranges
    }
}
