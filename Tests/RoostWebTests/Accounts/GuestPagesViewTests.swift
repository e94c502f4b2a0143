import Foundation
import Testing

@testable import AccountsWeb
@testable import RoostWeb

@Suite struct GuestPagesViewTests {
    let layout = GuestLayoutView(assets: "/static/x", formToken: "tok")

    @Test func `a guest page has no navigation and no user's name`() {
        for text in [
            rendered(SetupView(layout: layout)), rendered(LoginView(layout: layout)),
            rendered(JoinCodeView(layout: layout)),
        ] {
            #expect(!text.contains("<nav") && !text.contains("Ada") && !text.contains("data-cursor"))
            #expect(text.contains("<body class=\"guest\">"))
        }
    }

    @Test func `a code from the address is a hidden field`() {
        let prefilled = rendered(SetupView(layout: layout, form: FormState(typed: ["code": "AB\"C"])))
        #expect(prefilled.contains("<input type=\"hidden\" name=\"code\" value=\"AB&quot;C\">"))
        #expect(!prefilled.contains("<input id=\"code\""))
        let unknown = rendered(SetupView(layout: layout, form: FormState(typed: ["code": ""])))
        #expect(unknown.contains("<input id=\"code\"") && !unknown.contains("type=\"hidden\" name=\"code\""))
    }

    @Test func `a wrong code can be corrected in its field`() {
        let form = FormState(typed: ["code": "XXXX"], fieldErrors: ["code": "This is not the code."])
        let text = rendered(SetupView(layout: layout, form: form))
        #expect(text.firstMatch(of: /<input id="code"[^>]*value="XXXX"[^>]*aria-invalid="true"/) != nil)
        #expect(!text.contains("type=\"hidden\" name=\"code\""))
    }

    @Test(arguments: [
        (LoginView.Reason.needed, "Sign in to see that page."), (.signedOut, "You are signed out."),
        (.passwordChanged, "Your password was changed. Sign in with the new one."),
        (.deleted, "Your account and everything in it was deleted."),
    ])
    func `the sign-in page says what happened before, unless there is an error`(
        reason: LoginView.Reason, sentence: String
    ) {
        let text = rendered(LoginView(layout: layout, reason: reason))
        #expect(text.contains("<p class=\"intro\" role=\"status\">\(sentence)</p>"))
        let wrong = LoginView(layout: layout, reason: reason, form: FormState(error: "Wrong."))
        #expect(!rendered(wrong).contains(sentence))
        #expect(!rendered(LoginView(layout: layout)).contains("role=\"status\""))
    }

    @Test func `the sign-in form keeps the page to return to`() {
        let text = rendered(LoginView(layout: layout, next: "/watchlist?q=\"a\"&b"))
        #expect(text.contains("name=\"next\" value=\"/watchlist?q=&quot;a&quot;&amp;b\""))
        #expect(!rendered(LoginView(layout: layout)).contains("name=\"next\""))
    }

    @Test func `an invitation names who invites, and its form has its own address`() {
        let text = rendered(JoinView(layout: layout, code: "AB CD", inviter: "Ada <3"))
        #expect(text.contains("<strong class=\"name\">Ada &lt;3</strong> invites you."))
        #expect(text.contains("<form class=\"stack\" method=\"post\" action=\"/join/AB%20CD\">"))
        let orphan = rendered(JoinView(layout: layout, code: "AB", inviter: nil))
        #expect(!orphan.contains("invites you"))
    }

    @Test func `a password reset names its user`() {
        let text = rendered(ResetView(layout: layout, code: "../x", username: "<ada>"))
        #expect(text.contains("<strong class=\"name\">&lt;ada&gt;</strong>"))
        #expect(text.contains("autocomplete=\"username\" value=\"&lt;ada&gt;\""))
        #expect(text.contains("action=\"/reset/..%2Fx\""))
    }

    @Test(arguments: ClosedLinkView.Kind.allCases)
    func `a closed link says why and what to do, and only a join link offers another code`(
        kind: ClosedLinkView.Kind
    ) {
        let text = rendered(ClosedLinkView(layout: layout, kind: kind, reason: "Used <up>."))
        #expect(text.contains("<p class=\"intro\">Used &lt;up&gt;.</p>"))
        #expect(text.contains("href=\"/join\"") == (kind == .join))
        let advice = text.firstMatch(of: /<p>([A-Z][^<]+)<\/p>/)?.1
        #expect((advice?.count ?? 0) > 30)
    }

    @Test(arguments: [
        (LayoutView.Theme.auto, "<html lang=\"en\">"), (.light, "<html lang=\"en\" class=\"theme-light\">"),
        (.dark, "<html lang=\"en\" class=\"theme-dark\">"),
    ])
    func `the browser's theme applies before signing in`(theme: LayoutView.Theme, html: String) {
        let layout = GuestLayoutView(assets: "/static/x", theme: theme, formToken: nil)
        #expect(rendered(LoginView(layout: layout)).contains(html))
    }

    @Test func `the code form uses GET, so that its page can be shared and has no token`() {
        let text = rendered(JoinCodeView(layout: layout))
        #expect(text.contains("<form class=\"stack\" method=\"get\" action=\"/join\">"))
        #expect(!text.contains("name=\"token\""))
        #expect(rendered(LoginView(layout: layout)).contains("name=\"token\" value=\"tok\""))
    }
}
