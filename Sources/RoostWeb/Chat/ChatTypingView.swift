/// `/chat/{id}/typing`: who is writing just now.
struct ChatTypingView: Sendable {
    private let people: [(id: Int64, name: String)]

    init(_ people: [(id: Int64, name: String)]) {
        self.people = people
    }

    var userIds: String { people.map { "\($0.id)" }.joined(separator: " ") }

    /// Nil while no one types.
    var words: String? {
        guard !people.isEmpty else { return nil }
        return NameList.text(people.map(\.name), limit: 4)
            + (people.count == 1 ? " is typing…" : " are typing…")
    }
}
