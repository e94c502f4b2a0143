// Languages for documents and data, whose lines are not words, strings and comments.
extension SyntaxTokenizer {
    mutating func scanMarkup(_ language: SyntaxLanguage, _ state: inout SyntaxState) {
        if state.embedded != nil, !scanEmbedded(&state) { return }
        resume(language, &state.mode)
        while position < end {
            steps += 1
            if case .tag(let quote, let content) = state.mode {
                scanTagPart(language, quote, content, &state)
                if state.embedded != nil, !scanEmbedded(&state) { return }
            } else if case .plain = state.mode {
                scanText(language, &state)
            } else {
                return
            }
        }
    }

    /// Returns true if the element of the script or style sheet ends on this line.
    private mutating func scanEmbedded(_ state: inout SyntaxState) -> Bool {
        guard let embedded = state.embedded, let language = embedded.language else { return true }
        let closing = Array((embedded == .script ? "</script" : "</style").utf8)
        let lineEnd = end
        var index = position
        while index < lineEnd, !startsFolded(with: closing, at: index) { index += 1 }
        steps += index - position
        end = index
        var inner = SyntaxState()
        inner.mode = state.mode
        scan(language, &inner)
        state.mode = inner.mode
        (position, end) = (index, lineEnd)
        guard index < lineEnd else { return false }
        (state.mode, state.embedded) = (.plain, nil)
        return true
    }

    private func startsFolded(with text: [UInt8], at index: Int) -> Bool {
        guard end - index >= text.count else { return false }
        for offset in text.indices {
            let sign = bytes[index + offset]
            if (sign.isUpper ? sign | 0x20 : sign) != text[offset] { return false }
        }
        return true
    }

    /// Reads text up to and including the name of the next tag.
    private mutating func scanText(_ language: SyntaxLanguage, _ state: inout SyntaxState) {
        while position < end, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard position < end else { return }
        if beginComment(language, &state.mode) || beginString(language, &state.mode) { return }
        position += 1
        let isClosing = byte(position) == UInt8(ascii: "/")
        if isClosing || "!?".utf8.contains(byte(position)) { position += 1 }
        guard byte(position).isLetter else { return }
        let name = position
        var hash = ByteHash()
        while position < end, language.isName[Int(bytes[position])] {
            hash.addFolded(bytes[position])
            position += 1
        }
        add(name..<position, .tag)
        state.mode = .tag(quote: nil, content: isClosing ? nil : Self.contents[hash])
    }

    private static let contents: [ByteHash: SyntaxState.Embedded] = [
        ByteHash("script"): .script, ByteHash("style"): .style,
    ]

    private mutating func scanTagPart(
        _ language: SyntaxLanguage, _ quote: UInt8?, _ content: SyntaxState.Embedded?,
        _ state: inout SyntaxState
    ) {
        let first = position
        if let quote {
            while position < end, bytes[position] != quote { position += 1 }
            let isClosed = position < end
            if isClosed { position += 1 }
            add(first..<position, .string)
            state.mode = .tag(quote: isClosed ? nil : quote, content: content)
            return
        }
        let sign = bytes[position]
        position += 1
        switch sign {
        case UInt8(ascii: ">"):
            let isEmpty = first > start && bytes[first - 1] == UInt8(ascii: "/")
            (state.mode, state.embedded) = (.plain, isEmpty ? state.embedded : content ?? state.embedded)
        case UInt8(ascii: "<"):
            // The tag before was none, or is not finished yet.
            (position, state.mode) = (first, .plain)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            while position < end, bytes[position] != sign { position += 1 }
            let isClosed = position < end
            if isClosed { position += 1 }
            add(first..<position, .string)
            state.mode = .tag(quote: isClosed ? nil : sign, content: content)
        case UInt8(ascii: "="):
            skipBlanks()
            let value = position
            if "\"'".utf8.contains(byte(position)) { return }
            while position < end, !bytes[position].isBlank, bytes[position] != UInt8(ascii: ">") {
                position += 1
            }
            add(value..<position, .string)
        case _ where language.isName[Int(sign)]:
            while position < end, language.isName[Int(bytes[position])] { position += 1 }
            add(first..<position, .attribute)
        default: break
        }
    }

