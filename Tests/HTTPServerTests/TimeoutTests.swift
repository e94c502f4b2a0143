import Glibc
import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct TimeoutTests {
    private let routes = [
        Route(.get, "/", .ready { _ in .response(.text("home")) }),
        Route(.post, "/", .ready { _ in .response(.text("taken")) }),
        Route(
            .get, "/large",
            .ready { _ in .response(.content([UInt8](repeating: 7, count: 50_000_000), type: "a/b")) }),
        Route(
            .get, "/late",
            .async { _ in
                try await Task.sleep(for: .seconds(1.2))
                return .response(.text("late"))
            }),
    ]

    /// Sends the text one byte at a time, and returns after how many seconds the server closed the connection.
    private static func drip(_ client: RawClient, _ text: String) -> Double {
        let start = ContinuousClock.now
        for byte in text.utf8 {
            do {
                try client.send([byte])
            } catch {
                break
            }
            usleep(30_000)
        }
        _ = try? client.rest()
        return Double((ContinuousClock.now - start) / .milliseconds(1)) / 1_000
    }

    private static let headers = String(repeating: "X-Header: value\r\n", count: 60)

    @Test(arguments: [
        "GET /" + String(repeating: "x", count: 900),
        "GET / HTTP/1.1\r\nHost: a\r\n" + headers,
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 900),
    ]) func `a request sent byte by byte is cut off, however steadily it arrives`(text: String) async throws {
        try await serving(routes, configure: { $0.receiveTimeout = .milliseconds(600) }) { server in
            let client = try RawClient(server.address)
            let seconds = Self.drip(client, text)
            #expect((0.4...12).contains(seconds), "cut off after \(seconds) s")
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test func `a second request sent byte by byte is cut off as well`() async throws {
        try await serving(routes, configure: { $0.receiveTimeout = .milliseconds(600) }) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/").text == "home")
            usleep(400_000)
            let seconds = Self.drip(client, "GET / HTTP/1.1\r\nHost: a\r\n" + Self.headers)
            #expect((0.4...12).contains(seconds), "cut off after \(seconds) s")
        }
    }

    @Test func `a silent connection is closed`() async throws {
        let limits: (inout ServerConfiguration) -> Void = { $0.idleTimeout = .seconds(1) }
        try await serving(routes, configure: limits) { server in
            let silent = try RawClient(server.address)
            let resting = try RawClient(server.address)
            #expect(try resting.get("/").text == "home")
            #expect(try silent.rest() == [])
            #expect(try resting.rest() == [])
        }
    }

    @Test func `a pause between two requests does not count as a slow request`() async throws {
        let limits: (inout ServerConfiguration) -> Void = { $0.receiveTimeout = .milliseconds(300) }
        try await serving(routes, configure: limits) { server in
            let client = try RawClient(server.address)
            usleep(700_000)
            #expect(try client.get("/").text == "home")
            usleep(700_000)
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `a slow handler is not cut off`() async throws {
        let limits: (inout ServerConfiguration) -> Void = {
            $0.receiveTimeout = .milliseconds(200)
            $0.sendTimeout = .milliseconds(200)
            $0.idleTimeout = .milliseconds(400)
        }
        try await serving(routes, configure: limits) { server in
            let answer = try ask(server, "GET", "/late")
            #expect(answer.text == "late")
        }
    }

    @Test func `a client that does not read its answer is cut off`() async throws {
        let limits: (inout ServerConfiguration) -> Void = { $0.sendTimeout = .milliseconds(500) }
        try await serving(routes, configure: limits) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/large")
            #expect(eventually { server.connections == 1 })
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test(arguments: [
        "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\nX",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab", "",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ]) func `a client that leaves after its last byte frees its connection at once`(text: String) async throws
    {
        try await serving(routes) { server in
            var clients = try (0..<10).map { _ in try RawClient(server.address) }
            for client in clients { try client.send(text) }
            clients.removeAll()
            // Far below the limits of 30 s and 60 s.
            #expect(eventually(within: 8) { server.connections == 0 })
        }
    }

    @Test func `a client that closes its sending half still gets its answer`() async throws {
        try await serving(routes) { server in
            for _ in 0..<20 {
                let client = try RawClient(server.address)
                try client.sendRequest("GET", "/")
                client.finishSending()
                #expect(try client.response().text == "home")
            }
        }
    }
}
