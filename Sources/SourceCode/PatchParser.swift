/// Reads the hunks of a unified diff. GitHub sends them without a file header.
///
/// Never fails: reading ends at the first line that does not belong into a diff.
struct PatchParser {
    struct Hunk {
        let heading: Range<Int>
        let hiddenLines: Int
        var lines: [Line] = []
    }

    struct Line {
        let kind: FileDiff.Line.Kind
        let oldNumber: Int?
        let newNumber: Int?
        /// Bytes of the patch, without the sign and the line break.
        var content: Range<Int>
        var endsInReturn = false
        var hasNoNewline = false
    }

    /// GitHub's own limit for the diff of a file.
    static let maximumLines = 20_000
    /// Twice GitHub's own limit.
    static let maximumBytes = 1_000_000
    private static let maximumNumber = 1_000_000_000

    private(set) var hunks: [Hunk] = []
    /// True if lines are missing: the patch is broken, ends too early, or is longer than the limits.
    private(set) var isCut = false

    private let bytes: [UInt8]
    private let end: Int
    private var position = 0
    private var lineCount = 0
    /// The numbers of the lines that are read next.
    private var (oldNumber, newNumber) = (1, 1)
    /// How many lines the hunk still has, according to its header.
    private var (oldLeft, newLeft) = (0, 0)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.count > Self.maximumBytes {
            // Whole lines only, which also never splits a character.
            let start = bytes[..<Self.maximumBytes].lastIndex(of: UInt8(ascii: "\n"))
            end = start ?? 0
            isCut = true
        } else {
            end = bytes.count
        }
        readHunks()
        showMixedLineBreaks()
    }

    private mutating func readHunks() {
        skipHeader()
        if position == end, !bytes.isEmpty { isCut = true }
        while position < end {
            guard lineCount < Self.maximumLines, read(nextLine()) else {
                isCut = true
                break
            }
        }
        if oldLeft > 0 || newLeft > 0 { isCut = true }
    }

    /// Skips the lines before the first hunk, such as "diff --git".
    private mutating func skipHeader() {
        while position < end {
            let start = position
            if isHunk(nextLine()) {
                position = start
                break
            }
        }
    }

    private mutating func nextLine() -> Range<Int> {
        let start = position
        var index = start
        while index < end, bytes[index] != UInt8(ascii: "\n") { index += 1 }
        position = min(end, index + 1)
        return start..<index
    }

    /// Returns false for a line that does not belong here.
    private mutating func read(_ line: Range<Int>) -> Bool {
        if isHunk(line) {
            // The hunk before ended too early.
            if oldLeft > 0 || newLeft > 0 { isCut = true }
            return readHunk(line)
        }
        guard let hunk = hunks.indices.last else { return false }
        let sign = line.isEmpty ? UInt8(ascii: " ") : bytes[line.lowerBound]
        switch sign {
        case UInt8(ascii: "\\"):
            guard let last = hunks[hunk].lines.indices.last else { return false }
            hunks[hunk].lines[last].hasNoNewline = true
        // Some tools remove the sign from an empty line.
        case UInt8(ascii: " "), UInt8(ascii: "\r"):
            guard oldLeft > 0, newLeft > 0 else { return false }
            append(.context, line, sign: sign == UInt8(ascii: " ") && !line.isEmpty)
        case UInt8(ascii: "-"):
            guard oldLeft > 0 else { return false }
            append(.removed, line)
        case UInt8(ascii: "+"):
            guard newLeft > 0 else { return false }
            append(.added, line)
        default: return false
        }
        return true
    }

    private mutating func append(_ kind: FileDiff.Line.Kind, _ line: Range<Int>, sign: Bool = true) {
        let start = line.lowerBound + (sign ? 1 : 0)
        let endsInReturn = line.upperBound > start && bytes[line.upperBound - 1] == UInt8(ascii: "\r")
        let content = start..<line.upperBound - (endsInReturn ? 1 : 0)
        let isOld = kind != .added
        let isNew = kind != .removed
        hunks[hunks.count - 1].lines.append(
            Line(
                kind: kind, oldNumber: isOld ? oldNumber : nil, newNumber: isNew ? newNumber : nil,
                content: content, endsInReturn: endsInReturn))
        if isOld { (oldNumber, oldLeft) = (oldNumber + 1, oldLeft - 1) }
        if isNew { (newNumber, newLeft) = (newNumber + 1, newLeft - 1) }
        lineCount += 1
    }

    private func isHunk(_ line: Range<Int>) -> Bool { bytes[line].starts(with: "@@ -".utf8) }

    /// Reads a line such as `@@ -12,5 +12,7 @@ func load() {`.
    private mutating func readHunk(_ line: Range<Int>) -> Bool {
        var index = line.lowerBound + 4
        guard let old = lines(at: &index, of: line), skip(" +", at: &index, of: line),
            let new = lines(at: &index, of: line), skip(" @@", at: &index, of: line)
        else {
            (oldLeft, newLeft) = (0, 0)
            return false
        }
        // A side without lines names the line before the change.
        let oldStart = old.count == 0 ? old.start + 1 : old.start
        let newStart = new.count == 0 ? new.start + 1 : new.start
        let hidden = max(0, min(oldStart - oldNumber, newStart - newNumber))
        (oldNumber, newNumber) = (oldStart, newStart)
        (oldLeft, newLeft) = (old.count, new.count)
        var heading = index..<line.upperBound
        while let first = heading.first, bytes[first] == UInt8(ascii: " ") {
            heading = first + 1..<heading.upperBound
        }
        if let last = heading.last, bytes[last] == UInt8(ascii: "\r") { heading = heading.lowerBound..<last }
        hunks.append(Hunk(heading: heading, hiddenLines: hidden))
        return true
    }

    /// Reads "12,5", or "12" for one line.
    private func lines(at index: inout Int, of line: Range<Int>) -> (start: Int, count: Int)? {
        guard let start = number(at: &index, of: line) else { return nil }
        guard skip(",", at: &index, of: line) else { return (start, 1) }
        return number(at: &index, of: line).map { (start, $0) }
    }

    private func number(at index: inout Int, of line: Range<Int>) -> Int? {
        let start = index
        var value = 0
        while index < line.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            guard value < Self.maximumNumber else { return nil }
            index += 1
        }
        return index > start ? value : nil
    }

    private func skip(_ text: String, at index: inout Int, of line: Range<Int>) -> Bool {
        guard bytes[index..<line.upperBound].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    /// Line breaks are shown only if the file mixes both kinds: a change from one to the other would be invisible.
    private mutating func showMixedLineBreaks() {
        var (withReturn, without) = (false, false)
        for line in hunks.lazy.flatMap(\.lines) where !line.hasNoNewline {
            if line.endsInReturn { withReturn = true } else { without = true }
        }
        guard withReturn, without else { return }
        for hunk in hunks.indices {
            for index in hunks[hunk].lines.indices where hunks[hunk].lines[index].endsInReturn {
                let content = hunks[hunk].lines[index].content
                hunks[hunk].lines[index].content = content.lowerBound..<content.upperBound + 1
            }
        }
    }
}
