package import RoostServices

/// `/pulls/sections`: one's own sections, and how long a wait may be.
package struct PullSectionsView: PageView {
    package static let template = "pulls/sections"
    /// A year, as far as a wait is looked at.
    static let hours = 1...8_760

    /// The form that was refused, and what it is shown with again.
    package enum Refused: Sendable {
        case nothing
        case new(FormState)
        case own(Int64, FormState)
        case waits(FormState)
    }

    package let layout: LayoutView
    private let rows: [Part]
    private let newForm, waitsForm: Part

    package init(
        layout: LayoutView, sections: [OwnSection], choices: PullChoices, refused: Refused = .nothing
    ) {
        self.layout = layout
        rows = sections.enumerated().map { place, section in
            var form: FormState?
            if case .own(section.id, let state) = refused { form = state }
            return Part(
                OwnSectionRow(section, form, isFirst: place == 0, isLast: place == sections.count - 1))
        }
        var newState = FormState.empty
        if case .new(let state) = refused { newState = state }
        newForm = Part(FormView(Self.fields(newState, "new"), newState))
        var waits = FormState(typed: [
            "amberHours": "\(choices.amberHours)", "redHours": "\(choices.redHours)",
        ])
        if case .waits(let state) = refused { waits = state }
        waitsForm = Part(FormView(Self.waitFields(waits), waits))
    }

    package static let sample = PullSectionsView(
        layout: .sample,
        sections: [
            OwnSection(id: 1, name: "Bugs of ours", query: "org:roost label:bug is:open", order: 0),
            OwnSection(id: 2, name: "Releases", query: "repo:apple/swift-nio label:release", order: 1),
        ], choices: PullChoices())

    package func field(_ name: String) -> Any? {
        switch name {
        case "ownRows": rows
        case "hasOwn": !rows.isEmpty
        case "newSection": newForm
        case "waits": waitsForm
        default: layout.field(name)
        }
    }

    fileprivate static func fields(_ state: FormState, _ form: String) -> [FieldView] {
        var name = FieldView("name", "Name", in: state, form: form)
        name.placeholder = "Bugs"
        var query = FieldView("query", "Search", in: state, form: form)
        query.placeholder = "org:example label:bug is:open"
        query.limit = 256
        return [name, query]
    }

    private static func waitFields(_ state: FormState) -> [FieldView] {
        [("amberHours", "Hours until amber"), ("redHours", "Hours until red")].map { name, label in
            var field = FieldView(name, label, .number, in: state, form: "waits")
            field.range = hours
            return field
        }
    }
}

private struct OwnSectionRow: ViewFields {
    let section: OwnSection
    let isFirst, isLast: Bool
    private let form: Part

    init(_ section: OwnSection, _ refused: FormState?, isFirst: Bool, isLast: Bool) {
        self.section = section
        self.isFirst = isFirst
        self.isLast = isLast
        let state = refused ?? FormState(typed: ["name": section.name, "query": section.query])
        form = Part(FormView(PullSectionsView.fields(state, "own-\(section.id)"), state))
    }

    func field(_ name: String) -> Any? {
        switch name {
        case "ownId": section.id
        case "ownName": section.name
        case "ownForm": form
        case "isFirst": isFirst
        case "isLast": isLast
        default: nil
        }
    }
}
