/// `/members/invitations`: the links by which others can join, for owners.
package struct InvitationsView: PageView {
    package static let template = "accounts/invitations"
    /// What the form offers.
    package static let choicesOfDays = [1, 7, 30]

    package let layout: LayoutView
    package let list: InvitationsListView
    package let newLink: SecretLinkView?
    package let form: FormState
    private let tabs, formPart: Part
    private let linkPart: Part?
    private let days: [Part]

    /// - Parameters:
    ///   - newLink: the link that has just been made, with its QR code
    ///   - form: fields note, days (of `choicesOfDays`), uses
    package init(
        layout: LayoutView, list: InvitationsListView, newLink: SecretLinkView? = nil,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.list = list
        self.newLink = newLink
        self.form = form
        tabs = Part(SettingsTabs(current: .invitations, isOwner: true))
        linkPart = newLink.map(Part.init)
        var note = FieldView("note", "Note", in: form)
        note.placeholder = "The new neighbours"
        note.hint = "For you, to tell the links apart."
        note.isRequired = false
        note.autocomplete = "off"
        var filled = form
        filled.typed["uses"] = form.typed["uses"] ?? "1"
        var uses = FieldView("uses", "How many people", .number, in: filled)
        uses.range = 1...100
        formPart = Part(FormView([note, uses], filled))
        let chosen = form.typed["days"].flatMap(Int.init) ?? 7
        days = Self.choicesOfDays.map {
            Part(Choice(value: "\($0)", text: $0 == 1 ? "1 day" : "\($0) days", isChosen: $0 == chosen))
        }
    }

    package static let sample = InvitationsView(
        layout: .settingsSample, list: .sample, newLink: .invitationSample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "secretLink": linkPart
        case "invitationForm": formPart
        case "dayChoices": days
        default: list.field(name) ?? layout.field(name)
        }
    }
}

/// `/members/invitations/list`: the part of the page that is fetched again when somebody has joined.
package struct InvitationsListView: TemplateView {
    package static let template = "accounts/invitations-list"

    package let rows: [InvitationRow]
    package let formToken: String?
    private let rowParts: [Part]

    /// - Parameters:
    ///   - rows: those that are open first, then the newest first
    ///   - formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(rows: [InvitationRow], formToken: String?) {
        self.rows = rows
        self.formToken = formToken
        rowParts = rows.map(Part.init)
    }

    package static let sample = InvitationsListView(rows: InvitationRow.samples, formToken: "sample-token")

    package func field(_ name: String) -> Any? {
        switch name {
        case "invitations": rowParts
        case "hasInvitations": !rows.isEmpty
        case "formToken": formToken
        default: nil
        }
    }
}
