/// `/members`: everybody who has an account, for owners.
package struct MembersView: PageView, Sendable {
    package let layout: LayoutView
    package let list: MembersListView
    package let resetLink: SecretLinkView?
    let tabs: SettingsTabs

    /// - Parameter resetLink: the link that has just been made; it is shown this once
    package init(layout: LayoutView, list: MembersListView, resetLink: SecretLinkView? = nil) {
        self.layout = layout
        self.list = list
        self.resetLink = resetLink
        tabs = SettingsTabs(.members, in: layout, isOwner: true)
    }

    package static let sample = MembersView(layout: .settingsSample, list: .sample, resetLink: .resetSample)

    var secretLink: SecretLinkView? { resetLink }
}

/// `/members/list`: the part of the page that is fetched again when the members change.
package struct MembersListView: Sendable {
    package let rows: [MemberRow]

    package init(rows: [MemberRow]) {
        self.rows = rows
    }

    package static let sample = MembersListView(rows: MemberRow.samples)

    var members: [MemberRow] { rows }
    var memberCount: String { rows.count == 1 ? "1 member" : "\(rows.count) members" }
    var isAlone: Bool { rows.count == 1 }
}
