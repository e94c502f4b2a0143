/// `/first-steps`: shown on the home page until they are done or hidden.
struct FirstStepsView: Sendable {
    /// None where there is nothing left to do.
    let steps: [FirstStep]

    static let none = FirstStepsView(steps: [])

    var isOpen: Bool { !steps.isEmpty }
    /// Of the region that shows them; nil for none.
    var topics: String? { steps.isEmpty ? nil : steps.map(\.topic).joined(separator: " ") }
}
