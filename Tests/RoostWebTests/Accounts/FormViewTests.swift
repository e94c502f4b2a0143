import Foundation
import Testing

@testable import AccountsWeb
@testable import RoostWeb

/// Rules for all account forms, checked in their rendered pages.
@Suite struct FormViewTests {
    /// A page with a form, rendered from the form's state.
    struct Page: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [String]
        let render: @Sendable (FormState) -> String
    }

    static let layout = GuestLayoutView(assets: "/static/x", formToken: "tok")
    static let pages = [
        Page(testDescription: "setup", fields: ["code", "username", "displayName", "email", "password"]) {
            rendered(SetupView(layout: layout, form: $0))
        },
        Page(testDescription: "login", fields: ["username", "password"]) {
            rendered(LoginView(layout: layout, form: $0))
        },
        Page(testDescription: "join", fields: ["username", "displayName", "email", "password"]) {
            rendered(JoinView(layout: layout, code: "A-B", inviter: nil, form: $0))
        },
        Page(testDescription: "join code", fields: ["code"]) {
            rendered(JoinCodeView(layout: layout, form: $0))
        },
        Page(testDescription: "reset", fields: ["password"]) {
            rendered(ResetView(layout: layout, code: "A-B", username: "ada", form: $0))
        },
        Page(testDescription: "profile", fields: ["displayName", "email"]) {
            rendered(
                ProfileView(
                    layout: .sample, person: .sample, username: "ada", isOwner: false, joinedAt: .distantPast,
                    form: $0))
        },
        Page(testDescription: "password", fields: ["current", "password"]) {
            rendered(
                SecurityView(
                    layout: .sample, username: "ada", isOwner: false, sessions: .sample,
                    accountData: .sample, passwordForm: $0))
        },
        Page(testDescription: "deletion", fields: ["password"]) {
            rendered(
                SecurityView(
                    layout: .sample, username: "ada", isOwner: false, sessions: .sample,
                    accountData: .sample, deleteForm: $0))
        },
        Page(testDescription: "token", fields: ["name"]) {
            rendered(TokensView(layout: .sample, isOwner: false, list: TokensListView(rows: []), form: $0))
        },
        Page(testDescription: "invitation", fields: ["note", "uses"]) {
            rendered(
                InvitationsView(
                    layout: .sample, list: InvitationsListView(rows: []), form: $0))
        },
    ]

    @Test(arguments: pages)
    func `every error is shown at its field, which is marked`(page: Page) throws {
        for field in page.fields {
            let text = page.render(FormState(fieldErrors: [field: "No, <\(field)>."]))
            let inputs = text.matches(of: /<input [^>]*aria-invalid="true"[^>]*>/).map { String($0.0) }
            #expect(inputs.count == 1, "\(field)")
            let input = try #require(inputs.first)
            #expect(input.contains("name=\"\(field)\"") && input.contains(" autofocus"), "\(input)")
            let described = try #require(input.firstMatch(of: /aria-describedby="([^" ]+)/)?.1)
            #expect(
                text.contains("<p class=\"field-error\" id=\"\(described)\">No, &lt;\(field)&gt;.</p>"),
                "\(described)")
            #expect(
                text.components(separatedBy: "No, &lt;\(field)&gt;.").count == 2, "the error is shown once")
        }
    }

    @Test(arguments: pages)
    func `what was typed is kept, but never a password`(page: Page) {
        let typed = Dictionary(uniqueKeysWithValues: page.fields.map { ($0, "typed \"\($0)\"") })
        let text = page.render(FormState(typed: typed, error: "Not now."))
        for field in page.fields {
            let isSecret = field == "password" || field == "current"
            #expect(text.contains("value=\"typed &quot;\(field)&quot;\"") == !isSecret, "\(field)")
        }
        for input in text.matches(of: /<input [^>]*type="password"[^>]*>/) {
            #expect(input.0.contains(" value=\"\""))
        }
    }

    @Test(arguments: pages)
    func `a general error, or one of a missing field, is shown above the form`(page: Page) {
        let state = FormState(fieldErrors: ["elsewhere": "Something <else>."], error: "Wait 8 seconds.")
        let text = page.render(state)
        #expect(
            text.contains(
                "<p class=\"form-error\" role=\"alert\">Wait 8 seconds. Something &lt;else&gt;.</p>"))
        #expect(!page.render(.empty).contains("form-error"))
    }

    @Test(arguments: pages)
    func `every field has a label, a length limit and a unique id`(page: Page) {
        let text = page.render(.empty)
        let ids = text.matches(of: /<(?:input|button|p|h2|section)[^>]* id="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count, "\(ids)")
        for input in text.matches(of: /<input id="([^"]+)"[^>]*>/) {
            #expect(text.contains("<label for=\"\(input.1)\">"), "\(input.1)")
            let isLimited = input.0.contains("maxlength=") || input.0.contains("type=\"file\"")
            #expect(isLimited || input.0.contains(" max="), "\(input.0)")
        }
    }

    @Test(arguments: pages.prefix(5))
    func `before signing in, only the first field has the focus`(page: Page) {
        let text = page.render(.empty)
        #expect(text.matches(of: /autofocus/).count == 1)
        let first = text.firstMatch(of: /<input id="([^"]+)"/)?.1
        #expect(text.firstMatch(of: /<input id="([^"]+)"[^>]*autofocus>/)?.1 == first)
    }

    @Test func `in the settings no field has the focus at first`() {
        for page in Self.pages.dropFirst(5) {
            #expect(!page.render(.empty).contains("autofocus"), "\(page.testDescription)")
        }
    }

    @Test func `password managers can identify each field`() {
        let setup = Self.pages[0].render(.empty)
        for (field, word) in [
            ("username", "username"), ("displayName", "name"), ("email", "email"),
            ("password", "new-password"), ("code", "off"),
        ] {
            #expect(isFilled(field, with: word, in: setup), "\(field)")
        }
        let login = Self.pages[1].render(.empty)
        #expect(isFilled("username", with: "username", in: login))
        #expect(isFilled("password", with: "current-password", in: login))
        let change = Self.pages[6].render(.empty)
        #expect(isFilled("current", with: "current-password", in: change))
        #expect(isFilled("password", with: "new-password", in: change))
        #expect(
            change.contains("<input type=\"text\" autocomplete=\"username\" value=\"ada\" readonly hidden>"))
    }

    @Test func `the rule for a new password is shown before the form is sent`() {
        for index in [0, 2, 4, 6] {
            let text = Self.pages[index].render(.empty)
            #expect(text.contains("At least 10 characters"))
            #expect(text.firstMatch(of: /name="password"[^>]*minlength="10"/) != nil)
        }
        #expect(!Self.pages[1].render(.empty).contains("minlength"))
    }

    private func isFilled(_ field: String, with word: String, in text: String) -> Bool {
        text.matches(of: /<input [^>]*>/).contains {
            $0.0.contains("name=\"\(field)\"") && $0.0.contains("autocomplete=\"\(word)\"")
        }
    }
}
