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
