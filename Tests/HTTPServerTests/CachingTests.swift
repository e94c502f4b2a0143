import Testing

@testable import HTTPServer

@Suite struct CachingTests {
    private static let page = String(repeating: "<p>all the same</p>\n", count: 500)
    private static let answer: Response = {
        var response = Response.html(page)
        response.etag = "\"v1\""
        response["Cache-Control"] = "no-cache"
        return response
    }()

    private let routes = [
        Route(.get, "/prepared", .ready { [prepared = PreparedResponse(answer)] _ in .prepared(prepared) }),
        Route(.get, "/async", .async { [prepared = PreparedResponse(answer)] _ in .prepared(prepared) }),
        Route(.get, "/made", .ready { _ in .response(answer) }),
        Route(.post, "/made", .ready { _ in .response(answer) }),
        Route(.get, "/small", .ready { _ in .response(.text("small")) }),
        Route(.get, "/image", .ready { _ in .response(.content(Array(page.utf8), type: "image/png")) }),
        Route(
            .get, "/best",
            .ready { [best = PreparedResponse(answer, compression: .best)] _ in .prepared(best) }),
        Route(
            .get, "/varying",
            .ready { _ in
                var response = answer
                response["Vary"] = "Cookie"
                return .response(response)
            }),
    ]
    private let security: (inout ServerConfiguration) -> Void = { $0.headers = [("X-Frame-Options", "DENY")] }

    @Test(arguments: ["/prepared", "/async", "/made"])
    func `a client with a current copy gets 304`(path: String) async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            let first = try client.get(path)
            #expect(first.text == Self.page)
            #expect(first["ETag"] == "\"v1\"")
            let second = try client.get(path, [("If-None-Match", "\"v1\"")])
            #expect(second.status == 304)
            #expect(second["ETag"] == "\"v1\"")
            #expect(second["Cache-Control"] == "no-cache")
            #expect(second["Vary"] == "Accept-Encoding")
            #expect(second["X-Frame-Options"] == "DENY")
            #expect(second["Content-Type"] == nil)
            #expect(try client.ask("HEAD", path, [("If-None-Match", "\"v1\"")]).status == 304)
            #expect(try client.get("/small").text == "small")
        }
    }

    @Test(arguments: [
        ("W/\"v1\"", 304), ("\"v0\", \"v1\"", 304), ("\"a,b\",W/\"v1\"", 304), ("*", 304), ("\"v0\"", 200),
        ("v1", 200), ("\"v1", 200), ("\"v11\"", 200), ("", 200), ("\"V1\"", 200),
    ]) func `If-None-Match is a list with weak comparison`(header: String, status: Int) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/prepared", [("If-None-Match", header)]).status == status)
            #expect(try client.get("/made", [("If-None-Match", header)]).status == status)
        }
    }

    @Test func `If-None-Match does not stop a POST`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "POST", "/made", [("If-None-Match", "*")], body: [])
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["/prepared", "/async", "/made"])
    func `a client that accepts gzip gets gzip`(path: String) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get(path, [("Accept-Encoding", "gzip, deflate, br")])
            #expect(answer["Content-Encoding"] == "gzip")
            #expect(answer["Vary"] == "Accept-Encoding")
            #expect(answer["ETag"] == "W/\"v1\"", "other bytes must not have the same strong tag")
            #expect(answer.body.starts(with: [0x1F, 0x8B]))
            #expect(answer.body.count < Self.page.utf8.count / 10)
            #expect(answer.headers.filter { $0.name == "Content-Encoding" }.count == 1)
            #expect(try gunzip(answer.body) == Array(Self.page.utf8))
            let again = try client.get(path, [("Accept-Encoding", "gzip"), ("If-None-Match", "W/\"v1\"")])
            #expect(again.status == 304)
            let head = try client.ask("HEAD", path, [("Accept-Encoding", "gzip")])
            #expect(head["Content-Length"] == "\(answer.body.count)")
        }
    }

    @Test(arguments: [
        ("gzip;q=0", false), ("*;q=0, gzip", true), ("gzip;q=0.5", true), ("*", true), ("*, gzip;q=0", false),
        ("identity", false), ("br", false), ("X-GZIP", true), ("", false), ("gzip ; q=0.0", false),
        ("gzipped", false),
    ]) func `the client's Accept-Encoding is respected`(header: String, isCompressed: Bool) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            for path in ["/prepared", "/made"] {
                let answer = try client.get(path, [("Accept-Encoding", header)])
                #expect((answer["Content-Encoding"] == "gzip") == isCompressed)
                #expect(answer["Vary"] == "Accept-Encoding")
            }
        }
    }

    @Test func `consecutive compressed answers arrive complete, however little they shrink`() async throws {
        // Four bits per letter: such text shrinks to about 60 %, more than the initial buffer holds.
        var random = SystemRandomNumberGenerator()
        let texts = [1_500, 70_000, 300_000, 700_000].map { count in
            String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
        }
        let routes =
            texts.enumerated().map { index, text in
                Route(.get, "/ready/\(index)", .ready { _ in .response(.html(text)) })
            }
            + texts.enumerated().map { index, text in
                Route(.get, "/async/\(index)", .async { _ in .response(.html(text)) })
            }
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            for _ in 0..<2 {
                for (index, text) in texts.enumerated() {
                    for kind in ["ready", "async"] {
                        let answer = try client.get("/\(kind)/\(index)", [("Accept-Encoding", "gzip")])
                        #expect(answer["Content-Encoding"] == "gzip")
                        #expect(try gunzip(answer.body) == Array(text.utf8))
                    }
                }
            }
        }
    }

    @Test func `a file with the best compression is smaller than a page with the same bytes`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answers = try ["/prepared", "/best"].map { try client.get($0, [("Accept-Encoding", "gzip")]) }
            for answer in answers { #expect(try gunzip(answer.body) == Array(Self.page.utf8)) }
            #expect(answers[1].body.count < answers[0].body.count)
        }
    }

    @Test(arguments: ["ready", "async"])
    func `random bytes are sent uncompressed`(kind: String) async throws {
        let noise = (0..<400_000).map { _ in UInt8.random(in: 0...255) }
        let answer = Response.content(noise, type: "text/html")
        let routes = [
            Route(.get, "/ready", .ready { _ in .response(answer) }),
            Route(.get, "/async", .async { _ in .response(answer) }),
        ]
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/\(kind)", [("Accept-Encoding", "gzip")])
            #expect(answer["Content-Encoding"] == nil)
            #expect(answer.body == noise)
        }
    }

    @Test(arguments: ["/small", "/image"])
    func `an answer that would not shrink is not compressed`(path: String) async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", path, [("Accept-Encoding", "gzip")])
            #expect(answer["Content-Encoding"] == nil)
        }
    }

    @Test func `Vary keeps the handler's values`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/varying")
            #expect(answer.all("Vary") == ["Cookie, Accept-Encoding"])
        }
    }

    @Test func `a prepared response has the headers of each server that sends it`() async throws {
        let prepared = PreparedResponse(Self.answer)
        let shared = [Route(.get, "/", .ready { _ in .prepared(prepared) })]
        for name in ["One", "Two", "Three"] {
            try await serving(shared, configure: { $0.headers = [("X-Server", name)] }) { server in
                let answer = try ask(server, "GET", "/")
                #expect(answer["X-Server"] == name)
                let compressed = try ask(server, "GET", "/", [("Accept-Encoding", "gzip")])
                #expect(compressed["X-Server"] == name)
            }
        }
    }
}
