import Foundation
import TextFormats

/// Parses the inline basics of Markdown: bold, italic, strikethrough, quoted lines, code, fenced code, links, emoji
/// names and mentions.
///
/// Works on bytes and visits each a bounded number of times: 16 KB of asterisks take no longer than 16 KB of letters.
/// Marks without a partner in their line stay as typed.
package struct MessageMarkup {
    package enum Style: Sendable, Hashable { case bold, italic, strike }

    package enum Part: Sendable, Equatable {
        case text(String)
        case open(Style), close(Style)
        case code(String)
        case codeBlock(String)
        case openQuote, closeQuote
        case openLink(String), closeLink
        case mention(String)
    }

    /// Longer addresses are not linked.
    private static let maximumAddress = 2_048
    private static let maximumName = 64
    /// Further brackets are plain text.
    private static let maximumOpen = 32

    /// Marks without a partner so far; a bracket waits for its address.
    private enum Mark: Hashable {
        case asterisk, asterisks, underscore, underscores, tildes, bracket

        var style: Style {
            switch self {
            case .asterisk, .underscore: .italic
            case .asterisks, .underscores: .bold
            case .tildes, .bracket: .strike
            }
        }
    }

    private let names: Set<String>
    private var parts: [Part] = []
    private var text: [UInt8] = []
    private var unclosed: [(mark: Mark, part: Int)] = []

    /// - Parameter names: the user names to highlight after an `@`, in lower case
    package static func parts(of text: String, names: Set<String>) -> [Part] {
        var markup = MessageMarkup(names: names)
        markup.read(Array(text.utf8))
        return markup.parts
    }

    private init(names: Set<String>) {
        self.names = names
    }

    // MARK: Lines

    private mutating func read(_ bytes: [UInt8]) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        var index = 0
        var isAfterInline = false
        while index < lines.count {
            let line = lines[index]
            if let length = Self.openingFence(line) {
                index = readFence(&lines, from: index, length)
                isAfterInline = false
            } else if line.first == UInt8(ascii: ">") {
                index = readQuote(lines, from: index)
                isAfterInline = false
            } else {
                if isAfterInline { text.append(UInt8(ascii: "\n")) }
                readInline(line)
                isAfterInline = true
                index += 1
            }
        }
        flush()
    }

    /// The number of backticks if the line opens a code block. If the line also closes them, it is inline code.
    private static func openingFence(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.starts(with: "```".utf8) else { return nil }
        let length = endOfRun(line, at: line.startIndex) - line.startIndex
        return runs(ofAtLeast: length, in: line.dropFirst(length)).isEmpty ? length : nil
    }

    /// Reads to the closing fence or the end, and returns the line to continue with. Text after the closing fence stays
    /// in its line.
    private mutating func readFence(_ lines: inout [ArraySlice<UInt8>], from start: Int, _ length: Int) -> Int
    {
        flush()
        let opening = lines[start].dropFirst(length)
        var code: [ArraySlice<UInt8>] = []
        var end = start + 1
        var isClosed = false
        while end < lines.count, !isClosed {
            let line = lines[end]
            guard let fence = Self.closingFence(line, length) else {
                code.append(line)
                end += 1
                continue
            }
            isClosed = true
            if fence.lowerBound > line.startIndex { code.append(line[..<fence.lowerBound]) }
            lines[end] = line[fence.upperBound...]
            if lines[end].allSatisfy(Self.isBlank) { end += 1 }
        }
        let hasCode = code.contains { !$0.allSatisfy(Self.isBlank) }
        if !opening.allSatisfy(Self.isBlank), !hasCode || !Self.isLanguage(opening) {
            code.insert(opening, at: 0)
        }
        guard isClosed || code.contains(where: { !$0.allSatisfy(Self.isBlank) }) else {
            // If nothing follows, the backticks are plain text.
            parts.append(.text(String(decoding: lines[start], as: UTF8.self)))
            return end
        }
        let bytes = Array(code.joined(separator: [UInt8(ascii: "\n")]))
        parts.append(.codeBlock(String(decoding: bytes, as: UTF8.self)))
        return end
    }

    /// Backticks that close a code block: at the start of a line, or the only ones and at its end.
    private static func closingFence(_ line: ArraySlice<UInt8>, _ length: Int) -> Range<Int>? {
        let runs = runs(ofAtLeast: length, in: line)
        guard let first = runs.first else { return nil }
        if first.lowerBound == line.startIndex { return first }
        return runs.count == 1 && line[first.upperBound...].allSatisfy(isBlank) ? first : nil
    }

    private static func runs(ofAtLeast length: Int, in line: ArraySlice<UInt8>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var index = line.startIndex
        while index < line.endIndex {
            guard line[index] == UInt8(ascii: "`") else {
                index += 1
                continue
            }
            let end = endOfRun(line, at: index)
            if end - index >= length { runs.append(index..<end) }
            index = end
        }
        return runs
    }

    private static func isLanguage(_ opening: ArraySlice<UInt8>) -> Bool {
        let word = opening.drop(while: isBlank).prefix { !isBlank($0) }
        guard opening[word.endIndex...].allSatisfy(isBlank) else { return false }
        return CodeLanguages.contains(String(decoding: word, as: UTF8.self))
    }

    private mutating func readQuote(_ lines: [ArraySlice<UInt8>], from start: Int) -> Int {
        flush()
        parts.append(.openQuote)
        var index = start
        while index < lines.count, lines[index].first == UInt8(ascii: ">") {
            if index > start { text.append(UInt8(ascii: "\n")) }
            let line = lines[index].dropFirst()
            readInline(line.first == UInt8(ascii: " ") ? line.dropFirst() : line)
            index += 1
        }
        flush()
        parts.append(.closeQuote)
        return index
    }

    // MARK: A line

    private mutating func readInline(_ line: ArraySlice<UInt8>) {
        unclosed = []
        var fences = CodeFences(line)
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            switch byte {
            case UInt8(ascii: "\\"): index = readEscape(line, at: index)
            case UInt8(ascii: "`"): index = readCode(line, at: index, &fences)
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): index = readMarks(line, at: index)
            case UInt8(ascii: "["):
                flush()
                if unclosed.count < Self.maximumOpen { unclosed.append((.bracket, parts.count)) }
                parts.append(.text("["))
                index += 1
            case UInt8(ascii: "]"): index = readBracket(line, at: index)
            case UInt8(ascii: "@"): index = readMention(line, at: index)
            case UInt8(ascii: ":"): index = readEmoji(line, at: index)
            case UInt8(ascii: "h"), UInt8(ascii: "/"): index = readAddress(line, at: index)
            default:
                text.append(byte)
                index += 1
            }
        }
        flush()
        unclosed = []
    }

    private mutating func flush() {
        guard !text.isEmpty else { return }
        parts.append(.text(String(decoding: text, as: UTF8.self)))
        text = []
    }

    private mutating func readEscape(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let next = index + 1
        guard next < line.endIndex, Self.isPunctuation(line[next]) else {
            text.append(line[index])
            return next
        }
        text.append(line[next])
        return next + 1
    }

    private mutating func readCode(
        _ line: ArraySlice<UInt8>, at index: Int, _ fences: inout CodeFences
    ) -> Int {
        let end = Self.endOfRun(line, at: index)
        guard let close = fences.close(ofLength: end - index, after: end) else {
            text += line[index..<end]
            return end
        }
        flush()
        var code = line[end..<close]
        if code.first == UInt8(ascii: " "), code.last == UInt8(ascii: " "),
            code.contains(where: { $0 != UInt8(ascii: " ") })
        {
            code = code.dropFirst().dropLast()
        }
        parts.append(.code(String(decoding: code, as: UTF8.self)))
        return close + (end - index)
    }

    private mutating func readMarks(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let byte = line[index]
        let end = Self.endOfRun(line, at: index)
        let before = index > line.startIndex ? line[index - 1] : UInt8(ascii: " ")
        let after = end < line.endIndex ? line[end] : UInt8(ascii: " ")
        let isUnderscore = byte == UInt8(ascii: "_")
        let isTight = Self.isTight(byte, count: end - index)
        let mayOpen = !Self.isBlank(after) && !(isUnderscore && Self.isWord(before)) && !isTight(before)
        let mayClose = !Self.isBlank(before) && !(isUnderscore && Self.isWord(after)) && !isTight(after)
        guard var marks = Self.marks(byte, count: end - index), mayOpen || mayClose else {
            text += line[index..<end]
            return end
        }
        flush()
        if mayClose {
            // Innermost first: "**a *b***".
            for entry in unclosed.reversed() where marks.contains(entry.mark) {
                close(entry.mark)
                marks.removeAll { $0 == entry.mark }
                if marks.isEmpty { break }
            }
        }
        for mark in marks {
            let isFree = mayOpen && !unclosed.contains { $0.mark == mark }
            if isFree { unclosed.append((mark, parts.count)) }
            parts.append(.text(Self.typed(mark)))
        }
        return end
    }

    /// Pairs the mark with its partner. Marks opened in between have no partner and stay text.
    private mutating func close(_ mark: Mark) {
        while let last = unclosed.popLast() {
            guard last.mark == mark else { continue }
            parts[last.part] = .open(mark.style)
            parts.append(.close(mark.style))
            return
        }
    }

    /// "](https://…)" makes a link of the text in the brackets.
    private mutating func readBracket(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let plain = {
            (markup: inout MessageMarkup) -> Int in
            markup.text.append(line[index])
            return index + 1
        }
        let start = index + 2
        guard start < line.endIndex, line[index + 1] == UInt8(ascii: "("),
            unclosed.contains(where: { $0.mark == .bracket }),
            Self.isHTTP(line, at: start) || line[start] == UInt8(ascii: "/")
        else { return plain(&self) }
        let end = Self.endOfTarget(line, from: start)
        guard end < line.endIndex, line[end] == UInt8(ascii: ")"),
            let address = Self.address(line[start..<end])
        else { return plain(&self) }
        flush()
        while let last = unclosed.popLast() {
            guard last.mark == .bracket else { continue }
            guard parts.count > last.part + 1 else {
                parts.append(.text("]"))
                return index + 1
            }
            // A link cannot contain another link.
            for part in last.part..<parts.count {
                switch parts[part] {
                case .openLink, .closeLink: parts[part] = .text("")
                default: break
                }
            }
            parts[last.part] = .openLink(address)
            parts.append(.closeLink)
            break
        }
        // Brackets around a link cannot become one.
        unclosed.removeAll { $0.mark == .bracket }
        return end + 1
    }

    private mutating func readMention(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let start = index + 1
        let isInWord = Self.scalar(before: index, in: line).map(Self.isSpacedLetter) ?? false
        guard !isInWord, let end = endOfName(line, from: start) else {
            text.append(line[index])
            return start
        }
        flush()
        parts.append(.mention(String(decoding: line[start..<end], as: UTF8.self)))
        return end
    }

    /// The end of the longest name that begins here, or nil. A name ends where a word does; text without spaces
    /// between words, such as Chinese, may follow directly.
    private func endOfName(_ line: ArraySlice<UInt8>, from start: Int) -> Int? {
        guard !names.isEmpty else { return nil }
        var longest = start
        while longest < line.endIndex, longest - start < Self.maximumName, Self.isName(line[longest]) {
            longest += 1
        }
        // A full stop usually ends a sentence, not a name.
        while longest > start, !Self.isWord(line[longest - 1]) {
            let isUnderscore = line[longest - 1] == UInt8(ascii: "_")
            guard !isUnderscore || isOpen(UInt8(ascii: "_")) else { break }
            longest -= 1
        }
        var end = longest
        while end > start {
            if end == longest || Self.mayEndName(line, at: end),
                names.contains(String(decoding: line[start..<end], as: UTF8.self).lowercased())
            {
                return end
            }
            end -= 1
        }
        return nil
    }

    private mutating func readEmoji(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let start = index + 1
        var end = start
        while end < line.endIndex, end - start < EmojiNames.maximumLength, line[end] != UInt8(ascii: ":") {
            end += 1
        }
        guard end < line.endIndex, line[end] == UInt8(ascii: ":"), end > start,
            let emoji = EmojiNames.emoji(named: String(decoding: line[start..<end], as: UTF8.self))
        else {
            text.append(line[index])
            return start
        }
        text += emoji.utf8
        return end + 1
    }

    /// A bare address, or a path on this server.
    private mutating func readAddress(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        let before = Self.scalar(before: index, in: line) ?? " "
        let isStart = !Self.isSpacedLetter(before) && before != "/" && before != "."
        guard isStart, Self.isHTTP(line, at: index) || Self.isOwnPath(line, at: index) else {
            text.append(line[index])
            return index + 1
        }
        let run = line[index..<WrittenAddress.endOfRun(line[index...])]
        let end = WrittenAddress.end(run) { isOpen($0) }
        guard let address = Self.address(line[index..<end]) else {
            text += line[index..<end]
            return end
        }
        flush()
        parts += [.openLink(address), .text(Self.shortened(address)), .closeLink]
        return end
    }
}

