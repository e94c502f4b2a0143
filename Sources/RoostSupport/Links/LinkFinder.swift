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
    /// Punctuation at the end, of any script, and a closing bracket opened before the address are excluded. The time is
    /// linear in the text's length: whatever an address may be part of is visited once.
    package static func matches(in text: String) -> [Match] {
        // Compare bytes, because a combining accent would change the character.
        let bytes = Array(text.utf8)
        var matches: [Match] = []
        var (index, runEnd) = (0, 0)
        // Marks of emphasis that may be open, as in "_see https://…_".
        var openMarks: Set<UInt8> = []
        while index < bytes.count {
            let byte = bytes[index]
            let previous = index > 0 ? bytes[index - 1] : nil
            if byte == UInt8(ascii: "\n") {
                openMarks = []
            } else if "*_~".utf8.contains(byte), previous.map({ !isLetter($0) && !isDigit($0) }) ?? true {
                openMarks.insert(byte)
            }
            guard let isPath = beginning(bytes[index...], after: previous) else {
                index += 1
                continue
            }
            // The same for all addresses that may begin in it.
            if runEnd <= index { runEnd = WrittenAddress.endOfRun(bytes[index...]) }
            guard runEnd - index <= WebLink.maximumLength else {
                index = runEnd
                continue
            }
            guard let address = address(bytes[index..<runEnd], isPath: isPath, openMarks) else {
                index += 1
                continue
            }
            let end = index + address.utf8.count
            matches.append(Match(range: range(index..<end, in: text), address: address, isPath: isPath))
            index = end
        }
        return matches
    }

    /// Returns nil if no address begins here, otherwise true for a path without a host.
    private static func beginning(_ rest: ArraySlice<UInt8>, after previous: UInt8?) -> Bool? {
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

    /// Returns nil if the host is invalid, after looking only at the host: another address may begin behind it.
    private static func address(
        _ run: ArraySlice<UInt8>, isPath: Bool, _ openMarks: Set<UInt8>
    ) -> String? {
        if !isPath, let host = run.firstIndex(of: UInt8(ascii: ":")).map({ $0 + "://".utf8.count }),
            let hostEnd = run[host...].firstIndex(where: { "/?#".utf8.contains($0) }),
            WebLink(String(decoding: run[..<hostEnd], as: UTF8.self)) == nil
        {
            return nil
        }
        let end = WrittenAddress.end(run, isOpen: openMarks.contains)
        let address = String(decoding: run[..<end], as: UTF8.self)
        guard let link = WebLink(address), isPath || link.host != nil else { return nil }
        return address
    }

    private static func range(_ bytes: Range<Int>, in text: String) -> Range<String.Index> {
        let start = text.utf8.index(text.startIndex, offsetBy: bytes.lowerBound)
        return start..<text.utf8.index(start, offsetBy: bytes.count)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
