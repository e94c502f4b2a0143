/// `/members`: everybody who has an account, for owners.
package struct MembersView: PageView {
    package static let template = "accounts/members"

    package let layout: LayoutView
    package let list: MembersListView
    package let resetLink: SecretLinkView?
    private let tabs: Part
    private let linkPart: Part?

    /// - Parameter resetLink: the link that has just been made; it is shown this once
    package init(layout: LayoutView, list: MembersListView, resetLink: SecretLinkView? = nil) {
        self.layout = layout
        self.list = list
        self.resetLink = resetLink
        tabs = Part(SettingsTabs(current: .members, isOwner: true))
        linkPart = resetLink.map(Part.init)
    }

    package static let sample = MembersView(layout: .settingsSample, list: .sample, resetLink: .resetSample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "secretLink": linkPart
        default: list.field(name) ?? layout.field(name)
        }
    }
}

/// `/members/list`: the part of the page that is fetched again when the members change.
package struct MembersListView: TemplateView {
    package static let template = "accounts/members-list"

    package let rows: [MemberRow]
    package let formToken: String?
    private let rowParts: [Part]

    /// - Parameter formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(rows: [MemberRow], formToken: String?) {
        self.rows = rows
        self.formToken = formToken
        rowParts = rows.map(Part.init)
    }

    package static let sample = MembersListView(rows: MemberRow.samples, formToken: "sample-token")

    package func field(_ name: String) -> Any? {
        switch name {
        case "members": rowParts
        case "memberCount": rows.count == 1 ? "1 member" : "\(rows.count) members"
        case "isAlone": rows.count == 1
        case "formToken": formToken
        default: nil
        }
    }
}
