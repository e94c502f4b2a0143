import Glibc
import Testing

@testable import HTTPServer

/// HTTP/1.1 as required of a server, over real sockets.
@Suite(.bothTransports) struct ConversationTests {
    private let routes = [
        Route(.get, "/", .ready { _ in .response(.text("home")) }),
        Route(.get, "/slow", .async { _ in .response(.text("slow")) }),
        Route(
            .get, "/either",
            .async { request in
                guard request.query["now"] == nil else { return .response(.text("ready")) }
                await Task.yield()
                return .response(.text("later"))
            }),
        Route(.post, "/echo", .async { .response(.text(String(decoding: $0.body, as: UTF8.self))) }),
        Route(.put, "/echo", .ready { .response(.text(String(decoding: $0.body, as: UTF8.self))) }),
    ]

    /// libmicrohttpd answers all requests of a connection on one thread.
    @Test func `a handler starts on the server's own thread, but elsewhere after a large body`() async throws
    {
        let routes = [
            Route(.get, "/thread", .ready { _ in .response(.text("\(pthread_self())")) }),
            Route(.get, "/begins", .async { _ in .response(.text("\(pthread_self())")) }),
            Route(
                .post, "/begins", bodyLimit: 100_000, .async { _ in .response(.text("\(pthread_self())")) }),
        ]
        let (small, large) = ([UInt8](repeating: 0, count: 65_536), [UInt8](repeating: 0, count: 65_537))
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let thread = try client.get("/thread").text
            #expect(try client.get("/begins").text == thread)
            #expect(try client.ask("POST", "/begins", body: small).text == thread)
            #expect(try client.ask("POST", "/begins", body: large).text != thread)
        }
    }

    @Test func `several requests share a connection, however they are answered`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/").text == "home")
            #expect(try client.get("/slow").text == "slow")
            #expect(try client.get("/either").text == "later")
            #expect(try client.get("/either?now=1").text == "ready")
            #expect(try client.ask("POST", "/echo", body: Array("said".utf8)).text == "said")
            #expect(server.connections == 1)
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send(
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == "home")
            #expect(try client.response().text == "abc")
            #expect(try client.response().text == "slow")
        }
    }

    @Test func `an unknown address is 404, and the connection stays open`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/nothing").status == 404)
            #expect(try client.ask("POST", "/nothing", body: [1, 2, 3]).status == 404)
            #expect(try client.get("/").status == 200)
        }
    }

    @Test func `another method is 405 and lists the allowed ones`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.ask("DELETE", "/echo")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "POST, PUT, OPTIONS")
            #expect(try client.ask("POST", "/", body: [])["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func `HEAD is GET without the body`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            for path in ["/", "/slow"] {
                let answer = try client.ask("HEAD", path)
                #expect(answer.status == 200)
                #expect(answer["Content-Length"] == "4")
            }
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `OPTIONS is 204 and lists the allowed methods`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.ask("OPTIONS", "/")
            #expect(answer.status == 204)
            #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try client.ask("OPTIONS", "*").status == 204)
            #expect(try client.ask("OPTIONS", "/nothing").status == 404)
        }
    }

    @Test func `an unknown method is 501`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "BREW", "/")
            #expect(answer.status == 501)
        }
    }

    @Test func `a chunked body is assembled`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(try client.response().text == "abcde")
        }
    }

    @Test func `a client that sends Expect is told to continue`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 100)
            try client.send("ok")
            #expect(try client.response().text == "ok")
        }
    }

    @Test func `a request contains its HTTP version`() async throws {
        let version = Route(.get, "/version", .ready { .response(.text($0.version)) })
        try await serving([version]) { server in
            for name in ["HTTP/1.0", "HTTP/1.1"] {
                let client = try RawClient(server.address)
                try client.send("GET /version \(name)\r\nHost: a\r\n\r\n")
                #expect(try client.response().text == name)
            }
        }
    }

    @Test func `an HTTP 1_0 client gets its answer, and then the connection closes`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send("GET /slow HTTP/1.0\r\n\r\n")
            #expect(String(decoding: try client.rest(), as: UTF8.self).hasSuffix("\r\n\r\nslow"))
        }
    }

    @Test func `a proxy's absolute address is accepted`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "http://localhost/either?now=1")
            #expect(answer.text == "ready")
        }
    }

    @Test func `the filter answers before any route`() async throws {
        let filter: @Sendable (Request) -> Response? = {
            $0.headers["Host"] == "localhost" ? nil : .text("wrong host", status: 421)
        }
        try await serving(routes, configure: { $0.filter = filter }) { server in
            let client = try RawClient(server.address)
            try client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            #expect(try client.response().status == 421)
            #expect(try client.get("/").status == 200)
        }
    }
}
