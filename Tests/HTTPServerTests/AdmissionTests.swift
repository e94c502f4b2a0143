import Glibc
import Testing

@testable import HTTPServer

/// Decisions after the headers have arrived, and what the server knows of its client.
@Suite(.bothTransports) struct AdmissionTests {
    private let routes = [
        Route(.get, "/", .ready { .response(.text("\($0.peer) \($0.peer.isLoopback)")) }),
        Route(.post, "/", bodyLimit: 3_000_000, .async { .response(.text("\($0.body.count)")) }),
        Route(
            .get, "/headers",
            .ready { .response(.text($0.headers.all($0.query["name"] ?? "").joined(separator: "|"))) }),
        Route(.get, "/cookies", .async { .response(.text($0.cookies["session"] ?? "none")) }),
        Route(.get, "/target", .ready { .response(.text($0.target + " " + $0.path)) }),
        Route(.head, "/own", .ready { _ in .response(Response(status: 204)) }),
        Route(.get, "/own", .ready { _ in .response(.text("own")) }),
        Route(.options, "/own", .ready { _ in .response(.text("mine")) }),
    ]

    @Test(arguments: [("127.0.0.1:0", "127.0.0.1 true"), ("[::1]:0", "::1 true")])
    func `the peer is identified by its address`(address: String, expected: String) async throws {
        try await serving(routes, configure: { $0.address = address }) { server in
            let answer = try ask(server, "GET", "/")
            #expect(answer.text == expected)
        }
    }

    @Test func `listening on all addresses accepts IPv4 as well and shows it as such`() async throws {
        try await serving(routes, configure: { $0.address = "[::]:0" }) { server in
            let port = server.address.split(separator: ":").last ?? ""
            let client = try RawClient("127.0.0.1:\(port)")
            #expect(try client.get("/").text == "127.0.0.1 true")
        }
    }

    @Test func `headers and cookies arrive as they were sent`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get("/headers?name=x-a", [("X-A", "one"), ("x-a", " two, three ")])
            #expect(answer.text == "one|two, three")
            #expect(try client.get("/headers?name=x-b").text == "")
            #expect(try client.get("/cookies", [("Cookie", "a=1; session=xyz")]).text == "xyz")
            #expect(try client.get("/cookies").text == "none")
        }
    }

    @Test func `the target is kept exactly as sent`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/t%61rget?a=%20b+c")
            #expect(answer.text == "/t%61rget?a=%20b+c /t%61rget")
        }
    }

    @Test func `a route's own HEAD and OPTIONS override the server's`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("HEAD", "/own").status == 204)
            #expect(try client.ask("OPTIONS", "/own").text == "mine")
            #expect(try client.get("/own").text == "own")
            #expect(try client.ask("PUT", "/own", body: [])["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func `an upload that arrives in pieces is assembled`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2500000\r\n\r\n")
            for _ in 0..<25 {
                try client.send([UInt8](repeating: 7, count: 100_000))
                usleep(2_000)
            }
            #expect(try client.response().text == "2500000")
            #expect(try client.get("/own").text == "own")
        }
    }

    @Test func `a large upload gets more time than a small request`() async throws {
        try await serving(routes, configure: { $0.receiveTimeout = .milliseconds(300) }) { server in
            let client = try RawClient(server.address)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
            for _ in 0..<20 {
                try client.send([UInt8](repeating: 7, count: 10_000))
                usleep(50_000)
            }
            #expect(try client.response().text == "200000")
        }
    }

    @Test func `the filter sees the decoded query, and after its answer a body still ends cleanly`()
        async throws
    {
        let filter: @Sendable (Request) -> Response? = {
            $0.query["key"] == "let me in" ? nil : .text("no", status: 403)
        }
        try await serving(routes, configure: { $0.filter = filter }) { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("POST", "/?key=let%20me+in", body: [1, 2]).text == "2")
            #expect(try client.ask("POST", "/", body: [1, 2]).status == 403)
            #expect(try client.ask("POST", "/", body: [UInt8](repeating: 1, count: 2_000_000)).status == 403)
        }
    }

    @Test func `garbage is refused and does not affect others`() async throws {
        try await serving(routes) { server in
            for garbage in [
                "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET  /  HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET nopath HTTP/1.1\r\nHost: a\r\n\r\n",
            ] {
                let client = try RawClient(server.address)
                try client.send(garbage)
                client.finishSending()
                let answer = String(decoding: (try? client.rest()) ?? [], as: UTF8.self)
                #expect(
                    answer.isEmpty || answer.contains(" 4") || answer.contains(" 5"),
                    "\(garbage.debugDescription)")
            }
            #expect(try ask(server, "GET", "/own").text == "own")
        }
    }
}
