import Foundation
import Testing

@testable import AccountsWeb
@testable import GitHubWeb
@testable import RoostWeb
@testable import roost

@Suite struct SettingsViewTests {
    let now = Date(timeIntervalSince1970: 1_763_631_660)

    @Test func `only owners see the owners' tabs`() {
        let owner = rendered(tokens(isOwner: true))
        let member = rendered(tokens(isOwner: false))
        for tab in SampleFeatures.all.flatMap(\.settingsTabs) {
            let link = "<a href=\"\(tab.address)\""
            #expect(owner.contains(link))
            #expect(member.contains(link) == (tab.group != .owner), "\(tab.name)")
        }
    }

    @Test func `each page marks its own tab`() {
        let pages: [(String, String)] = [
            (rendered(ProfileView.sample), "/settings"),
            (rendered(SecurityView.sample), "/settings/security"),
            (rendered(TokensView.sample), "/settings/tokens"),
            (rendered(GitHubView.sample), "/settings/github"),
            (rendered(MembersView.sample), "/members"),
            (rendered(InvitationsView.sample), "/members/invitations"),
            (rendered(InvitationView.sample), "/members/invitations"),
            (rendered(AllSessionsView.sample), "/members/sessions"),
            (rendered(LogView.sample), "/members/log"),
            (rendered(StatusView.sample), "/settings/status"),
            (rendered(OutgoingWebhooksView.sample), "/settings/webhooks"),
            (rendered(OutgoingWebhookView.sample), "/settings/webhooks"),
            (rendered(WebhookOriginsView.sample), "/members/webhooks"),
        ]
        for (text, address) in pages {
            let tabs = text.components(separatedBy: "<nav class=\"tabs settings-tabs\"").last?
                .components(separatedBy: "</nav>").first
            #expect(tabs?.components(separatedBy: "aria-current").count == 2, "\(address)")
            #expect(tabs?.contains("<a href=\"\(address)\" aria-current=\"page\">") == true)
        }
    }

    @Test func `a person has their picture everywhere, or initials without one`() {
        let person = PersonView(name: "Ada", avatar: "/avatars/7/2")
        let layout = LayoutView(
            assets: "/s", version: "1", cursor: "c", now: now, path: "/settings", person: person,
            navigation: [])
        let view = ProfileView(
            layout: layout, person: person, username: "ada", isOwner: false, joinedAt: now, form: .empty)
        let text = rendered(view)
        #expect(
            text.components(separatedBy: "<img class=avatar src=\"/avatars/7/2\" alt=\"\"").count == 3)
        #expect(text.contains("action=\"/settings/avatar/remove\""))
        let plain = rendered(ProfileView.sample)
        #expect(!plain.contains("<img") && !plain.contains("/settings/avatar/remove"))
        #expect(plain.contains(/<span class="avatar tone-\d" aria-hidden="true">AL<\/span>/))
    }

    @Test func `a refused picture says why at its field`() {
        let view = ProfileView(
            layout: .sample, person: .sample, username: "ada", isOwner: false, joinedAt: now, form: .empty,
            avatarError: "This is <no> picture.")
        let text = rendered(view)
        #expect(
            text.contains("aria-describedby=\"avatar-error avatar-hint\" aria-invalid=\"true\" autofocus"))
        #expect(text.contains("id=\"avatar-error\">This is &lt;no&gt; picture.</p>"))
        #expect(rendered(ProfileView.sample).contains("aria-describedby=\"avatar-hint\">"))
    }

    @Test func `every session except this one can be ended`() {
        let text = rendered(OwnSessionsView.sample)
        #expect(text.components(separatedBy: "class=\"tag\">this device").count == 2)
        #expect(!text.contains("/settings/sessions/1/end"))
        #expect(text.contains("/settings/sessions/2/end") && text.contains("/settings/sessions/3/end"))
        #expect(text.contains("/settings/sessions/end-others") && text.contains("/logout/everywhere"))
        #expect(text.contains("last seen <time data-age datetime=\"2025-11-20T07:39:20Z\">2 h ago</time>"))
    }

    @Test func `a user with only this session is not offered to sign out others`() {
        let single = OwnSessionsView(rows: [SessionRow.samples[0]])
        #expect(!rendered(single).contains("end-others"))
    }

    @Test func `deleting an account says what is deleted and kept, and asks for confirmation`() {
        let data = AccountDataView([
            .deleted("Notes & drawings", from: []), .retained("The log keeps <the name>.", in: []),
        ])
        let text = rendered(
            SecurityView(
                layout: .sample, username: "ada", isOwner: true, sessions: .sample, accountData: data))
        #expect(text.contains("<li>Notes &amp; drawings</li>"))
        #expect(text.contains("<p class=\"muted\">The log keeps &lt;the name&gt;.</p>"))
        #expect(text.contains("<details class=\"sure\">"))
        let wrong = SecurityView(
            layout: .sample, username: "ada", isOwner: true, sessions: .sample, accountData: .sample,
            deleteForm: FormState(fieldErrors: ["password": "Wrong password."]))
        #expect(rendered(wrong).contains("<details class=\"sure\" open>"))
    }

    @Test func `a new token is shown in full once, and later only its name`() {
        let text = rendered(TokensView.sample)
        #expect(text.contains("readonly value=\"\(NewTokenView.sample.secret)\""))
        #expect(!rendered(tokens(isOwner: true)).contains("readonly"))
    }

    @Test func `a token shows its scope, its last use and its expiry`() {
        let text = rendered(TokensView.sample)
        #expect(text.contains("read · created") && text.contains("read and write · created"))
        #expect(text.contains(">never used</span>") && text.contains(">43 s ago</time>"))
        #expect(text.contains("never expires"))
        #expect(text.components(separatedBy: "class=\"entry over\"").count == 2)
        #expect(text.components(separatedBy: "class=\"ended\"").count == 2)
    }

    @Test(arguments: [
        (FormState.empty, "read", "90"), (FormState(typed: ["scope": "write", "days": "0"]), "write", "0"),
        (FormState(typed: ["scope": "all", "days": "soon"]), "read", "90"),
    ])
    func `a token's choices are kept, and start with the safest ones`(
        form: FormState, scope: String, days: String
    ) {
        let text = rendered(
            TokensView(layout: .sample, isOwner: false, list: TokensListView(rows: []), form: form))
        let checked = text.matches(of: /value="([a-z0-9]+)" checked/).map { String($0.1) }
        #expect(checked == [scope, days])
    }

    @Test func `the layout links to the user's settings and signs out, on laptops and on phones`() {
        let text = rendered(tokens(isOwner: false))
        // In the sidebar, in the menu on phones, at the user's name, and as a tab.
        #expect(text.components(separatedBy: "href=\"/settings\"").count == 5)
        #expect(text.contains("<form method=\"post\" action=\"/logout\">"))
    }

    private func tokens(isOwner: Bool) -> TokensView {
        TokensView(layout: .sample, isOwner: isOwner, list: TokensListView(rows: []))
    }
}
