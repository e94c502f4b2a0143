import RoostWeb

struct InvitationsView: PageView, Sendable {
    static let scripts = ["accounts"]

    static let choicesOfDays = [1, 7, 30]

    let layout: LayoutView
    let list: InvitationsListView
    let newLink: SecretLinkView?
    let form: FormState
    let tabs: SettingsTabs
    let invitationForm: FormView
    let dayChoices: [SelectOption]

    /// - Parameter form: fields note, days (of `choicesOfDays`), uses
    init(
        layout: LayoutView, list: InvitationsListView, newLink: SecretLinkView? = nil,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.list = list
        self.newLink = newLink
        self.form = form
        tabs = SettingsTabs(.invitations, in: layout, isOwner: true)
        var note = FieldView("note", "Note", in: form)
        note.placeholder = "The new neighbours"
        note.hint = "Helps you tell your links apart."
        note.isRequired = false
        note.autocomplete = "off"
        var filled = form
        filled.typed["uses"] = form.typed["uses"] ?? "1"
        var uses = FieldView("uses", "How many people", .number, in: filled)
        uses.range = 1...100
        invitationForm = FormView([note, uses], filled)
        let chosen = form.typed["days"].flatMap(Int.init) ?? 7
        dayChoices = Self.choicesOfDays.map {
            SelectOption(value: "\($0)", text: $0 == 1 ? "1 day" : "\($0) days", isChosen: $0 == chosen)
        }
    }
}

/// `/members/invitations/list`: the list, fetched again when someone has joined.
struct InvitationsListView: Sendable {
    /// Open links first, then the newest first.
    let rows: [InvitationRow]

    var hasInvitations: Bool { !rows.isEmpty }
}

/// `/members/invitations/ID`: one link with a large code to scan from another device.
struct InvitationView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let link: SecretLinkView
    let invitation: InvitationRow
    let tabs: SettingsTabs

    init(layout: LayoutView, link: SecretLinkView, invitation: InvitationRow) {
        self.layout = layout
        self.link = link
        self.invitation = invitation
        tabs = SettingsTabs(.invitations, in: layout, isOwner: true)
    }
}