// MARK: Rules

extension MessageMarkup {
    /// The positions of a line's runs of backticks, by length.
    private struct CodeFences {
        private var starts: [Int: ArraySlice<Int>] = [:]

        init(_ line: ArraySlice<UInt8>) {
            var index = line.startIndex
            while index < line.endIndex {
                guard line[index] == UInt8(ascii: "`") else {
                    index += 1
                    continue
                }
                let end = MessageMarkup.endOfRun(line, at: index)
                starts[end - index, default: []].append(index)
                index = end
            }
        }

        /// The start of the next run of this length, or nil. Visits each run once.
        mutating func close(ofLength length: Int, after index: Int) -> Int? {
            while let start = starts[length]?.first {
                if start >= index { return start }
                starts[length]?.removeFirst()
            }
            return nil
        }
    }

    /// The marks that this many characters mean, or nil if they mean nothing.
    private static func marks(_ byte: UInt8, count: Int) -> [Mark]? {
        switch (byte, count) {
        case (UInt8(ascii: "*"), 1): [.asterisk]
        case (UInt8(ascii: "*"), 2): [.asterisks]
        case (UInt8(ascii: "*"), 3): [.asterisks, .asterisk]
        case (UInt8(ascii: "_"), 1): [.underscore]
        case (UInt8(ascii: "_"), 2): [.underscores]
        case (UInt8(ascii: "~"), 2): [.tildes]
        default: nil
        }
    }

