/// The decoded query of a request's address: `?q=dogwifhat&topic=a&topic=b`.
///
/// A query that cannot be decoded never reaches a handler: the server answers 400 itself.
package struct Query: Sendable {
    private let values: NamedValues

    init() { values = NamedValues() }

    /// Throws `RequestError.malformed` if an escape is broken or the text is no UTF-8.
    package init(parsing text: some StringProtocol) throws {
        guard let values = NamedValues(urlencoded: Array(text.utf8)) else {
            throw RequestError.malformed("The query of the address is not properly encoded.")
        }
        self.values = values
    }

    /// The first value of this name.
    package subscript(name: String) -> String? { values[name] }

    /// Every value of this name, in the order sent.
    package func all(_ name: String) -> [String] { values.all(name) }

    /// All names and values, in the order sent.
    package var pairs: [(name: String, value: String)] { values.pairs }
}
