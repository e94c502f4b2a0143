import Foundation
import Testing

@testable import AccountsWeb
@testable import RoostWeb

@Suite struct InvitationsViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `an open link shows its remaining uses and its expiry`() {
        let text = list(invitation(uses: 3, joined: ["Ada"]))
        #expect(
            text.contains(
                "2 of 3 left · expires <time data-until datetime=\"2025-11-21T09:41:00Z\">in 1 day</time>"))
        #expect(text.contains("joined: \u{2068}Ada\u{2069}"))
        #expect(text.contains("href=\"/members/invitations/4\""))
        #expect(text.contains("action=\"/members/invitations/4/revoke\""))
        #expect(list(invitation()).contains("for one person · expires"))
        #expect(list(invitation()).contains("no one has joined yet"))
    }

    @Test(arguments: [
        (1, ["Ada"], 86_400.0, false, "used up"), (2, ["Ada"], 0.0, false, "expired on <time data-day "),
        (2, [], 86_400.0, true, "revoked on <time data-day "),
        (1, ["Ada"], -86_400.0, true, "revoked on"),
    ])
    func `a closed link says why, and can be neither shown nor revoked`(
        uses: Int, joined: [String], life: Double, isRevoked: Bool, label: String
    ) {
        let row = invitation(uses: uses, joined: joined, life: life, isRevoked: isRevoked)
        #expect(!row.isOpen)
        let text = list(row)
        #expect(text.contains("<span class=\"when\">\(label)"))
        #expect(!text.contains("<a ") && !text.contains("<form"))
        #expect(text.contains("class=\"entry over\""))
    }

    @Test func `without links the page explains them`() {
        let text = rendered(InvitationsListView(rows: []))
        #expect(text.contains("No join links yet."))
    }

    @Test(arguments: [
        (FormState.empty, "7", "1"), (FormState(typed: ["days": "30", "uses": "500"]), "30", "500"),
        (FormState(typed: ["days": "2"]), nil, "1"),
    ])
    func `the choices for a new link are kept`(form: FormState, days: String?, uses: String) {
        let view = InvitationsView(
            layout: .sample, list: InvitationsListView(rows: []), form: form)
        let text = rendered(view)
        #expect(text.firstMatch(of: /value="([0-9]+)" checked/).map { String($0.1) } == days)
        #expect(text.contains("name=\"uses\" type=\"number\" value=\"\(uses)\" min=\"1\" max=\"100\" "))
    }

    @Test func `the large page shows one link to scan, and its remaining uses`() {
        let text = rendered(InvitationView.sample)
        #expect(text.components(separatedBy: "class=\"qr\"").count == 2)
        #expect(text.contains("2 of 3 left") && text.contains("action=\"/members/invitations/1/revoke\""))
        let closed = InvitationView(
            layout: .sample, link: .invitationSample, invitation: InvitationRow.samples[2])
        #expect(
            rendered(closed).contains(
                "expired on <time data-day datetime=\"2025-11-10T09:41:00Z\">10 Nov 2025</time>"))
        #expect(!rendered(closed).contains("/revoke"))
    }

    @Test func `above the code a warning says if only this computer can open the link`() throws {
        let link = SharedLink(address: "http://127.0.0.1:1/join/x", obstacle: "Use <--listen>.")
        let text = rendered(
            InvitationView(
                layout: .sample, link: .invitation(note: "", link: link, expiresAt: now + 60, now: now),
                invitation: invitation()))
        let warning = try #require(text.range(of: "<p class=\"obstacle\">Use &lt;--listen&gt;.</p>"))
        let code = try #require(text.range(of: "class=\"qr\""))
        #expect(warning.upperBound < code.lowerBound)
        #expect(!rendered(InvitationView.sample).contains("class=\"obstacle\""))
    }

    @Test func `a link with several addresses lists them`() {
        let text = rendered(InvitationView.sample)
        #expect(text.contains("<li><code>http://nas.local:8080/join/7K3M-9QXA-PB2T-4WZH</code></li>"))
        #expect(!rendered(MembersView.sample).contains("Other addresses"))
    }

    private func invitation(
        note: String = "Office", creator: String? = "Ada", uses: Int = 1, joined: [String] = [],
        life: Double = 86_400, isRevoked: Bool = false
    ) -> InvitationRow {
        InvitationRow(
            id: "4", note: note, creator: creator, createdAt: now - 86_400, expiresAt: now + life,
            revokedAt: isRevoked ? now : nil, uses: uses, joined: joined, now: now)
    }

    private func list(_ row: InvitationRow) -> String {
        rendered(InvitationsListView(rows: [row]))
    }
}
