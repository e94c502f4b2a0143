extension FileDiff {
    /// Returns the patch with all lines of the file around its changes, as one hunk.
    ///
    /// Nil if the patch is broken, if the text is not the file after the change, or if the result has more lines or bytes
    /// than are shown of a diff.
    package static func wholePatch(_ patch: String, file text: String) -> String? {
        var whole = WholePatch(patch: Array(patch.utf8), file: Array(text.utf8))
        return whole.joined()
    }
}

private struct WholePatch {
    private static let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private let patch: [UInt8]
    private let lines: [ArraySlice<UInt8>]
    private let endsInNewline: Bool
    private var body: [UInt8] = []
    /// The index of the file's line that comes next.
    private var next = 0
    private var (added, removed) = (0, 0)

    init(patch: [UInt8], file: [UInt8]) {
        self.patch = patch
        var lines = file.split(separator: Self.newline, omittingEmptySubsequences: false)
        endsInNewline = lines.last?.isEmpty == true
        if endsInNewline { lines.removeLast() }
        self.lines = lines
    }

    mutating func joined() -> String? {
        let parsed = PatchParser(patch)
        guard !parsed.isCut, !parsed.hunks.isEmpty else { return nil }
        for hunk in parsed.hunks {
            for _ in 0..<hunk.hiddenLines { guard appendContext() else { return nil } }
            for line in hunk.lines { guard append(line) else { return nil } }
        }
        if next < lines.count {
            while appendContext() {}
            if !endsInNewline { appendNoNewline() }
        }
        let (old, new) = (lines.count - added + removed, lines.count)
        let header = "@@ -\(old > 0 ? 1 : 0),\(old) +\(new > 0 ? 1 : 0),\(new) @@\n"
        guard lines.count + removed <= PatchParser.maximumLines,
            body.count + header.utf8.count <= PatchParser.maximumBytes
        else { return nil }
        return header + String(decoding: body, as: UTF8.self)
    }

    private mutating func appendContext() -> Bool {
        guard next < lines.count else { return false }
        append(" ", lines[next])
        next += 1
        return true
    }

    /// Returns false if the file has another line there.
    private mutating func append(_ line: PatchParser.Line) -> Bool {
        // The parser leaves out a carriage return at the end.
        let isCut = line.endsInReturn && patch[line.content].last != Self.carriageReturn
        let content = patch[line.content.lowerBound..<line.content.upperBound + (isCut ? 1 : 0)]
        switch line.kind {
        case .removed:
            append("-", content)
            removed += 1
        case .added, .context:
            guard line.newNumber == next + 1, next < lines.count, lines[next].elementsEqual(content) else {
                return false
            }
            append(line.kind == .added ? "+" : " ", content)
            if line.kind == .added { added += 1 }
            next += 1
        }
        if line.hasNoNewline { appendNoNewline() }
        return true
    }

    private mutating func append(_ sign: Unicode.Scalar, _ line: ArraySlice<UInt8>) {
        body.append(UInt8(ascii: sign))
        body += line
        body.append(Self.newline)
    }

    private mutating func appendNoNewline() { body += Array("\\ No newline at end of file\n".utf8) }
}
