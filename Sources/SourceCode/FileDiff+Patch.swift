extension FileDiff {
    /// Reads GitHub's `patch` of a file, or the diff above a comment. `path` decides about the language.
    ///
    /// Never fails: `isCut` is true if the patch is broken, or ends before its header says.
    ///
    /// - Parameter hidesWhitespace: shows lines of which only the whitespace changed as context, and leaves out hunks with
    ///   nothing else
    package init(patch: String, path: String, hidesWhitespace: Bool = false) {
        let builder = FileDiffBuilder(
            Array(patch.utf8), SyntaxLanguage.of(path: path), hidesWhitespace: hidesWhitespace)
        self.init(hunks: builder.hunks, isCut: builder.isCut)
    }

    /// The rows of the view with two columns: a replaced line is next to its successor.
    package func pairs(of hunk: Hunk) -> [Pair] {
        var pairs: [Pair] = []
        pairs.reserveCapacity(hunk.lines.count)
        var index = 0
        func addSingleLines(before end: Int) {
            while index < end {
                let line = hunk.lines[index]
                pairs.append(
                    Pair(old: line.kind == .added ? nil : line, new: line.kind == .removed ? nil : line))
                index += 1
            }
        }
        for (removed, added) in Self.replacements(hunk.lines.map(\.kind)) {
            addSingleLines(before: removed.lowerBound)
            pairs += Self.pairs(Array(hunk.lines[removed]), Array(hunk.lines[added]))
            index = added.upperBound
        }
        addSingleLines(before: hunk.lines.count)
        return pairs
    }

    /// Pairs similar lines, and then the lines between them in order, which saves rows.
    private static func pairs(_ removed: [Line], _ added: [Line]) -> [Pair] {
        var steps = 0
        let matches = LinePairing.matches(removed.map(words), added.map(words), steps: &steps)
        var pairs: [Pair] = []
        var (old, new) = (0, 0)
        func fill(_ oldEnd: Int, _ newEnd: Int) {
            while old < oldEnd || new < newEnd {
                pairs.append(
                    Pair(old: old < oldEnd ? removed[old] : nil, new: new < newEnd ? added[new] : nil))
                (old, new) = (min(old + 1, oldEnd), min(new + 1, newEnd))
            }
        }
        for match in matches {
            fill(match.removed, match.added)
            fill(match.removed + 1, match.added + 1)
        }
        fill(removed.count, added.count)
        return pairs
    }

    private static func words(_ line: Line) -> LineWords {
        let bytes = line.spans.flatMap(\.text.utf8)
        return LineWords(bytes, bytes.indices)
    }

    /// Returns removed lines that are directly followed by added ones, as indexes.
    static func replacements(_ kinds: [Line.Kind]) -> [(removed: Range<Int>, added: Range<Int>)] {
        var found: [(removed: Range<Int>, added: Range<Int>)] = []
        var index = 0
        while index < kinds.count {
            let start = index
            while index < kinds.count, kinds[index] == .removed { index += 1 }
            let middle = index
            guard middle > start else {
                index += 1
                continue
            }
            while index < kinds.count, kinds[index] == .added { index += 1 }
            if index > middle { found.append((start..<middle, middle..<index)) }
        }
        return found
    }
}
