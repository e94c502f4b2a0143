import Foundation
import Testing

@testable import AccountsWeb
@testable import RoostWeb

@Suite struct MembersViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `one of several owners can be made a member again`() {
        let text = list(member(isOwner: true))
        #expect(text.contains("name=\"role\" value=\"member\">Make member</button>"))
        #expect(!text.contains("disabled") && !text.contains("value=\"owner\""))
        #expect(text.contains("<span class=\"tag\">owner</span>"))
    }

    @Test func `a member can be made an owner, get a reset link, be signed out and be removed`() {
        let text = list(member())
        for act in ["role", "reset", "sign-out", "remove"] {
            #expect(text.contains("method=\"post\" action=\"/members/7/\(act)\""), "\(act)")
        }
        #expect(text.contains("name=\"role\" value=\"owner\">Make owner</button>"))
        #expect(text.contains("<summary>Remove …</summary>"))
    }

    @Test func `owners manage their own password and sessions on the Security page`() {
        let text = list(member(isOwner: true, isYou: true))
        for act in ["reset", "sign-out", "remove"] {
            #expect(!text.contains("/members/7/\(act)"), "\(act)")
        }
        #expect(text.contains("<span class=\"tag plain\">you</span>"))
        #expect(text.contains("<a href=\"/settings/security\">Security</a>"))
    }

    @Test func `a member without a picture does not get the viewer's`() {
        let you = PersonView(name: "Ada", avatar: "/avatars/1/1")
        let layout = LayoutView(
            assets: "/s", version: "1", cursor: "c", now: now, path: "/members", person: you, navigation: [])
        let list = MembersListView(rows: [member(name: "Bob")])
        let text = rendered(MembersView(layout: layout, list: list))
        #expect(text.components(separatedBy: "/avatars/1/1").count == 2)
        let row = text.components(separatedBy: "<ul class=\"displays members\"").last?
            .components(separatedBy: "</ul>").first
        #expect(row?.contains("<img") == false && row?.contains(">B</span>") == true)
    }

    @Test(arguments: [(1, "1 member", true), (3, "3 members", false)])
    func `the list shows the number of members, and tells a single owner how to invite others`(
        count: Int, label: String, isOnlyMember: Bool
    ) {
        let rows = Array(MemberRow.samples.prefix(count))
        let text = rendered(MembersListView(rows: rows))
        #expect(text.contains("<p class=\"total\">\(label)</p>"))
        #expect(text.contains("You are the only member.") == isOnlyMember)
    }

    @Test func `a reset link is shown with its code once it is created`() {
        let text = rendered(MembersView.sample)
        #expect(text.contains("readonly value=\"http://192.168.1.20:8080/reset/7K3M-9QXA-PB2T-4WZH\""))
        #expect(text.contains("role=\"img\" aria-label=\"QR code of the link\""))
        let plain = MembersView(layout: .sample, list: .sample)
        #expect(!rendered(plain).contains("readonly"))
        #expect(!rendered(plain).contains("class=\"qr\""))
    }

    @Test func `a QR code is black on white in every theme`() throws {
        let text = rendered(InvitationView.sample)
        let code = try QRCode("http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH")
        let size = code.size + 8
        #expect(text.contains("viewBox=\"0 0 \(size) \(size)\""))
        #expect(text.contains("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"></rect>"))
        #expect(text.contains("<path d=\"\(code.path)\" fill=\"#000\"></path>"))
    }

    @Test func `a link that is too long for a QR code can still be copied`() {
        let link = SecretLinkView(
            title: "Long", explanation: "It is.",
            link: SharedLink(address: "http://a/" + String(repeating: "b", count: 3_000)),
            expiresAt: now + 60, now: now)
        let text = rendered(
            InvitationView(layout: .sample, link: link, invitation: InvitationRow.samples[0]))
        #expect(text.contains("readonly value=\"http://a/bbb") && !text.contains("class=\"qr\""))
    }

    @Test func `the live lists carry the form token and their own address`() {
        let members = rendered(MembersView.sample)
        #expect(members.contains("data-live=\"/members/list\" data-topics=\"members\""))
        let invitations = rendered(InvitationsView.sample)
        #expect(invitations.contains("data-live=\"/members/invitations/list\" data-topics=\"members\""))
        let security = rendered(SecurityView.sample)
        #expect(security.contains("data-live=\"/settings/security/sessions\" data-topics=\"account\""))
        let tokens = rendered(TokensView.sample)
        #expect(tokens.contains("data-live=\"/settings/tokens/list\" data-topics=\"account\""))
        for fragment in [
            rendered(TokensListView.sample, formToken: "sample-token"),
            rendered(MembersListView.sample, formToken: "sample-token"),
            rendered(InvitationsListView.sample, formToken: "sample-token"),
            rendered(OwnSessionsView.sample, formToken: "sample-token"),
        ] {
            let forms = fragment.components(separatedBy: "method=\"post\"").count - 1
            #expect(forms > 0)
            #expect(fragment.components(separatedBy: "value=\"sample-token\"").count - 1 == forms)
        }
    }

    private func member(
        name: String = "Grace", username: String = "grace", email: String? = nil, isOwner: Bool = false,
        isYou: Bool = false, obstacle: String? = nil
    ) -> MemberRow {
        MemberRow(
            id: "7", person: PersonView(name: name), username: username, email: email, isOwner: isOwner,
            isYou: isYou, joinedAt: now - 86_400, lastSeenAt: nil, accountData: .sample,
            obstacle: obstacle, now: now)
    }

    private func list(_ row: MemberRow) -> String {
        rendered(MembersListView(rows: [row]))
    }
}