    private static func typed(_ mark: Mark) -> String {
        switch mark {
        case .asterisk: "*"
        case .asterisks: "**"
        case .underscore: "_"
        case .underscores: "__"
        case .tildes: "~~"
        case .bracket: "["
        }
    }

    private static func endOfRun(_ line: ArraySlice<UInt8>, at index: Int) -> Int {
        var end = index
        while end < line.endIndex, line[end] == line[index] { end += 1 }
        return end
    }

    private static func isHTTP(_ line: ArraySlice<UInt8>, at index: Int) -> Bool {
        let rest = line[index...]
        guard let scheme = ["https://", "http://"].first(where: { rest.starts(with: $0.utf8) }) else {
            return false
        }
        let host = rest.dropFirst(scheme.utf8.count).first
        return host.map { isWord($0) || $0 == UInt8(ascii: "[") } ?? false
    }

    /// Pages that people share. Other text with a slash in front is not a path of Roost.
    private static let ownPaths = [
        "/coins/", "/repositories/", "/pulls/", "/watchlist?", "/reading/", "/gists/", "/chat/",
    ]

    private static func isOwnPath(_ line: ArraySlice<UInt8>, at index: Int) -> Bool {
        let rest = line[index...]
        return ownPaths.contains { path in
            rest.starts(with: path.utf8) && (rest.dropFirst(path.utf8.count).first.map(isWord) ?? false)
        }
    }

