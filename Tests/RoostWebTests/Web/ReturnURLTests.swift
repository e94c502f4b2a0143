import Testing

@testable import RoostWeb
@testable import TextFormats

@Suite struct ReturnURLTests {
    @Test(arguments: [
        "/", "/pulls", "/pulls?text=a%26b&sort=size", "/bookmarks?tag=sp%C3%A4ter&pages=2",
        "/repositories/apple/swift-nio?in=bookmarks", "/watchlist?q=a+b", "/watchlist?q", "/a//b",
        "/login?next=//evil.example", "/?q=https://evil.example",
        "/" + String(repeating: "x", count: 999),
    ])
    func `a page of this server is kept as it was written`(address: String) {
        #expect(ReturnURL(address, else: "/home").address == address)
    }

    @Test(arguments: [
        nil, "", "pulls", "?q=a", "#top", ".", "..", "https://evil.example/", "http:/pulls", "https:",
        "javascript:alert(1)", "data:text/html,x", "mailto:a@b.c", "//evil.example", "///evil.example",
        "//evil.example/pulls", "/\\evil.example", "\\\\evil.example", "\\/evil.example", "/pulls\\..\\x",
        "/\t/evil.example", "/\n/evil.example", "/\r\nSet-Cookie: a=b", " /pulls", "/pulls ", "/a b",
        "/\u{0}",
        "/\u{7F}", "/é", "/\u{2028}", "\u{FEFF}/pulls", "@evil.example", "/pulls?q=%zz", "/pulls?q=%FF",
        "/" + String(repeating: "x", count: 1_000),
    ])
    func `anything else becomes the fallback`(text: String?) {
        #expect(ReturnURL(text, else: "/home?a=b").address == "/home?a=b")
    }

    @Test(arguments: [
        ("/pulls?flash=x", "/pulls"), ("/pulls?a=1&flash=x&b=2", "/pulls?a=1&b=2"),
        ("/pulls?fl%61sh=x&flash&a", "/pulls?a"), ("/pulls?a=1#list", "/pulls?a=1"),
        ("/pulls#?a=1", "/pulls"),
        ("/pulls?", "/pulls"), ("/pulls?&a=1&&b=?", "/pulls?a=1&b=?"),
    ])
    func `the previous notice and the fragment are removed`(
        text: String, address: String
    ) {
        #expect(ReturnURL(text, else: "/").address == address)
    }

    @Test func `a field is removed wherever it is written`() {
        var back = ReturnURL("/bookmarks?sort=name&tag=sort&s%6Frt=stars", else: "/")
        back.remove("sort")
        #expect((back.path, back.query) == ("/bookmarks", "tag=sort"))
    }

    @Test(arguments: [
        ("/theme", "theme=dark", "/"), ("/bookmarks/bulk", "act=seen", "/bookmarks"),
        ("/repositories/choices", "sort=name", "/repositories"), ("/pulls/choices", "sort=age", "/pulls"),
    ])
    func `every form that returns does so on this server only`(
        form: String, body: String, fallback: String
    ) async throws {
        try await TestServer.with { testServer in
            for text in [
                "//evil.example/", "https://evil.example", "/\\evil.example", "/\r\nSet-Cookie:x=y",
            ] {
                let answer = try await testServer.post(
                    form, form: "\(body)&back=\(PercentEncoding.encode(text))")
                let location = try #require(answer.headers["Location"])
                #expect(answer.status == 303, "\(form) \(text)")
                #expect(location == fallback || location.hasPrefix("\(fallback)?flash="), "\(form) \(text)")
            }
            let home = try await testServer.post(form, form: "\(body)&back=/displays?x%3D1")
            #expect(home.headers["Location"]?.hasPrefix("/displays?x=1") == true)
        }
    }
}