    mutating func scanStyle(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) {
        resume(language, &mode)
        var isValue = false
        let hasBrace = bytes[position..<end].contains(UInt8(ascii: "{"))
        let continues = bytes[position..<end].last { !$0.isBlank } == UInt8(ascii: ",")
        while position < end, mode == .plain {
            steps += 1
            let first = position
            let sign = bytes[position]
            if language.isSpecial[Int(sign)], beginComment(language, &mode) || beginString(language, &mode) {
                continue
            }
            position += 1
            switch sign {
            case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"): isValue = false
            case UInt8(ascii: "@"), UInt8(ascii: "!"):
                skipStyleName(language)
                if position > first + 1 { add(first..<position, .keyword) }
                if sign == UInt8(ascii: "@") { isValue = true }
            case UInt8(ascii: "$"):
                skipStyleName(language)
                add(first..<position, .attribute)
            case UInt8(ascii: "#"), UInt8(ascii: "."):
                guard language.isName[Int(byte(position))] else { break }
                skipStyleName(language)
                add(first..<position, isValue ? .number : .type)
            case _ where sign.isDigit:
                while position < end, bytes[position].isLetterOrDigit || ".%".utf8.contains(bytes[position]) {
                    position += 1
                }
                add(first..<position, .number)
            case _ where language.isName[Int(sign)]:
                skipStyleName(language)
                let (next, second) = (nextSign(from: position), byte(position + 1))
                let isProperty =
                    next == UInt8(ascii: ":") && (second.isBlank || second == 0 || !hasBrace && !continues)
                if isProperty, !isValue {
                    add(first..<position, .attribute)
                    isValue = true
                } else if starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")], at: first) {
                    add(first..<position, .attribute)
                } else if next == UInt8(ascii: "("), byte(position) == next {
                    add(first..<position, .function)
                } else if !isValue {
                    add(first..<position, .tag)
                }
            default: break
            }
        }
    }

    private mutating func skipStyleName(_ language: SyntaxLanguage) {
        while position < end, language.isName[Int(bytes[position])] { position += 1 }
    }

    mutating func scanYAML(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) {
        skipBlanks()
        if case .block(let indentation) = mode {
            if position == end { return }
            if position - start > indentation {
                add(position..<end, .string)
                position = end
                return
            }
        }
        mode = .plain
        while byte(position) == UInt8(ascii: "-"), byte(position + 1).isBlank || position + 1 == end {
            position += 1
            skipBlanks()
        }
        let indentation = position - start
        scanYAMLKey(language)
        skipBlanks()
        while "&*!".utf8.contains(byte(position)) {
            let first = position
            while position < end, !bytes[position].isBlank { position += 1 }
            add(first..<position, .type)
            skipBlanks()
        }
        if "|>".utf8.contains(byte(position)),
            "+-0123456789# ".utf8.contains(byte(position + 1)) || position + 1 == end
        {
            add(position..<end, .keyword)
            position = end
            mode = .block(indentation: indentation)
        }
        scanYAMLValue(language)
    }

    /// A key ends with a colon in front of a blank.
    private mutating func scanYAMLKey(_ language: SyntaxLanguage) {
        let first = position
        guard !"#[{|>&*".utf8.contains(byte(first)) else { return }
        var index = first
        if "\"'".utf8.contains(byte(first)) {
            guard let close = find(byte(first), from: first + 1) else { return }
            index = close + 1
        }
        while index < end {
            let sign = bytes[index]
            if sign == UInt8(ascii: ":"), index + 1 == end || bytes[index + 1].isBlank {
                add(first..<index, .attribute)
                position = index + 1
                return
            }
            if sign == UInt8(ascii: "#"), index > first, bytes[index - 1].isBlank { return }
            index += 1
        }
    }

    private mutating func scanYAMLValue(_ language: SyntaxLanguage) {
        guard position < end else { return }
        if "[{\"'#".utf8.contains(bytes[position]) {
            var mode = SyntaxState.Mode.plain
            return scanCode(language, &mode)
        }
        let first = position
        var comment = first
        while comment < end, bytes[comment] != UInt8(ascii: "#") || !bytes[comment - 1].isBlank {
            comment += 1
        }
        var last = comment
        while last > first, bytes[last - 1].isBlank { last -= 1 }
        var hash = ByteHash()
        for index in first..<last { hash.add(bytes[index]) }
        let isNumber = bytes[first..<last].allSatisfy { $0.isDigit || "+-.eEx_".utf8.contains($0) }
        if language.keywords.contains(hash) {
            add(first..<last, .keyword)
        } else if isNumber, bytes[first..<last].contains(where: \.isDigit) {
            add(first..<last, .number)
        }
        add(comment..<end, .comment)
        position = end
    }

    mutating func scanMarkdown(_ state: inout SyntaxState) {
        if case .fence(let sign, let count, _)? = state.embedded {
            return scanFenced(sign, count, &state)
        }
        skipBlanks()
        let first = position
        let sign = byte(first)
        if sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") {
            while byte(position) == sign { position += 1 }
            let count = position - first
            if count >= 3, find(sign, from: position) == nil {
                skipBlanks()
                let name = bytes[position..<end].prefix { $0.isLetterOrDigit || "+#_-".utf8.contains($0) }
                add(first..<end, .keyword)
                let language = String(decoding: name.prefix(20), as: UTF8.self).lowercased()
                state.embedded = .fence(sign: sign, count: count, language: language)
                return
            }
            position = first
        }
        if sign == UInt8(ascii: "#") {
            while byte(position) == sign { position += 1 }
            if position - first <= 6, position == end || bytes[position].isBlank {
                return add(first..<end, .heading)
            }
            position = first
        }
        scanListMark()
        scanInline()
    }

    private mutating func scanFenced(_ sign: UInt8, _ count: Int, _ state: inout SyntaxState) {
        skipBlanks()
        let first = position
        while byte(position) == sign { position += 1 }
        if position - first >= count, nextSign(from: position) == 0 {
            add(first..<end, .keyword)
            state = SyntaxState()
            return
        }
        position = start
        guard let language = state.embedded?.language, language.form != .markdown else { return }
        var inner = SyntaxState()
        inner.mode = state.mode
        scan(language, &inner)
        // A script inside HTML inside Markdown is read line by line.
        state.mode = inner.embedded == nil ? inner.mode : .plain
    }

    /// "- ", "* ", "1. " or "> ".
    private mutating func scanListMark() {
        let first = position
        var index = first
        while byte(index).isDigit, index < first + 9 { index += 1 }
        let isNumber = index > first && ".)".utf8.contains(byte(index))
        guard isNumber || index == first && "-*+>".utf8.contains(byte(index)),
            byte(index + 1).isBlank
        else { return }
        add(first..<index + 1, .keyword)
        position = index + 1
    }

    /// Code between backquotes, and addresses of links.
    private mutating func scanInline() {
        while position < end {
            steps += 1
            let first = position
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "`"):
                while byte(position) == UInt8(ascii: "`") { position += 1 }
                let count = position - first
                if let last = closingBackquotes(count) {
                    add(first..<last, .string)
                    position = last
                }
            case UInt8(ascii: "]") where byte(position + 1) == UInt8(ascii: "("):
                position += 2
                if let close = find(UInt8(ascii: ")"), from: position) {
                    add(position..<close, .string)
                    position = close
                }
            default: position += 1
            }
        }
        position = min(position, end)
    }

    /// Returns the end of the next run of exactly so many backquotes.
    private mutating func closingBackquotes(_ count: Int) -> Int? {
        var index = position
        while let next = find(UInt8(ascii: "`"), from: index) {
            index = next
            while byte(index) == UInt8(ascii: "`") { index += 1 }
            if index - next == count { return index }
        }
        return nil
    }
}
