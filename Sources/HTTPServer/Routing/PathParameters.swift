/// The decoded parameters of a path: `coinId` of `/watchlist/{coinId}`.
package struct PathParameters: Sendable {
    private var pairs: [(name: String, value: String)]

    package init(_ pairs: [(String, String)] = []) {
        self.pairs = pairs.map { (name: $0.0, value: $0.1) }
    }

    /// "" if the route has no parameter of this name.
    package subscript(name: String) -> String { pairs.first { $0.name == name }?.value ?? "" }

    mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }
}