    /// Returns nil for an address that is too long or contains control or bidirectional formatting characters.
    private static func address(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.count <= maximumAddress, !bytes.starts(with: "//".utf8),
            !bytes.contains(UInt8(ascii: "\\"))
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.sanitized == text ? text : nil
    }

    private func isOpen(_ byte: UInt8) -> Bool {
        "*_~".utf8.contains(byte) && unclosed.contains { Self.typed($0.mark).utf8.first == byte }
    }

    /// The closing parenthesis of a link's address, or where the address ends without one. Parentheses within the
    /// address are in pairs.
    private static func endOfTarget(_ line: ArraySlice<UInt8>, from start: Int) -> Int {
        var (end, depth) = (start, 0)
        while end < line.endIndex, end - start <= maximumAddress, WrittenAddress.contains(line[end]) {
            if line[end] == UInt8(ascii: ")") {
                if depth == 0 { return end }
                depth -= 1
            } else if line[end] == UInt8(ascii: "(") {
                depth += 1
            } else if line[end] == UInt8(ascii: "[") || line[end] == UInt8(ascii: "]") {
                return end
            }
            end += 1
        }
        return end
    }

    /// Whether marks are plain text next to a byte: a single asterisk next to a letter or digit, as in "5*6*7" and
    /// "*args", and two next to a digit.
    private static func isTight(_ byte: UInt8, count: Int) -> (UInt8) -> Bool {
        guard byte == UInt8(ascii: "*") else { return { _ in false } }
        switch count {
        case 1: return { $0 < 0x80 && isWord($0) }
        case 2: return { (0x30...0x39).contains($0) }
        default: return { _ in false }
        }
    }

