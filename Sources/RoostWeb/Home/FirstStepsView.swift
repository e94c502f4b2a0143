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
