import Foundation
import Testing

@testable import RoostWeb

@Suite struct GuestPagesViewTests {
    let layout = GuestLayoutView(assets: "/static/x", formToken: "tok")

    @Test func `a stranger's page has no navigation and names nobody`() {
        for text in [
            rendered(SetupView(layout: layout)), rendered(LoginView(layout: layout)),
            rendered(JoinCodeView(layout: layout)),
        ] {
            #expect(!text.contains("<nav") && !text.contains("Ada") && !text.contains("data-cursor"))
            #expect(text.contains("<body class=\"guest\">"))
        }
    }

    @Test func `the code of the address is carried along and not asked for`() {
        let known = rendered(SetupView(layout: layout, form: FormState(typed: ["code": "AB\"C"])))
        #expect(known.contains("<input type=\"hidden\" name=\"code\" value=\"AB&quot;C\">"))
        #expect(!known.contains("<input id=\"code\""))
        let unknown = rendered(SetupView(layout: layout, form: FormState(typed: ["code": ""])))
        #expect(unknown.contains("<input id=\"code\"") && !unknown.contains("type=\"hidden\" name=\"code\""))
    }

    @Test func `a wrong code can be put right where it is`() {
        let form = FormState(typed: ["code": "XXXX"], fieldErrors: ["code": "This is not the code."])
        let text = rendered(SetupView(layout: layout, form: form))
        #expect(text.firstMatch(of: /<input id="code"[^>]*value="XXXX"[^>]*aria-invalid="true"/) != nil)
        #expect(!text.contains("type=\"hidden\" name=\"code\""))
    }

    @Test(arguments: [
        (LoginView.Occasion.needed, "Sign in to see that page."), (.signedOut, "You are signed out."),
        (.passwordChanged, "Your password was changed. Sign in with the new one."),
        (.deleted, "Your account and everything in it was deleted."),
    ])
    func `signing in says what has just happened, until something goes wrong`(
        occasion: LoginView.Occasion, sentence: String
    ) {
        let text = rendered(LoginView(layout: layout, occasion: occasion))
        #expect(text.contains("<p class=\"intro\" role=\"status\">\(sentence)</p>"))
        let wrong = LoginView(layout: layout, occasion: occasion, form: FormState(error: "Wrong."))
        #expect(!rendered(wrong).contains(sentence))
        #expect(!rendered(LoginView(layout: layout)).contains("role=\"status\""))
    }

    @Test func `signing in goes on to where one wanted to be`() {
        let text = rendered(LoginView(layout: layout, next: "/watchlist?q=\"a\"&b"))
        #expect(text.contains("name=\"next\" value=\"/watchlist?q=&quot;a&quot;&amp;b\""))
        #expect(!rendered(LoginView(layout: layout)).contains("name=\"next\""))
    }

    @Test func `an invitation says from whom, and goes back to its own address`() {
        let text = rendered(JoinView(layout: layout, code: "AB CD", inviter: "Ada <3"))
        #expect(text.contains("<strong class=\"name\">Ada &lt;3</strong> invites you."))
        #expect(text.contains("<form class=\"stack\" method=\"post\" action=\"/join/AB%20CD\">"))
        let orphan = rendered(JoinView(layout: layout, code: "AB", inviter: nil))
        #expect(!orphan.contains("invites you"))
    }

    @Test func `a reset says whose password it is`() {
        let text = rendered(ResetView(layout: layout, code: "../x", username: "<ada>"))
        #expect(text.contains("<strong class=\"name\">&lt;ada&gt;</strong>"))
        #expect(text.contains("autocomplete=\"username\" value=\"&lt;ada&gt;\""))
        #expect(text.contains("action=\"/reset/..%2Fx\""))
    }

    @Test(arguments: ClosedLinkView.Kind.allCases)
    func `a closed link says why and what to do, and only one to join offers another code`(
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
    func `the colours of this browser hold before signing in, too`(theme: LayoutView.Theme, html: String) {
        let layout = GuestLayoutView(assets: "/static/x", theme: theme, formToken: nil)
        #expect(rendered(LoginView(layout: layout)).contains(html))
    }

    @Test func `a code is asked for by GET, so that its page can be shared and carries no token`() {
        let text = rendered(JoinCodeView(layout: layout))
        #expect(text.contains("<form class=\"stack\" method=\"get\" action=\"/join\">"))
        #expect(!text.contains("name=\"token\""))
        #expect(rendered(LoginView(layout: layout)).contains("name=\"token\" value=\"tok\""))
    }
}
