/// `/members/invitations/ID`: one link, large, to be scanned from another device.
package struct InvitationView: PageView, Sendable {
    package let layout: LayoutView
    package let link: SecretLinkView
    package let invitation: InvitationRow
    let tabs: SettingsTabs

    package init(layout: LayoutView, link: SecretLinkView, invitation: InvitationRow) {
        self.layout = layout
        self.link = link
        self.invitation = invitation
        tabs = SettingsTabs(.invitations, in: layout, isOwner: true)
    }

    package static let sample = InvitationView(
        layout: .settingsSample, link: .invitationSample, invitation: InvitationRow.samples[0])

    var secretLink: SecretLinkView { link }
}