    private static func mayEndName(_ line: ArraySlice<UInt8>, at end: Int) -> Bool {
        guard isWord(line[end - 1]), line[end] & 0xC0 != 0x80, let last = scalar(before: end, in: line) else {
            return false
        }
        if line[end] == UInt8(ascii: "-") || line[end] == UInt8(ascii: ".") { return true }
        if SearchTokenizer.isUnspaced(last) { return true }
        guard line[end] >= 0x80, let next = scalar(at: end, in: line) else { return false }
        return !isSpacedLetter(next)
    }

    /// A letter or digit of a script with spaces between words.
    private static func isSpacedLetter(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else { return isWord(UInt8(scalar.value)) }
        return (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            && !SearchTokenizer.isUnspaced(scalar)
    }

    private static func scalar(before index: Int, in line: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var start = index - 1
        while start > line.startIndex, index - start < 4, line[start] & 0xC0 == 0x80 { start -= 1 }
        guard start >= line.startIndex else { return nil }
        return scalar(at: start, in: line[..<index])
    }

    private static func scalar(at index: Int, in line: ArraySlice<UInt8>) -> Unicode.Scalar? {
        String(decoding: line[index...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// Shortens a link's text: "github.com/apple/swift-nio/pull/…".
    package static func shortened(_ address: String) -> String {
        var short = address[...]
        for start in ["https://", "http://", "www."] where short.utf8.starts(with: start.utf8) {
            short = short.dropFirst(start.count)
        }
        if short.utf8.last == UInt8(ascii: "/"), short.utf8.count > 1 { short = short.dropLast() }
        return short.count > 60 ? "\(short.prefix(48))…\(short.suffix(8))" : String(short)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// A letter or digit; every byte beyond ASCII counts as a letter.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool { isWord(byte) || "-_.".utf8.contains(byte) }

    private static func isPunctuation(_ byte: UInt8) -> Bool { (33...126).contains(byte) && !isWord(byte) }
}
