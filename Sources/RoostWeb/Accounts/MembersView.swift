import RoostSupport

/// `/members`: everybody who has an account, for owners.
struct MembersView: PageView, Sendable {
    let layout: LayoutView
    let list: MembersListView
    let resetLink: SecretLinkView?
    let tabs: SettingsTabs

    /// - Parameter resetLink: the link that has just been made; it is shown this once
    init(layout: LayoutView, list: MembersListView, resetLink: SecretLinkView? = nil) {
        self.layout = layout
        self.list = list
        self.resetLink = resetLink
        tabs = SettingsTabs(.members, in: layout, isOwner: true)
    }

    var secretLink: SecretLinkView? { resetLink }
}

/// `/members/list`: the part of the page that is fetched again when the members change.
struct MembersListView: Sendable {
    let rows: [MemberRow]

    var members: [MemberRow] { rows }
    var memberCount: String { rows.count == 1 ? "1 member" : "\(rows.count) members" }
    var isAlone: Bool { rows.count == 1 }
}

/// What deleting an account deletes, and what stays.
struct AccountDataView: Sendable {
    /// Phrases, such as "Notes to coins, holdings and wallets".
    let deleted: [String]
    /// Sentences.
    let staying: [String]

    /// - Parameter data: of every feature, as `Services.userData` has it
    init(_ data: [UserData]) {
        deleted = data.filter(\.isDeleted).map(\.words)
        staying = data.filter { !$0.isDeleted }.map(\.words)
    }
}

/// `/members/sessions`: where everybody is signed in, for owners.
struct AllSessionsView: PageView, Sendable {
    let layout: LayoutView
    let rows: [SessionRow]
    let tabs: SettingsTabs

    /// - Parameter rows: with their persons, the last seen first
    init(layout: LayoutView, rows: [SessionRow]) {
        self.layout = layout
        self.rows = rows
        tabs = SettingsTabs(.sessions, in: layout, isOwner: true)
    }

    var sessions: [SessionRow] { rows }
}
