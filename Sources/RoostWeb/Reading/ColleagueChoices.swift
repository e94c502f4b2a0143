import RoostSupport

/// The others on this Roost, with whom something can be shared.
struct ColleagueChoices: Sendable {
    let choices: [SelectOption]

    init(_ people: [(id: UserID, name: String)], chosen: String? = nil) {
        choices = people.map {
            SelectOption(value: "\($0.id)", text: $0.name.sanitized, isChosen: chosen == "\($0.id)")
        }
    }

    var isAnybody: Bool { !choices.isEmpty }
}
