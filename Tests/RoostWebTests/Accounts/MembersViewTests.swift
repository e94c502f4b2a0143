import Foundation
import Testing

@testable import RoostWeb

@Suite struct MembersViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `the last owner's controls are disabled, and the reason stands beside them`() {
        let text = list(member(isOwner: true, isYou: true, obstacle: "Roost <needs> an owner."))
        #expect(text.contains("<span id=\"obstacle-7\">Roost &lt;needs&gt; an owner.</span>"))
        let disabled = text.matches(of: /<button[^>]* disabled aria-describedby="obstacle-7">([^<]+)</)
        #expect(disabled.map { String($0.1) } == ["Make member", "Remove"])
        #expect(!text.contains("for good"))
    }

    @Test func `one of several owners can be made a member again`() {
        let text = list(member(isOwner: true))
        #expect(text.contains("name=\"role\" value=\"member\">Make member</button>"))
        #expect(!text.contains("disabled") && !text.contains("value=\"owner\""))
        #expect(text.contains("<span class=\"tag\">owner</span>"))
    }

    @Test func `a member can be made an owner, helped, signed out and removed`() {
        let text = list(member())
        for act in ["role", "reset", "sign-out", "remove"] {
            #expect(text.contains("method=\"post\" action=\"/members/7/\(act)\""), "\(act)")
        }
        #expect(text.contains("name=\"role\" value=\"owner\">Make owner</button>"))
        #expect(text.contains("<summary>Remove …</summary>"))
    }

    @Test func `one's own password and sessions are not an owner's business with oneself`() {
        let text = list(member(isOwner: true, isYou: true))
        for act in ["reset", "sign-out", "remove"] {
            #expect(!text.contains("/members/7/\(act)"), "\(act)")
        }
        #expect(text.contains("<span class=\"tag plain\">you</span>"))
        #expect(text.contains("<a href=\"/settings/security\">Security</a>"))
    }

    @Test func `a member's name is escaped in every place`() {
        let text = list(member(name: "<b>\"Bob\"</b>", username: "b&b", email: "<@>"))
        #expect(!text.contains("<b>") && !text.contains("\"Bob\""))
        #expect(text.contains("b&amp;b · &lt;@&gt;"))
    }

    @Test func `a member without picture does not borrow that of who looks`() {
        let you = PersonView(name: "Ada", avatar: "/avatars/1/1")
        let layout = LayoutView(
            assets: "/s", version: "1", cursor: "c", now: now, path: "/members", person: you, navigation: [])
        let list = MembersListView(rows: [member(name: "Bob")])
        let text = rendered(MembersView(layout: layout, list: list))
        #expect(text.components(separatedBy: "/avatars/1/1").count == 3)
        let row = text.components(separatedBy: "<ul class=\"displays members\"").last?
            .components(separatedBy: "</ul>").first
        #expect(row?.contains("<img") == false && row?.contains(">B</span>") == true)
    }

    @Test(arguments: [(1, "1 member", true), (3, "3 members", false)])
    func `the list says how many there are, and a lonely owner how to change that`(
        count: Int, words: String, isAlone: Bool
    ) {
        let rows = Array(MemberRow.samples.prefix(count))
        let text = rendered(MembersListView(rows: rows))
        #expect(text.contains("<p class=\"total\">\(words)</p>"))
        #expect(text.contains("You are alone here so far.") == isAlone)
    }

    @Test func `a reset link is shown with its code, and only when it has been made`() {
        let text = rendered(MembersView.sample)
        #expect(text.contains("readonly value=\"http://192.168.1.20:8080/reset/7K3M-9QXA-PB2T-4WZH\""))
        #expect(text.contains("role=\"img\" aria-label=\"QR code of the link\""))
        let plain = MembersView(layout: .sample, list: .sample)
        #expect(!rendered(plain).contains("readonly"))
        #expect(!rendered(plain).contains("class=\"qr\""))
    }

    @Test func `a code is black on white whatever the colours of the page`() throws {
        let text = rendered(InvitationView.sample)
        let code = try QRCode("http://192.168.1.20:8080/join/7K3M-9QXA-PB2T-4WZH")
        let size = code.size + 8
        #expect(text.contains("viewBox=\"0 0 \(size) \(size)\""))
        #expect(text.contains("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"></rect>"))
        #expect(text.contains("<path d=\"\(code.path)\" fill=\"#000\"></path>"))
    }

    @Test func `a link that is too long for a code can still be copied`() {
        let link = SecretLinkView(
            title: "Long", explanation: "It is.",
            link: SharedLink(address: "http://a/" + String(repeating: "b", count: 3_000)),
            expiresAt: now + 60, now: now)
        let text = rendered(
            InvitationView(layout: .sample, link: link, invitation: InvitationRow.samples[0]))
        #expect(text.contains("readonly value=\"http://a/bbb") && !text.contains("class=\"qr\""))
    }

    @Test func `the lists that renew themselves carry the token, and ask for themselves`() {
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
