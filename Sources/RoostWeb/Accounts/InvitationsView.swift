/// `/members/invitations`: the links by which others can join, for owners.
struct InvitationsView: PageView, Sendable {
    /// What the form offers.
    static let choicesOfDays = [1, 7, 30]

    let layout: LayoutView
    let list: InvitationsListView
    let newLink: SecretLinkView?
    let form: FormState
    let tabs: SettingsTabs
    let invitationForm: FormView
    let dayChoices: [SelectOption]

    /// - Parameters:
    ///   - newLink: the link that has just been made, with its QR code
    ///   - form: fields note, days (of `choicesOfDays`), uses
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
        note.hint = "For you, to tell the links apart."
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

    var secretLink: SecretLinkView? { newLink }
}

/// `/members/invitations/list`: the part of the page that is fetched again when somebody has joined.
struct InvitationsListView: Sendable {
    /// Those that are open first, then the newest first.
    let rows: [InvitationRow]

    var invitations: [InvitationRow] { rows }
    var hasInvitations: Bool { !rows.isEmpty }
}

/// `/members/invitations/ID`: one link, large, to be scanned from another device.
struct InvitationView: PageView, Sendable {
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

    var secretLink: SecretLinkView { link }
}
