/// What a form sent: text fields and files, in the order sent.
package struct Form: Sendable {
    var fields = NamedValues()
    package var files: [FormFile] = []

    /// The first text field of this name.
    package subscript(name: String) -> String? { fields[name] }

    /// Every text field of this name, in the order sent.
    package func all(_ name: String) -> [String] { fields.all(name) }

    /// All text fields, in the order sent.
    package var pairs: [(name: String, value: String)] { fields.pairs }
}
