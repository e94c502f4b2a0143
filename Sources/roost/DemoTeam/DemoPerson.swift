struct DemoPerson: Sendable {
    /// How a person reacts to messages. Together they show every message status.
    enum Attention: Sendable {
        /// Reads and answers immediately.
        case reads
        /// Receives messages immediately, but reads and answers later.
        case readsLate
        /// Has Roost closed, so messages stay "sent".
        case offline
    }

    let username: String
    let name: String
    let attention: Attention

    static let visitor = DemoPerson(
        username: "ada", name: "Ada Lovelace", attention: .offline)

    static let colleagues = [
        DemoPerson(username: "grace", name: "Grace Hopper", attention: .reads),
        DemoPerson(username: "alan", name: "Alan Turing", attention: .reads),
        DemoPerson(username: "barbara", name: "Barbara Liskov", attention: .reads),
        DemoPerson(username: "margaret", name: "Margaret Hamilton", attention: .readsLate),
        DemoPerson(username: "katherine", name: "Katherine Johnson", attention: .offline),
    ]
}
