/// Looks for tags with so many attributes that libxml2 2.9 would not come to their end: it compares each with
/// all before it, so that a single tag of 2 MB would take it minutes.
///
/// Every place where libxml2 could see a tag begin is looked at by itself, for what is a comment or a script
/// to one reader is none to another. The attributes are read as libxml2's `htmlParseStartTag` does.
struct TagScan {
    /// How often a byte is looked at on average before a document counts as made to be tangled: tags within
    /// tags.
    private static let maximumLookups = 8

    /// How many comparisons of attributes libxml2 may make altogether.
    private static let maximumComparisons = 400_000_000

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Makes it so that no tag has more attributes than this. In a script a comparison may look like such a tag:
    /// there a blank takes the place of its `<`. False where there is one elsewhere, and where it would take too long to
    /// know.
    static func tame(_ bytes: inout [UInt8], maximumAttributes: Int) -> Bool {
        var inScripts: [Int] = []
        let isTame = bytes.withUnsafeBufferPointer {
            tame($0, maximumAttributes: maximumAttributes, inScripts: &inScripts)
        }
        for place in inScripts { bytes[place] = 0x20 }
        return isTame
    }

    private static func tame(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumAttributes: Int, inScripts: inout [Int]
    ) -> Bool {
        var scan = TagScan(bytes)
        var looks = bytes.count * maximumLookups
        var comparisons = maximumComparisons
        var isInScript = false
        for start in bytes.indices.dropLast() where bytes[start] == UInt8(ascii: "<") {
            if bytes[start + 1] == UInt8(ascii: "/") {
                if scan.isScript(at: start + 2) { isInScript = false }
                continue
            }
            guard isNameStart(bytes[start + 1]) else { continue }
            scan.place = start + 1
            let count = scan.attributes(upTo: maximumAttributes)
            looks -= scan.place - start
            guard looks >= 0 else { return false }
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

    private func isScript(at place: Int) -> Bool {
        let name: StaticString = "script"
        guard place + name.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<name.utf8CodeUnitCount).allSatisfy { bytes[place + $0] | 0x20 == name.utf8Start[$0] }
    }

    /// How many attributes the tag at this place has; beyond `maximum` it does not matter how many more.
    private mutating func attributes(upTo maximum: Int) -> Int {
        var count = 0
        skipName()
        while count <= maximum {
            skip(while: Self.isBlank)
            guard let byte = now, !isTagEnd(byte) else { return count }
            guard Self.isNameStart(byte) else {
                repeat { place += 1 } while now.map { !Self.isBlank($0) && !isTagEnd($0) } ?? false
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
        place += 1
        skip(while: Self.isBlank)
        guard let quote = now, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            skip { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
            return
        }
        place += 1
        skip { $0 != quote }
        place += 1
    }

    /// libxml2 takes a name of more than a hundred signs for several.
    private mutating func skipName() {
        let end = min(place + 100, bytes.count)
        while place < end, Self.isName(bytes[place]) { place += 1 }
    }

    private mutating func skip(while isPassed: (UInt8) -> Bool) {
        while place < bytes.count, isPassed(bytes[place]) { place += 1 }
    }

    private var now: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// At `>` or `/>`.
    private func isTagEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "/") && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: ">")
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
