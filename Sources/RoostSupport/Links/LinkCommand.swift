/// A word with which people name a thing instead of giving its address: "/price bitcoin".
package struct LinkCommand: Sendable {
    /// Letters in lower case, without the slash: "price".
    package let name: String
    /// What stands behind it, for a list of all commands: "bitcoin".
    package let example: String
    /// One sentence for that list.
    package let words: String
    /// The text with the link that says the same. Throws `RoostError.invalid(field: "text")` in words for what names
    /// nothing.
    package let text: @Sendable (_ argument: String, _ user: UserID) async throws -> String

    package init(
        name: String, example: String, words: String,
        text: @escaping @Sendable (_ argument: String, _ user: UserID) async throws -> String
    ) {
        self.name = name
        self.example = example
        self.words = words
        self.text = text
    }
}
