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
    var stepPurpose: String { purpose }
    var stepAddress: String { address }
    var isStepDone: Bool { isDone }
}

/// `/first-steps`: shown on the home page until they are done or hidden.
package struct FirstStepsView: Sendable {
    /// None where there is nothing left to do.
    let steps: [FirstStep]

    package static let none = FirstStepsView(steps: [])

    package static let sample = FirstStepsView(steps: [
        FirstStep(
            "Connect GitHub", "See the pull requests that wait for you.", at: "/settings/github",
            topic: "pulls", isDone: true),
        FirstStep(
            "Add coins", "See their prices here and on wall screens.", at: "/watchlist", topic: "watchlist",
            isDone: false),
    ])

    var isOpen: Bool { !steps.isEmpty }
    /// Of the region that shows them; nil for none.
    var topics: String? { steps.isEmpty ? nil : steps.map(\.topic).joined(separator: " ") }
}
