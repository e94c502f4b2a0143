extension SyntaxTokenizer {
    /// What has been read of a line of code.
    private struct Context {
        /// The last byte that is not a blank; 0 at the beginning, and after a word such as "return".
        var previous: UInt8 = 0
        var isFirstWord = true
        var isInTag = false
        /// The word that ends the text which begins on the next line.
        var heredoc: [UInt8]?
    }

    mutating func scanCode(_ language: SyntaxLanguage, _ mode: inout SyntaxState.Mode) {
        resume(language, &mode)
        guard mode == .plain else { return }
        if position == start { scanKey(language) }
        var context = Context()
        while position < end {
            steps += 1
            let first = bytes[position]
            if first.isBlank {
                position += 1
                continue
            }
            if language.traits.contains(.bracketAttributes), scanBracketAttribute() { continue }
            if language.isSpecial[Int(first)], !isApostrophe(first, language, context),
                beginComment(language, &mode) || beginString(language, &mode)
            {
                context.previous = UInt8(ascii: "\"")
            } else if first.isDigit {
                scanNumber(language)
                context.previous = UInt8(ascii: "0")
            } else if language.isName[Int(first)] {
                scanName(language, &context)
                context.isFirstWord = false
            } else {
                scanSign(first, language, &context)
            }
        }
        if let word = context.heredoc, mode == .plain { mode = .heredoc(end: word) }
    }

    /// True for the apostrophe of a text between tags, such as "don't".
    private func isApostrophe(_ sign: UInt8, _ language: SyntaxLanguage, _ context: Context) -> Bool {
        sign == UInt8(ascii: "'") && context.previous == UInt8(ascii: "a") && language.traits.contains(.tags)
            && position > start && language.isName[Int(bytes[position - 1])]
    }

    private mutating func scanNumber(_ language: SyntaxLanguage) {
        let first = position
        while position < end {
            let (sign, next) = (bytes[position], byte(position + 1))
            let isExponent = bytes[max(first, position - 1)] | 0x20 == UInt8(ascii: "e") && next.isDigit
            guard
                language.isName[Int(sign)] || sign == UInt8(ascii: ".") && next.isDigit
                    || isExponent && (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
            else { break }
            position += 1
        }
        add(first..<position, .number)
    }

    private mutating func scanName(_ language: SyntaxLanguage, _ context: inout Context) {
        let first = position
        var (hash, hasLower) = (ByteHash(), false)
        let foldsCase = language.traits.contains(.foldsCase)
        while position < end, language.isName[Int(bytes[position])] {
            let letter = bytes[position]
            if foldsCase { hash.addFolded(letter) } else { hash.add(letter) }
            if letter >= UInt8(ascii: "a") { hasLower = true }
            position += 1
        }
        let isMember = first > start && bytes[first - 1] == UInt8(ascii: ".") && !isRange(before: first)
        let isKeyword =
            !isMember && language.keywords.contains(hash)
            && (context.isFirstWord || !language.traits.contains(.firstWords))
        if let syntax = isKeyword ? .keyword : nameSyntax(first, hash, hasLower, language, context) {
            add(first..<position, syntax)
        }
        // After a keyword may be what is not possible after a name: an expression or a tag.
        context.previous = isKeyword ? 0 : UInt8(ascii: "a")
    }

    private func isRange(before index: Int) -> Bool {
        index >= start + 2 && bytes[index - 2] == UInt8(ascii: ".")
    }

    private func nameSyntax(
        _ first: Int, _ hash: ByteHash, _ hasLower: Bool, _ language: SyntaxLanguage, _ context: Context
    ) -> FileDiff.Syntax? {
        if language.types.contains(hash) { return .type }
        let traits = language.traits
        let next = byte(position)
        let isMacro =
            next == UInt8(ascii: "!") && [UInt8(ascii: "("), UInt8(ascii: "[")].contains(byte(position + 1))
        let isCall = next == UInt8(ascii: "(") || isMacro && traits.contains(.bracketAttributes)
        let isType =
            traits.contains(.capitalTypes) && bytes[first].isUpper && (hasLower || position == first + 1)
        if isType, !isCall || !traits.contains(.capitalCalls) { return .type }
        if isCall { return .function }
        return context.isInTag && next == UInt8(ascii: "=") ? .attribute : nil
    }

    private mutating func scanSign(_ sign: UInt8, _ language: SyntaxLanguage, _ context: inout Context) {
        let (first, traits) = (position, language.traits)
        position += 1
        switch sign {
        case UInt8(ascii: "@") where traits.contains(.attributes):
            while byte(position) == sign { position += 1 }
            skipName(language, with: UInt8(ascii: "."))
            if position > first + 1 { add(first..<position, .attribute) }
        case UInt8(ascii: "#") where traits.contains(.directives):
            if context.previous == 0 { skipBlanks() }
            let word = position
            skipName(language)
            if position > word { add(first..<position, .keyword) }
        case UInt8(ascii: "'") where traits.contains(.characters): scanCharacter(first)
        case UInt8(ascii: "$") where traits.contains(.variables): scanVariable(first, language)
        case UInt8(ascii: "<") where traits.contains(.heredocs): scanHeredoc(first, language, &context)
        case UInt8(ascii: "<") where traits.contains(.tags): scanTag(language, &context)
        case UInt8(ascii: "/") where traits.contains(.expressions): scanExpression(first, context)
        case UInt8(ascii: ">") where context.previous != UInt8(ascii: "="): context.isInTag = false
        default: break
        }
        context.previous = sign
    }

    private mutating func skipName(_ language: SyntaxLanguage, with sign: UInt8? = nil) {
        while position < end, language.isName[Int(bytes[position])] || bytes[position] == sign {
            position += 1
        }
    }

    /// A character such as 'a' or '\u{1F600}'.
    private mutating func scanCharacter(_ first: Int) {
        var index = position + 1
        if byte(position) == UInt8(ascii: "\\") {
            index += 1
            while index < min(end, first + 14), bytes[index] != UInt8(ascii: "'") { index += 1 }
        } else {
            while index < end, bytes[index] & 0xC0 == 0x80 { index += 1 }
        }
        guard byte(index) == UInt8(ascii: "'") else { return }
        position = index + 1
        add(first..<position, .string)
    }

    /// A variable such as $name, ${name}, $(NAME), $1 or $@.
    private mutating func scanVariable(_ first: Int, _ language: SyntaxLanguage) {
        let open = byte(position)
        switch open {
        case UInt8(ascii: "{"):
            if let close = find(UInt8(ascii: "}"), from: position) { position = close + 1 }
        case UInt8(ascii: "("):
            let inside = position
            position += 1
            skipName(language)
            if byte(position) == UInt8(ascii: ")"), position > inside + 1 {
                position += 1
            } else {
                position = inside
            }
        case _ where open == UInt8(ascii: "_") || open.isLetter:
            while byte(position) == UInt8(ascii: "_") || byte(position).isLetterOrDigit { position += 1 }
        case _ where open.isDigit || "@*#?!$<^-".utf8.contains(open): position += 1
        default: break
        }
        if position > first + 1 { add(first..<position, .attribute) }
    }

    /// The beginning of a text such as <<END, <<-"END", <<~END or, in PHP, <<<END.
    private mutating func scanHeredoc(_ first: Int, _ language: SyntaxLanguage, _ context: inout Context) {
        guard byte(position) == UInt8(ascii: "<"), context.heredoc == nil else { return }
        var index = position + 1
        var isCertain = false
        if byte(index) == UInt8(ascii: "<") {
            guard language === SyntaxLanguage.php else {
                // <<< passes a string in Bash.
                position = index + 1
                return
            }
            (index, isCertain) = (index + 1, true)
        }
        if [UInt8(ascii: "-"), UInt8(ascii: "~")].contains(byte(index)) {
            (index, isCertain) = (index + 1, true)
        }
        let quote = byte(index)
        if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote) { (index, isCertain) = (index + 1, true) }
        guard isCertain || byte(index).isUpper else { return }
        let word = index
        while byte(index) == UInt8(ascii: "_") || byte(index).isLetterOrDigit { index += 1 }
        guard index > word, !byte(word).isDigit, index - word <= 100 else { return }
        context.heredoc = Array(bytes[word..<index])
        if byte(index) == quote { index += 1 }
        add(first..<index, .string)
        position = index
    }

    /// A tag of JSX where a comparison is not possible.
    private mutating func scanTag(_ language: SyntaxLanguage, _ context: inout Context) {
        let isClosing = byte(position) == UInt8(ascii: "/")
        let isExpected = context.previous == 0 || "(,=?:&|{}>;[".utf8.contains(context.previous)
        let name = position + (isClosing ? 1 : 0)
        guard isExpected || isClosing, byte(name).isLetter else { return }
        position = name
        while language.isName[Int(byte(position))] || "-.:".utf8.contains(byte(position)) { position += 1 }
        add(name..<position, .tag)
        context.isInTag = true
    }

    /// A regular expression where a division is not possible.
    private mutating func scanExpression(_ first: Int, _ context: Context) {
        guard context.previous == 0 || "(,=:[!&|?{;~".utf8.contains(context.previous),
            !byte(position).isBlank, byte(position) != UInt8(ascii: ">")
        else { return }
        var (index, isInClass) = (position, false)
        while index < end, mayLookAhead() {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "/") where !isInClass:
                index += 1
                while byte(index).isLetter { index += 1 }
                add(first..<index, .string)
                position = index
                return
            default: break
            }
            index += 1
        }
    }

    /// #[derive(...)], or the beginning of one that spans lines.
    private mutating func scanBracketAttribute() -> Bool {
        guard bytes[position] == UInt8(ascii: "#") else { return false }
        let isInner = byte(position + 1) == UInt8(ascii: "!")
        guard byte(position + (isInner ? 2 : 1)) == UInt8(ascii: "[") else { return false }
        var (index, depth) = (position + 1, 0)
        while index < end, mayLookAhead() {
            if bytes[index] == UInt8(ascii: "[") { depth += 1 }
            if bytes[index] == UInt8(ascii: "]") { depth -= 1 }
            index += 1
            if depth == 0, index > position + 3 { break }
        }
        add(position..<index, .attribute)
        position = index
        return true
    }

    /// The key of "key = value", a "[section]", or the target of a rule.
    private mutating func scanKey(_ language: SyntaxLanguage) {
        if language.traits.contains(.rules) { return scanRule() }
        guard language.traits.contains(.keyLines) else { return }
        skipBlanks()
        let first = position
        let brackets = position..<end
        if byte(first) == UInt8(ascii: "["),
            let name = bytes[brackets].first(where: { $0 != UInt8(ascii: "[") }), language.isName[Int(name)]
        {
            guard let close = bytes[brackets].lastIndex(of: UInt8(ascii: "]")) else { return }
            add(first..<close + 1, .heading)
            position = close + 1
            return
        }
        var index = first
        var keyEnd = first
        while index < end {
            let sign = bytes[index]
            if sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") {
                add(first..<keyEnd, .attribute)
                position = index + 1
                return
            }
            guard language.isName[Int(sign)] || sign.isBlank || ".\"'/*@[]{},!".utf8.contains(sign) else {
                return
            }
            index += 1
            if !sign.isBlank { keyEnd = index }
        }
    }

    private mutating func scanRule() {
        guard let first = bytes[start..<end].first, !first.isBlank else { return }
        for index in start..<end {
            switch bytes[index] {
            case UInt8(ascii: ":"):
                if ![UInt8(ascii: "="), UInt8(ascii: ":")].contains(byte(index + 1)) {
                    add(start..<index, .function)
                    position = index + 1
                }
                return
            case UInt8(ascii: "="), UInt8(ascii: "#"), UInt8(ascii: "("), UInt8(ascii: "\""): return
            default: break
            }
        }
    }
}
