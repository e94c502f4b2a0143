/// `/members/invitations/ID`: one link, large, to be scanned from another device.
package struct InvitationView: PageView {
    package static let template = "accounts/invitation"

    package let layout: LayoutView
    package let link: SecretLinkView
    package let invitation: InvitationRow
    private let tabs, linkPart: Part

    package init(layout: LayoutView, link: SecretLinkView, invitation: InvitationRow) {
        self.layout = layout
        self.link = link
        self.invitation = invitation
        tabs = Part(SettingsTabs(current: .invitations, isOwner: true))
        linkPart = Part(link)
    }

    package static let sample = InvitationView(
        layout: .settingsSample, link: .invitationSample, invitation: InvitationRow.samples[0])

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "secretLink": linkPart
        default: invitation.field(name) ?? layout.field(name)
        }
    }
}
