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
