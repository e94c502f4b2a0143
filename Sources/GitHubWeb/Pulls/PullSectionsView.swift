import GitHub
import RoostWeb

/// `/pulls/sections`: the user's own sections, the waiting times that count as long, and further bots.
struct PullSectionsView: PageView, Sendable {
    static let scripts = ["accounts"]

    /// Up to a year.
    static let hours = 1...8_760

    enum Refused: Sendable {
        case nothing
        case new(FormState)
        case own(Int64, FormState)
        case waits(FormState)
        case bots(FormState)
    }

    let layout: LayoutView
    let ownRows: [OwnSectionRow]
    let newSection: FormView
    let waits: FormView
    let bots: FormView
    let isOnWalls: Bool

    init(
        layout: LayoutView, sections: [OwnSection], choices: PullPreferences, refused: Refused = .nothing
    ) {
        self.layout = layout
        ownRows = sections.enumerated().map { index, section in
            var form: FormState?
            if case .own(section.id, let state) = refused { form = state }
            return OwnSectionRow(section, form, isFirst: index == 0, isLast: index == sections.count - 1)
        }
        var newState = FormState.empty
        if case .new(let state) = refused { newState = state }
        newSection = FormView(Self.fields(newState, "new"), newState)
        var waitState = FormState(typed: [
            "amberHours": "\(choices.amberHours)", "redHours": "\(choices.redHours)",
        ])
        if case .waits(let state) = refused { waitState = state }
        waits = FormView(Self.waitFields(waitState), waitState)
        var botState = FormState(typed: ["botLogins": choices.botLogins.joined(separator: " ")])
        if case .bots(let state) = refused { botState = state }
        bots = FormView([Self.botField(botState)], botState)
        isOnWalls = choices.isOnWalls
    }

    var hasOwn: Bool { !ownRows.isEmpty }

    fileprivate static func fields(_ state: FormState, _ form: String) -> [FieldView] {
        var name = FieldView("name", "Name", in: state, form: form)
        name.placeholder = "Bugs"
        var query = FieldView("query", "Search", in: state, form: form)
        query.placeholder = "org:example label:bug is:open"
        query.limit = 256
        return [name, query]
    }

    private static func botField(_ state: FormState) -> FieldView {
        var field = FieldView("botLogins", "More bots", in: state, form: "bots")
        field.placeholder = "labs-automation release-manager"
        field.hint = "Logins, separated by spaces."
        field.isRequired = false
        field.limit = 1_000
        return field
    }

    private static func waitFields(_ state: FormState) -> [FieldView] {
        [("amberHours", "Hours until amber"), ("redHours", "Hours until red")].map { name, label in
            var field = FieldView(name, label, .number, in: state, form: "waits")
            field.range = hours
            return field
        }
    }
}

struct OwnSectionRow {
    let section: OwnSection
    let isFirst, isLast: Bool
    let ownForm: FormView

    init(_ section: OwnSection, _ refused: FormState?, isFirst: Bool, isLast: Bool) {
        self.section = section
        self.isFirst = isFirst
        self.isLast = isLast
        let state = refused ?? FormState(typed: ["name": section.name, "query": section.query])
        ownForm = FormView(PullSectionsView.fields(state, "own-\(section.id)"), state)
    }
}
