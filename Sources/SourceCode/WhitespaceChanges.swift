/// Finds removed and added lines that differ only in whitespace.
struct WhitespaceChanges {
    /// How far ahead the next equal lines are looked for, in lines of both files together. Keeps the work proportional to
    /// the number of lines.
    private static let reach = 40

    private(set) var steps = 0
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Shows two such lines as one line of context, with the new text. Leaves out hunks without another change.
    mutating func hidden(_ hunks: [PatchParser.Hunk]) -> [PatchParser.Hunk] {
        var shown: [PatchParser.Hunk] = []
        // Lines of the hunks that were left out since the last one that is shown.
        var skipped = 0
        for hunk in hunks {
            let lines = hidden(hunk.lines)
            let hiddenLines = skipped + hunk.hiddenLines
            if lines.contains(where: { $0.kind != .context }) {
                shown.append(PatchParser.Hunk(heading: hunk.heading, hiddenLines: hiddenLines, lines: lines))
                skipped = 0
            } else {
                skipped = hiddenLines + lines.count
            }
        }
        return shown
    }

    private mutating func hidden(_ lines: [PatchParser.Line]) -> [PatchParser.Line] {
        var shown: [PatchParser.Line] = []
        shown.reserveCapacity(lines.count)
        var index = 0
        for (removed, added) in FileDiff.replacements(lines.map(\.kind)) {
            shown += lines[index..<removed.lowerBound]
            var (old, new) = (removed.lowerBound, added.lowerBound)
            for match in matches(lines[removed], lines[added]) {
                shown += lines[old..<match.removed] + lines[new..<match.added]
                shown.append(Self.context(lines[match.removed], lines[match.added]))
                (old, new) = (match.removed + 1, match.added + 1)
            }
            shown += lines[old..<removed.upperBound] + lines[new..<added.upperBound]
            index = added.upperBound
        }
        return shown + lines[index...]
    }

    private static func context(_ removed: PatchParser.Line, _ added: PatchParser.Line) -> PatchParser.Line {
        PatchParser.Line(
            kind: .context, oldNumber: removed.oldNumber, newNumber: added.newNumber, content: added.content,
            endsInReturn: added.endsInReturn, hasNoNewline: added.hasNoNewline)
    }

    /// Pairs lines that are equal without whitespace, in order. After a difference, continues at the nearest such pair.
    private mutating func matches(
        _ removed: ArraySlice<PatchParser.Line>, _ added: ArraySlice<PatchParser.Line>
    ) -> [LinePairing.Match] {
        // Equal numbers for equal lines.
        var numbers: [[UInt8]: Int] = [:]
        let (old, new) = (removed.map { number(of: $0, &numbers) }, added.map { number(of: $0, &numbers) })
        var matches: [LinePairing.Match] = []
        var (one, two) = (0, 0)
        while one < old.count, two < new.count {
            guard let (first, second) = nextEqual(old[one...], new[two...]) else {
                (one, two) = (one + 1, two + 1)
                continue
            }
            matches.append(.init(removed: removed.startIndex + first, added: added.startIndex + second))
            (one, two) = (first + 1, second + 1)
        }
        return matches
    }

    private mutating func nextEqual(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> (Int, Int)? {
        let farthest = min(Self.reach, old.count + new.count - 2)
        for distance in 0...farthest {
            for removed in max(0, distance - new.count + 1)...min(distance, old.count - 1) {
                steps += 1
                let (one, two) = (old.startIndex + removed, new.startIndex + distance - removed)
                if old[one] == new[two] { return (one, two) }
            }
        }
        return nil
    }

    private mutating func number(of line: PatchParser.Line, _ numbers: inout [[UInt8]: Int]) -> Int {
        steps += line.content.count
        let text = bytes[line.content].filter { !Self.isWhitespace($0) }
        let number = numbers[text] ?? numbers.count
        numbers[text] = number
        return number
    }

    /// Space, tab, vertical tab, form feed and carriage return. Other spaces of Unicode are shown as codes, and count as
    /// changes.
    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
