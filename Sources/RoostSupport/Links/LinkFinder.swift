import TextFormats

package enum LinkFinder {
    package struct Match: Equatable, Sendable {
        package let range: Range<String.Index>
        package let address: String
        /// True if it has no host, such as "/watchlist?q=bitcoin".
        package let isPath: Bool
    }

    /// Returns the HTTP addresses and the stand-alone paths in order.
    ///
    /// Punctuation at the end, of any script, and a closing bracket opened before the address are excluded.
    package static func matches(in text: String) -> [Match] {
        // Compare bytes, because a combining accent would change the character.
        let bytes = text.utf8
        var matches: [Match] = []
        var index = bytes.startIndex
        var previous: UInt8?
        // Marks of emphasis that may be open, as in "_see https://…_".
        var openMarks: Set<UInt8> = []
        while index < bytes.endIndex {
            let byte = bytes[index]
            defer { previous = byte }
            if byte == UInt8(ascii: "\n") {
                openMarks = []
            } else if "*_~".utf8.contains(byte), previous.map({ !isLetter($0) && !isDigit($0) }) ?? true {
                openMarks.insert(byte)
            }
            guard let isPath = beginning(bytes[index...], after: previous) else {
                bytes.formIndex(after: &index)
                continue
            }
            let run = run(from: bytes[index...])
            guard run.count <= WebLink.maximumLength else {
                // Skip all of it, because scanning each suffix would take quadratic time.
                index = run.endIndex
                continue
            }
            let end = end(of: run, openMarks)
            let address = String(text[index..<end])
            if let link = WebLink(address), isPath || link.host != nil {
                matches.append(Match(range: index..<end, address: address, isPath: isPath))
                index = end
            } else {
                bytes.formIndex(after: &index)
            }
        }
        return matches
    }

    /// Returns nil if no address begins here, otherwise true for a path without a host.
    private static func beginning(_ rest: Substring.UTF8View, after previous: UInt8?) -> Bool? {
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "/") {
            let isApart = previous.map { $0 <= 0x20 || "([<\"'*_~|".utf8.contains($0) } ?? true
            guard isApart, let second = rest.dropFirst().first, isLetter(second) else { return nil }
            return true
        }
        guard first | 0x20 == UInt8(ascii: "h"), previous.map({ !isLetter($0) && !isDigit($0) }) ?? true
        else {
            return nil
        }
        let start = rest.prefix("https://".utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return start.starts(with: "https://".utf8) || start.starts(with: "http://".utf8) ? false : nil
    }

    private static func run(from rest: Substring.UTF8View) -> Substring.UTF8View {
        let run = rest.prefix { $0 > 0x20 && $0 != 0x7F && !"<>\"`|\\^{}".utf8.contains($0) }
        let end = run.indices.first { run[$0] >= 0xE0 && run[$0...].beginsWithWidePunctuation }
        return end.map { run[..<$0] } ?? run
    }

    private static func end(of run: Substring.UTF8View, _ openMarks: Set<UInt8>) -> String.Index {
        // Closing brackets without an opening one. Counted only once, because there may be thousands.
        var (round, square) = (0, 0)
        for byte in run {
            switch byte {
            case UInt8(ascii: "("): round -= 1
            case UInt8(ascii: ")"): round += 1
            case UInt8(ascii: "["): square -= 1
            case UInt8(ascii: "]"): square += 1
            default: continue
            }
        }
        var address = run
        while let last = address.last {
            switch last {
            case _ where ".,;:!?'".utf8.contains(last) || openMarks.contains(last): break
            case 0x80...:
                guard let scalar = Substring(address).unicodeScalars.last, scalar.isSentencePunctuation else {
                    return address.endIndex
                }
                address = address.dropLast(scalar.utf8.count - 1)
            case UInt8(ascii: ")") where round > 0: round -= 1
            case UInt8(ascii: "]") where square > 0: square -= 1
            default: return address.endIndex
            }
            address = address.dropLast()
        }
        return address.endIndex
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
