import RoostSupport
import RoostWeb

struct MembersView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let list: MembersListView
    let resetLink: SecretLinkView?
    let tabs: SettingsTabs

    /// - Parameter resetLink: the new reset link, shown only once
    init(layout: LayoutView, list: MembersListView, resetLink: SecretLinkView? = nil) {
        self.layout = layout
        self.list = list
        self.resetLink = resetLink
        tabs = SettingsTabs(.members, in: layout, isOwner: true)
    }
}

/// `/members/list`: the list, fetched again when the members change.
struct MembersListView: Sendable {
    let rows: [MemberRow]

    var memberCount: String { rows.count == 1 ? "1 member" : "\(rows.count) members" }
    var isOnlyMember: Bool { rows.count == 1 }
}

struct AccountDataView: Sendable {
    /// Phrases, such as "Notes to coins, holdings and wallets".
    let deleted: [String]
    let staying: [String]

    init(_ data: [UserData]) {
        deleted = data.filter(\.isDeleted).map(\.text)
        staying = data.filter { !$0.isDeleted }.map(\.text)
    }
}

struct AllSessionsView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let rows: [SessionRow]
    let tabs: SettingsTabs

    /// - Parameter rows: with their users, the last seen first
    init(layout: LayoutView, rows: [SessionRow]) {
        self.layout = layout
        self.rows = rows
        tabs = SettingsTabs(.sessions, in: layout, isOwner: true)
    }
}
