import Glibc
import Testing

@testable import HTTPServer

@Suite struct AccessLogTests {
    private let routes = [
        Route(.get, "/coins/{coinId}", .ready { _ in .response(.text("12345")) }),
        Route(.get, "/async", .async { _ in .response(.text("later")) }),
        Route(.get, "/page", .ready { _ in .response(.html(String(repeating: "x", count: 5_000))) }),
        Route(
            .get, "/streamed",
            .ready { _ in
                .response(
                    .stream(
                        ByteStream(
                            AsyncStream {
                                $0.yield([1, 2]); $0.finish()
                            })))
            }),
        Route(.post, "/", bodyLimit: 10, .ready { _ in .response(.text("taken")) }),
    ]

    private func logged(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Server) throws -> Void
    ) async throws -> [AccessEntry] {
        let log = Record<AccessEntry>()
        try await serving(
            routes,
            configure: {
                $0.accessLog = { log.add($0) }
                configure(&$0)
            }, body)
        return log.all
    }

    @Test func `each request has one log entry, without its query`() async throws {
        let entries = try await logged { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/coins/a%20b?token=secret", [("User-Agent", "test/1")]).status == 200)
            #expect(try client.get("/async").status == 200)
        }
        #expect(entries.count == 2)
        let first = try #require(entries.first)
        #expect(first.method == .get)
        #expect(first.route == "/coins/{coinId}")
        #expect(first.path == "/coins/a%20b")
        #expect(first.status == 200)
        #expect(first.bytesSent == 5)
        #expect(first.peer.description == "127.0.0.1")
        #expect(first.userAgent == "test/1")
        #expect(first.duration > .zero && first.duration < .seconds(10))
        #expect(entries.last?.route == "/async")
        #expect(entries.last?.userAgent == "")
    }

    @Test func `the logged size is the number of bytes sent`() async throws {
        let entries = try await logged { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("HEAD", "/page").status == 200)
            let compressed = try client.get("/page", [("Accept-Encoding", "gzip")])
            #expect(compressed.body.count < 200)
            #expect(try client.get("/streamed").body == [1, 2])
        }
        #expect(entries.map(\.method) == [.head, .get, .get])
        #expect(entries[0].bytesSent == 0)
        #expect((1..<200).contains(entries[1].bytesSent))
        #expect(entries[2].bytesSent == 2)
    }

    @Test func `requests without a handler are logged too`() async throws {
        let entries = try await logged { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/nothing").status == 404)
            #expect(try client.ask("POST", "/", body: [UInt8](repeating: 1, count: 11)).status == 413)
            #expect(try client.get("/" + String(repeating: "x", count: 5_000)).status == 414)
            #expect(try client.ask("BREW", "/").status == 501)
        }
        #expect(entries.map(\.status) == [404, 413, 414, 501])
        #expect(entries.map(\.route) == [nil, "/", nil, nil])
    }

    @Test func `libmicrohttpd's own refusals are logged with their status`() async throws {
        let entries = try await logged { server in
            let client = try RawClient(server.address)
            try client.send("GET /old HTTP/1.1\r\n\r\n")
            #expect(try client.response().status == 400)
            let other = try RawClient(server.address)
            try other.sendRequest("GET", "/large", [("X", String(repeating: "x", count: 50_000))])
            #expect(try other.response().status == 431)
        }
        #expect(entries.map(\.status) == [400, 431])
        #expect(entries.map(\.path) == ["/old", "/large"])
    }

    @Test func `a client that is too slow is logged as 408`() async throws {
        let entries = try await logged({ $0.receiveTimeout = .milliseconds(200) }) { server in
            let slow = try RawClient(server.address)
            try slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            #expect(try slow.rest() == [])
        }
        #expect(entries.map(\.status) == [408])
    }

    @Test func `a client that leaves before its request is complete is logged as 499`() async throws {
        let entries = try await logged { server in
            var client: RawClient? = try RawClient(server.address)
            try client?.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            #expect(eventually { server.connections == 1 })
            client = nil
            #expect(eventually { server.connections == 0 })
        }
        #expect(entries.map(\.status) == [499])
    }
}
