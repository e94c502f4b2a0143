/// Builds the lines of a diff: divides their text into spans of one look.
struct FileDiffBuilder {
    /// Characters of a line. The code of an invisible character counts as its length.
    static let maximumCharacters = 2_000
    /// Characters of a hunk's heading.
    private static let maximumHeading = 200
    /// Per file. Colors and changed words end here, so that a hostile diff does not make a page of many megabytes.
    static let maximumColoredSpans = 200_000
    /// Per file. The diff ends here; only invisible characters can make so many.
    static let maximumSpans = 400_000

    private(set) var hunks: [FileDiff.Hunk] = []
    private(set) var isCut: Bool
    /// Counts the work.
    var steps: Int { ownSteps + words.steps + tokenizer.steps }

    private let bytes: [UInt8]
    private let language: SyntaxLanguage?
    private var words: WordChanges
    private var tokenizer: SyntaxTokenizer
    private var spanCount = 0
    private var ownSteps = 0

    init(_ bytes: [UInt8], _ language: SyntaxLanguage?, hidesWhitespace: Bool = false) {
        self.bytes = bytes
        self.language = language
        words = WordChanges(bytes)
        tokenizer = SyntaxTokenizer(bytes)
        let patch = PatchParser(bytes)
        isCut = patch.isCut
        var changes = patch.hunks
        if hidesWhitespace {
            var whitespace = WhitespaceChanges(bytes)
            changes = whitespace.hidden(changes)
            ownSteps += whitespace.steps
        }
        for hunk in changes {
            guard spanCount < Self.maximumSpans else {
                isCut = true
                break
            }
            add(hunk)
        }
    }

    private mutating func add(_ hunk: PatchParser.Hunk) {
        let texts = hunk.lines.map { ShownText(bytes, $0.content) }
        let changes = changedWords(hunk.lines, texts)
        var (old, new) = (SyntaxState(), SyntaxState())
        if let language {
            new = SyntaxState(before: hunk.lines.filter { $0.kind != .removed }, bytes, language)
            old = SyntaxState(before: hunk.lines.filter { $0.kind != .added }, bytes, language)
        }
        var lines: [FileDiff.Line] = []
        lines.reserveCapacity(hunk.lines.count)
        for (index, line) in hunk.lines.enumerated() {
            guard spanCount < Self.maximumSpans else {
                isCut = true
                break
            }
            scan(line, texts[index].range, &old, &new)
            ownSteps += texts[index].range.count + 1
            var spans = divided(texts[index], changes[index])
            if line.hasNoNewline {
                spans.append(
                    FileDiff.Span(
                        text: "No newline at end of file", syntax: nil, isChanged: false, isEscape: true))
            }
            spanCount += spans.count
            lines.append(
                FileDiff.Line(
                    kind: line.kind, oldNumber: line.oldNumber, newNumber: line.newNumber, spans: spans,
                    isCut: texts[index].isCut))
        }
        let heading = ShownText(bytes, hunk.heading, maximum: Self.maximumHeading)
        hunks.append(
            FileDiff.Hunk(
                heading: InvisibleCharacters.visible(bytes, heading.range), hiddenLines: hunk.hiddenLines,
                lines: lines))
    }

    private var isColored: Bool { spanCount < Self.maximumColoredSpans }

    /// The changed parts of each line.
    private mutating func changedWords(
        _ lines: [PatchParser.Line], _ texts: [ShownText]
    ) -> [[Range<Int>]] {
        var changes = [[Range<Int>]](repeating: [], count: lines.count)
        guard isColored else { return changes }
        for (removed, added) in FileDiff.replacements(lines.map(\.kind)) {
            words.compare(texts[removed].map(\.range), texts[added].map(\.range)) { match, result in
                changes[removed.lowerBound + match.removed] = result.old
                changes[added.lowerBound + match.added] = result.new
            }
        }
        return changes
    }

    /// Finds the tokens of a line. The old and the new file each have their own open comments and strings.
    private mutating func scan(
        _ line: PatchParser.Line, _ text: Range<Int>, _ old: inout SyntaxState, _ new: inout SyntaxState
    ) {
        tokenizer.tokens.removeAll(keepingCapacity: true)
        guard let language, isColored else { return }
        switch line.kind {
        case .added: tokenizer.scan(text, language, &new)
        case .removed: tokenizer.scan(text, language, &old)
        case .context:
            let isSame = old == new
            if !isSame { tokenizer.scan(text, language, &old) }
            tokenizer.scan(text, language, &new)
            if isSame { old = new }
        }
    }

    private func divided(_ text: ShownText, _ changes: [Range<Int>]) -> [FileDiff.Span] {
        let tokens = tokenizer.tokens
        var spans: [FileDiff.Span] = []
        spans.reserveCapacity(2 * tokens.count + 2 * changes.count + 1)
        var (token, change, escape) = (0, 0, 0)
        var index = text.range.lowerBound
        while index < text.range.upperBound {
            while token < tokens.count, tokens[token].range.upperBound <= index { token += 1 }
            while change < changes.count, changes[change].upperBound <= index { change += 1 }
            var end = text.range.upperBound
            var (syntax, isChanged, isEscape): (FileDiff.Syntax?, Bool, Bool) = (nil, false, false)
            if token < tokens.count {
                let range = tokens[token].range
                if range.lowerBound > index {
                    end = min(end, range.lowerBound)
                } else {
                    (syntax, end) = (tokens[token].syntax, min(end, range.upperBound))
                }
            }
            if change < changes.count {
                isChanged = changes[change].lowerBound <= index
                end = min(end, isChanged ? changes[change].upperBound : changes[change].lowerBound)
            }
            if escape < text.invisible.count {
                let range = text.invisible[escape].range
                isEscape = range.lowerBound <= index
                end = isEscape ? range.upperBound : min(end, range.lowerBound)
            }
            let shown =
                isEscape
                ? InvisibleCharacters.code(of: text.invisible[escape].scalar)
                : String(decoding: bytes[index..<end], as: UTF8.self)
            spans.append(
                FileDiff.Span(text: shown, syntax: syntax, isChanged: isChanged, isEscape: isEscape))
            if isEscape { escape += 1 }
            index = end
        }
        return spans
    }
}

/// The part of a line that is shown.
private struct ShownText {
    let range: Range<Int>
    let isCut: Bool
    let invisible: [InvisibleCharacters.Match]

    init(_ bytes: [UInt8], _ content: Range<Int>, maximum: Int = FileDiffBuilder.maximumCharacters) {
        // A character has at most four bytes.
        let end = min(content.upperBound, content.lowerBound + 4 * maximum)
        let found = InvisibleCharacters.matches(in: bytes, content.lowerBound..<end)
        var (index, room, next) = (content.lowerBound, maximum, 0)
        while index < content.upperBound {
            let isEscape = next < found.count && found[next].range.lowerBound == index
            room -= isEscape ? InvisibleCharacters.code(of: found[next].scalar).utf8.count : 1
            if room < 0 { break }
            if isEscape { next += 1 }
            index += 1
            while index < content.upperBound, bytes[index] & 0xC0 == 0x80 { index += 1 }
        }
        range = content.lowerBound..<index
        isCut = index < content.upperBound
        invisible = Array(found.prefix(next))
    }
}
