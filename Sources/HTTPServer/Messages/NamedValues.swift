/// Decoded names and values in the order sent: what a query, an urlencoded form and a cookie header have in
/// common.
struct NamedValues: Sendable {
    var pairs: [(name: String, value: String)] = []

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Reads `a=1&b=2`, with `+` for a space; nil if an escape is broken or a text is no UTF-8.
    init?(urlencoded bytes: some Collection<UInt8>) {
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = field.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(halves[0], plusIsSpace: true),
                let value = halves.count < 2 ? "" : PercentCoding.decode(halves[1], plusIsSpace: true)
            else { return nil }
            pairs.append((name, value))
        }
    }

    init() {}
}
