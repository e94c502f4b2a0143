/// Detects tags with so many attributes that libxml2 2.9 would take minutes: it compares each attribute with all before
/// it.
///
/// Checks every position where libxml2 could see a tag, also in comments and scripts, because parsers disagree about
/// where those end. Reads attributes like libxml2's `htmlParseStartTag`.
struct TagScan {
    /// The average number of times that a byte may be read (tags within tags) before the document is refused.
    private static let maximumLookups = 8

    /// The number of attribute comparisons allowed for the whole document.
    private static let maximumComparisons = 400_000_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Ensures that no tag has more attributes than the maximum. A comparison in a script may look like such a tag; its
    /// `<` is replaced with a space. Returns false if there is one elsewhere, or if checking would take too long.
    static func enforceLimit(in bytes: inout [UInt8], maximumAttributes: Int) -> Bool {
        var inScripts: [Int] = []
        let isWithinLimit = bytes.withUnsafeBufferPointer {
            check($0, maximumAttributes: maximumAttributes, inScripts: &inScripts)
        }
        for index in inScripts { bytes[index] = 0x20 }
        return isWithinLimit
    }

    private static func check(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumAttributes: Int, inScripts: inout [Int]
    ) -> Bool {
        var scan = TagScan(bytes)
        var remainingLookups = bytes.count * maximumLookups
        var comparisons = maximumComparisons
        var isInScript = false
        for start in bytes.indices.dropLast() where bytes[start] == UInt8(ascii: "<") {
            if bytes[start + 1] == UInt8(ascii: "/") {
                if scan.isScript(at: start + 2) { isInScript = false }
                continue
            }
            guard isNameStart(bytes[start + 1]) else { continue }
            scan.index = start + 1
            let count = scan.attributes(upTo: maximumAttributes)
            remainingLookups -= scan.index - start
            guard remainingLookups >= 0 else { return false }
            if count > maximumAttributes {
                guard isInScript else { return false }
                inScripts.append(start)
                continue
            }
            comparisons -= count * count / 2
            guard comparisons >= 0 else { return false }
            if scan.isScript(at: start + 1) { isInScript = true }
        }
        return true
    }

    private func isScript(at index: Int) -> Bool {
        let name: StaticString = "script"
        guard index + name.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<name.utf8CodeUnitCount).allSatisfy { bytes[index + $0] | 0x20 == name.utf8Start[$0] }
    }

    /// Returns the number of attributes of the tag, counting only up to `maximum + 1`.
    private mutating func attributes(upTo maximum: Int) -> Int {
        var count = 0
        skipName()
        while count <= maximum {
            skip(while: Self.isBlank)
            guard let byte = now, !isTagEnd(byte) else { return count }
            guard Self.isNameStart(byte) else {
                repeat { index += 1 } while now.map { !Self.isBlank($0) && !isTagEnd($0) } ?? false
                continue
            }
            count += 1
            skipName()
            skip(while: Self.isBlank)
            if now == UInt8(ascii: "=") { skipValue() }
        }
        return count
    }

    private mutating func skipValue() {
        index += 1
        skip(while: Self.isBlank)
        guard let quote = now, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            skip { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
            return
        }
        index += 1
        skip { $0 != quote }
        index += 1
    }

    /// libxml2 splits names after a hundred characters.
    private mutating func skipName() {
        let end = min(index + 100, bytes.count)
        while index < end, Self.isName(bytes[index]) { index += 1 }
    }

    private mutating func skip(while isPassed: (UInt8) -> Bool) {
        while index < bytes.count, isPassed(bytes[index]) { index += 1 }
    }

    private var now: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func isTagEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "/") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isName(_ byte: UInt8) -> Bool {
        isNameStart(byte) || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
