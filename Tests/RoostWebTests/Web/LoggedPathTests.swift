import Testing

@testable import RoostWeb

private let code = "K7QM-2XRD-9FTB-W3HC"

@Suite struct LoggedPathTests {
    private func logged(_ path: String, _ route: String? = nil) -> String {
        LoggedPath(path, route: route, secretPathPrefixes: ["display", "join", "reset"]).text
    }

    @Test(arguments: [
        "//reset/\(code)", "/reset/\(code)", "/reset//\(code)", "/RESET/\(code)", "/Reset/\(code)/",
        "/%72eset/\(code)", "/%72%65%73%65%74/\(code)", "/%2572eset/\(code)", "/%%37%32eset/\(code)",
        "/%2Freset/\(code)", "/reset%2F\(code)", "/reset%252f\(code)", "/reset\\\(code)", "/reset%5C\(code)",
        "/./reset/\(code)", "/reset/\u{301}\(code)", "/reset\u{301}/\(code)", "/reset%CC%81/\(code)",
        "/reset/\(code)%FF", "/%FFreset/\(code)", "/ｒｅｓｅｔ/\(code)", "/reset%20/\(code)", "/ reset/\(code)",
        "/reset;x=1/\(code)", "/reset/\(code)/more/of/it", "/reset/K7QM/2XRD/9FTB/W3HC", "/reset./\(code)",
    ])
    func `a link's secret is not logged, however the link is spelled`(path: String) {
        let text = logged(path)
        #expect(text.hasSuffix("{secret}") || text.hasSuffix("{hidden}"), "\(text)")
        for piece in ["K7QM", "2XRD", "9FTB", "W3HC"] { #expect(!text.contains(piece), "\(text)") }
    }

    @Test func `a matching link is logged as its pattern`() {
        #expect(logged("/reset/\(code)", "/reset/{code}") == "/reset/{code}")
        #expect(logged("/RESET/\(code)") == "/reset/{secret}")
        #expect(logged("//join/\(code)") == "//join/{secret}")
        #expect(
            logged("/display/abcdefghijklmnopqrstuv/screen", "/display/{token}/screen")
                == "/display/{token}/screen")
    }

    @Test func `a secret is hidden after a hyphenated word, and wherever a route declares one`() {
        let secret = "q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eU"
        for word in ["/shared-gists/", "/SHARED-gists/", "/sharedgists/", "/shared_gists//"] {
            let text = LoggedPath(word + secret, route: nil, secretPathPrefixes: ["shared-gists"]).text
            #expect(text.hasSuffix("{secret}"), "\(text)")
        }
        let feed = "/reading/feeds/{token}"
        #expect(
            LoggedPath("/reading/feeds/\(secret).atom", route: feed, secretPathPrefixes: ["display"]).text
                == feed)
        #expect(logged("/reading/feeds//\(secret).atom") == "/reading/feeds//{hidden}")
    }

    @Test func `after a misspelt word a part as long as a code is hidden`() {
        #expect(logged("/rest/\(code)") == "/rest/{hidden}")
        #expect(logged("/displays/ab-defghijklm_opqrstuv/screen") == "/displays/{hidden}/screen")
        #expect(logged("/\(code)") == "/{hidden}")
        #expect(logged("/%4B7QM-2XRD-9FTB-W3H%43") == "/{hidden}")
    }

    @Test(arguments: [
        "/", "/nothing/here", "/wp-login.php", "/pulls//rows", "/favicon.ico", "", "/a%2Fb", "/%zz/%",
    ])
    func `other unknown paths are logged unchanged`(path: String) {
        #expect(logged(path) == path)
    }

    @Test func `the path of a route without a secret is logged unchanged`() {
        let path = "/repositories/join/a-repository-with-a-long-name"
        #expect(logged(path, "/repositories/{owner}/{name}") == path)
        #expect(logged("/join", "/join") == "/join")
    }

    @Test func `no request writes a link's secret to the access log`() async throws {
        try await TestServer.with { testServer in
            let paths = [
                "//reset/", "/reset/", "/RESET/", "/%72eset/", "/reset%2F", "//%6Aoin/", "/join//",
                "/Display/",
            ]
            for path in paths {
                _ = try await testServer.send("GET", path + code, as: .anonymous)
                _ = try await testServer.send("DELETE", path + code, as: .anonymous)
            }
            try await eventually("every request is in the log") {
                testServer.accessLines.all.count { $0.contains("{") } >= 2 * paths.count
            }
            #expect(!testServer.accessLines.all.joined().contains("K7QM"))
        }
    }
}
