package import RoostSupport

/// The others on this Roost, with whom something can be shared.
package struct ColleagueChoices: Sendable {
    let choices: [SelectOption]

    package init(_ people: [(id: UserID, name: String)], chosen: String? = nil) {
        choices = people.map {
            SelectOption(value: "\($0.id)", text: $0.name.sanitized, isChosen: chosen == "\($0.id)")
        }
    }

    package static let sample = ColleagueChoices([(2, "Grace Hopper"), (3, "Kurt <b>")])

    var isAnybody: Bool { !choices.isEmpty }
}
