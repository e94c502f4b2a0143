/// A request's header fields in the order sent. Names are case-insensitive.
public struct Headers: Sendable {
    /// Name, NUL, value, NUL, and so on. No field can contain a NUL, and a single array needs only one allocation.
    private var storage: [UInt8] = []
    /// True if a name contained white space, such as "Name ". Such a request must be refused (RFC 9112 section 5.1),
    /// because others may read it as "Name".
    private(set) var hasSpacedName = false
    /// True if a field continued on a second line (RFC 9112 section 5.2), which programs read differently.
    private(set) var hasFoldedField = false

    /// Makes header fields for tests of handlers.
    public init(_ pairs: [(String, String)] = []) {
        for (name, value) in pairs { append(name.utf8, value.utf8) }
    }

    init(reservingCapacity capacity: Int) { storage.reserveCapacity(capacity) }

    mutating func append(
        _ name: some Collection<UInt8>, _ value: some Collection<UInt8>, isFolded: Bool = false
    ) {
        if isFolded { hasFoldedField = true }
        if name.contains(where: { $0 == 0x20 || $0 == 0x09 }) { hasSpacedName = true }
        storage.append(contentsOf: name)
        storage.append(0)
        storage.append(contentsOf: value)
        storage.append(0)
    }

    /// The first value of this name.
    public subscript(name: String) -> String? {
        var found: String?
        forEachMatch(name) {
            found = $0
            return false
        }
        return found
    }

    /// Returns all values of this name in order.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        forEachMatch(name) {
            values.append($0)
            return true
        }
        return values
    }

    /// Names for repeated lookups. Their first letters rule out most fields.
    package struct Names: Sendable {
        fileprivate let all: [String]
        /// Bit n is set if a name begins with the nth letter.
        fileprivate let initials: UInt32

        package init(_ names: [String]) {
            all = names
            initials = names.reduce(0) { $0 | Headers.bit(of: $1.utf8.first ?? 0) }
        }
    }

    var count: Int { storage.count { $0 == 0 } / 2 }

    /// Returns true if there is a field with any of these names, in one pass.
    package func hasAny(of names: Names) -> Bool {
        var isFound = false
        forEach { field, _ in
            guard let first = field.first, names.initials & Self.bit(of: first) != 0 else { return true }
            isFound = names.all.contains { Self.sameName(field, $0) }
            return !isFound
        }
        return isFound
    }

    /// All fields in order.
    public var pairs: [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        forEach { name, value in
            result.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return true
        }
        return result
    }

    private func forEachMatch(_ name: String, _ body: (String) -> Bool) {
        forEach { field, value in
            guard Self.sameName(field, name) else { return true }
            return body(String(decoding: value, as: UTF8.self))
        }
    }

    private func forEach(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
        var start = 0
        while start < storage.count {
            guard let nameEnd = storage[start...].firstIndex(of: 0),
                let valueEnd = storage[(nameEnd + 1)...].firstIndex(of: 0)
            else { return }
            guard body(storage[start..<nameEnd], storage[(nameEnd + 1)..<valueEnd]) else { return }
            start = valueEnd + 1
        }
    }

    private static func sameName(_ field: ArraySlice<UInt8>, _ name: String) -> Bool {
        let nameBytes = name.utf8
        guard field.count == nameBytes.count else { return false }
        for (left, right) in zip(field, nameBytes) where lower(left) != lower(right) { return false }
        return true
    }

    private static func bit(of byte: UInt8) -> UInt32 { 1 << UInt32(byte & 31) }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

/// Entity tags and `If-None-Match` (RFC 9110 sections 8.8.3 and 13.1.2).
enum EntityTag {
    static func matches(_ header: String, _ tag: String) -> Bool {
        let opaqueTag = opaque(tag[...].utf8).dropFirst().dropLast()
        var rest = header[...].utf8
        while true {
            rest = rest.drop { " \t,".utf8.contains($0) }
            guard let first = rest.first else { return false }
            if first == UInt8(ascii: "*") { return true }
            var body = opaque(rest)
            guard body.popFirst() == quote, let end = body.firstIndex(of: quote) else { return false }
            if opaqueTag.elementsEqual(body[..<end]) { return true }
            rest = body[end...].dropFirst()
        }
    }

    /// The tag of a compressed variant, whose bytes differ and so must not have the same strong tag.
    static func weak(_ tag: String) -> String { tag.utf8.starts(with: "W/".utf8) ? tag : "W/" + tag }

    private static let quote = UInt8(ascii: "\"")

    private static func opaque(_ tag: Substring.UTF8View) -> Substring.UTF8View {
        tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag
    }
}
