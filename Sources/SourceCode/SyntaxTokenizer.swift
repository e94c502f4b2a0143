/// Finds keywords, strings, comments and so on, line by line. It knows how languages look but not their grammar, so it
/// may be wrong, but it never fails.
struct SyntaxTokenizer {
    struct Token {
        let range: Range<Int>
        let syntax: FileDiff.Syntax
    }

    let bytes: [UInt8]
    var tokens: [Token] = []
    /// Counts the work.
    var steps = 0
    var position = 0
    private(set) var start = 0
    var end = 0
    /// Bytes that may still be read ahead on this line, so that a line of open brackets does not take quadratic time.
    private var lookAhead = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Replaces `tokens` with those of the line, in order. Plain text has no tokens.
    mutating func scan(_ line: Range<Int>, _ language: SyntaxLanguage, _ state: inout SyntaxState) {
        tokens.removeAll(keepingCapacity: true)
        (start, position, end) = (line.lowerBound, line.lowerBound, line.upperBound)
        lookAhead = 4 * line.count + 100
        scan(language, &state)
    }

    mutating func scan(_ language: SyntaxLanguage, _ state: inout SyntaxState) {
        switch language.form {
        case .code: scanCode(language, &state.mode)
        case .markup: scanMarkup(language, &state)
        case .style: scanStyle(language, &state.mode)
        case .yaml: scanYAML(language, &state.mode)
        case .markdown: scanMarkdown(&state)
        }
    }

    mutating func add(_ range: Range<Int>, _ syntax: FileDiff.Syntax) {
        if !range.isEmpty { tokens.append(Token(range: range, syntax: syntax)) }
    }

    func byte(_ index: Int) -> UInt8 { index < end ? bytes[index] : 0 }

    func starts(with text: [UInt8], at index: Int) -> Bool {
        guard end - index >= text.count else { return false }
        for offset in text.indices where bytes[index + offset] != text[offset] { return false }
        return true
    }

    mutating func skipBlanks() {
        while position < end, bytes[position].isBlank { position += 1 }
    }

    /// The first byte from `index` on that is not a blank, or 0.
    mutating func nextSign(from index: Int) -> UInt8 {
        var index = index
        while index < end, bytes[index].isBlank, mayLookAhead() { index += 1 }
        return byte(index)
    }

    mutating func mayLookAhead() -> Bool {
        lookAhead -= 1
        steps += 1
        return lookAhead > 0
    }

    /// Returns the index of the next such byte on the line.
    mutating func find(_ sign: UInt8, from index: Int) -> Int? {
        var index = index
        while index < end, mayLookAhead() {
            if bytes[index] == sign { return index }
            index += 1
        }
        return nil
    }

    /// Continues what is open from the line before. The mode is plain afterwards unless the whole line is part of it.
    mutating func resume(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) {
        switch mode {
        case .plain, .block, .tag: break
        case .comment(let pair, let depth):
            guard language.blockComments.indices.contains(pair) else { return mode = .plain }
            finishComment(from: position, pair, depth, language, &mode)
        case .string(let pair):
            guard language.strings.indices.contains(pair) else { return mode = .plain }
            finishString(from: position, pair, language, &mode)
        case .heredoc(let word):
            skipBlanks()
            if starts(with: word, at: position), !language.isName[Int(byte(position + word.count))] {
                position += word.count
                mode = .plain
            } else {
                position = end
            }
            add(start..<position, .string)
        }
    }

    mutating func beginComment(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) -> Bool {
        for (index, pair) in language.blockComments.enumerated() where starts(with: pair.open, at: position) {
            let first = position
            position += pair.open.count
            finishComment(from: first, index, 1, language, &mode)
            return true
        }
        for open in language.lineComments where starts(with: open, at: position) {
            if language.traits.contains(.spacedComments), position > start, !bytes[position - 1].isBlank {
                continue
            }
            add(position..<end, .comment)
            position = end
            return true
        }
        return false
    }

    private mutating func finishComment(
        from first: Int, _ index: Int, _ depth: Int, _ language: SyntaxLanguage,
        _ mode: inout SyntaxState.Mode
    ) {
        let pair = language.blockComments[index]
        var depth = depth
        while position < end {
            steps += 1
            if starts(with: pair.close, at: position) {
                position += pair.close.count
                depth -= 1
                if depth == 0 {
                    add(first..<position, .comment)
                    mode = .plain
                    return
                }
            } else if pair.nests, starts(with: pair.open, at: position) {
                position += pair.open.count
                depth += 1
            } else {
                position += 1
            }
        }
        add(first..<end, .comment)
        mode = .comment(pair: index, depth: depth)
    }

    mutating func beginString(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) -> Bool {
        for (index, pair) in language.strings.enumerated() where starts(with: pair.open, at: position) {
            let first = position
            position += pair.open.count
            finishString(from: first, index, language, &mode)
            return true
        }
        return false
    }

    private mutating func finishString(
        from first: Int, _ index: Int, _ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode
    ) {
        let pair = language.strings[index]
        while position < end {
            steps += 1
            if starts(with: pair.close, at: position) {
                position += pair.close.count
                let isKey =
                    language.traits.contains(.stringKeys) && nextSign(from: position) == UInt8(ascii: ":")
                add(first..<position, isKey ? .attribute : .string)
                mode = .plain
                return
            }
            if pair.escapes, skipInterpolation(language) { continue }
            position += pair.escapes && bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = end
        add(first..<end, .string)
        mode = pair.spansLines ? .string(pair: index) : .plain
    }

    /// Skips code in a string, which may contain quotes, if it ends on this line.
    private mutating func skipInterpolation(_ language: SyntaxLanguage) -> Bool {
        for pair in language.interpolations where starts(with: pair.open, at: position) {
            guard let open = pair.open.last, let close = pair.close.first else { continue }
            var (index, depth) = (position + pair.open.count, 1)
            while index < end, mayLookAhead() {
                if bytes[index] == open { depth += 1 } else if bytes[index] == close { depth -= 1 }
                index += 1
                if depth == 0 {
                    position = index
                    return true
                }
            }
        }
        return false
    }
}
