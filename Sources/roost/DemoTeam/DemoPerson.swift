/// Somebody of the demo's team.
struct DemoPerson: Sendable {
    /// How somebody treats what others write: between them every status of a message can be seen.
    enum Attention: Sendable {
        /// Reads at once and answers.
        case reads
        /// Has it delivered, and reads and answers only after a while.
        case readsLate
        /// Has Roost closed: what one writes stays sent.
        case isAway
    }

    let username: String
    let name: String
    let attention: Attention

    /// The person who opens the demo.
    static let visitor = DemoPerson(
        username: "ada", name: "Ada Lovelace", attention: .isAway)

    /// The simulated ones.
    static let colleagues = [
        DemoPerson(username: "grace", name: "Grace Hopper", attention: .reads),
        DemoPerson(username: "alan", name: "Alan Turing", attention: .reads),
        DemoPerson(username: "barbara", name: "Barbara Liskov", attention: .reads),
        DemoPerson(username: "margaret", name: "Margaret Hamilton", attention: .readsLate),
        DemoPerson(username: "katherine", name: "Katherine Johnson", attention: .isAway),
    ]
}
