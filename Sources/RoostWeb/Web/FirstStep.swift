/// What a new user does first, ticked when it is done.
struct FirstStep: Sendable {
    let name, purpose, address: String
    /// The topic that says that it may have been done, as pages name it.
    let topic: String
    let isDone: Bool

    /// - Parameter address: where it is done
    init(_ name: String, _ purpose: String, at address: String, topic: String, isDone: Bool) {
        self.name = name
        self.purpose = purpose
        self.address = address
        self.topic = topic
        self.isDone = isDone
    }

    var stepName: String { self.name }
}
