import Testing

@testable import HTTPServer

@Suite struct RouterTests {
    private let routes = [
        Route(.get, "/coins/{coinId}", RouterTests.show("coin", "coinId")),
        Route(.get, "/coins/new", RouterTests.show("new", "coinId")),
        Route(.delete, "/coins/{id}", RouterTests.show("delete", "id")),
        Route(.get, "/{owner}/{name}/pulls", RouterTests.show("pulls", "owner", "name")),
        Route(.get, "/files/{hash}/{...rest}", RouterTests.show("file", "hash", "rest")),
        Route(.get, "/files/{hash}/exact", RouterTests.show("exact", "hash")),
    ]

    private static func show(_ name: String, _ parameters: String...) -> Handler {
        .ready { request in
            .response(.text(([name] + parameters.map { request.parameters[$0] }).joined(separator: "|")))
        }
    }

    @Test(arguments: [
        ("/coins/bitcoin", "coin|bitcoin"),
        ("/coins/new", "new|"),
        ("/octo/cat/pulls", "pulls|octo|cat"),
        ("/files/1/css/a.css", "file|1|css/a.css"),
        ("/files/1/exact", "exact|1"),
        ("/files/1/exactly", "file|1|exactly"),
        ("/coins/a%2Fb", "coin|a/b"),
        ("/coins/a%20b+c", "coin|a b+c"),
        ("/coins/%5Bx%5D", "coin|[x]"),
        ("/coins/%F0%9F%9A%80", "coin|🚀"),
        ("/c%6Fins/bitcoin", "coin|bitcoin"),
        ("/coins/a%2520b", "coin|a%20b"),
        ("/files/1/..%2F..%2Fetc", "file|1|../../etc"),
    ]) func `a path matches its route with decoded parameters`(path: String, expected: String) async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", path)
            #expect(answer.text == expected)
        }
    }

    @Test func `a literal segment wins but does not hide another route's methods`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("DELETE", "/coins/new").text == "delete|new")
            #expect(try client.ask("POST", "/coins/new")["Allow"] == "GET, HEAD, DELETE, OPTIONS")
        }
    }

    @Test(arguments: ["/coins/", "/coins", "/coins/a/b", "//coins", "/files/1/", "/coins/bitcoin/"])
    func `a path that only resembles a route does not match`(path: String) async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", path)
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: ["/coins/%", "/coins/%2", "/coins/%zz", "/coins/%FF", "/coins/%00", "/coins/x?q=%C3"])
    func `an address that cannot be decoded is a bad request`(path: String) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get(path).status == 400)
            #expect(try client.get("/coins/new").status == 200)
        }
    }

    @Test func `two routes of the same shape are refused`() {
        let handler = Handler.ready { _ in .response(.text("")) }
        #expect(throws: RouterError.duplicate(.get, "/a/{b}", "/a/{c}")) {
            try Router([Route(.get, "/a/{b}", handler), Route(.get, "/a/{c}", handler)])
        }
        #expect(throws: RouterError.duplicate(.get, "/a", "/a")) {
            try Router([Route(.get, "/a", handler), Route(.get, "/a", handler)])
        }
    }

    @Test(arguments: ["a", "", "/{", "/{}", "/x{y}", "/{...}", "/{...rest}/more", "/{a}{b}"])
    func `an invalid pattern is refused`(pattern: String) {
        #expect(throws: RouterError.invalidPattern(pattern)) {
            try Router([Route(.get, pattern, .ready { _ in .response(.text("")) })])
        }
    }

    @Test func `a parameter that the route does not have is empty`() {
        #expect(PathParameters([("a", "1")])["b"] == "")
    }
}
