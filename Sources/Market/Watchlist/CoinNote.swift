/// What a user has written to a coin: the same on all of the user's lists.
package struct CoinNote: Equatable, Sendable {
    /// At most 2,000 characters, "" for none.
    package let note: String
    /// At most 64 characters in one line, "" for none.
    package let category: String

    /// Throws `RoostError.invalid` for the field that is too long.
    package init(note: String = "", category: String = "") throws {
        self.note = try OwnText.lines(note, field: "note", limit: 2_000)
        self.category = try OwnText.line(category, field: "category", limit: 64)
    }

    private init() { (note, category) = ("", "") }

    package static let none = CoinNote()

    package var isEmpty: Bool { self == .none }
}
