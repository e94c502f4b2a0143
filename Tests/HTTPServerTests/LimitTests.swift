import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct LimitTests {
    private let routes = [
        Route(.get, "/", .ready { _ in .response(.text("home")) }),
        Route(.post, "/small", bodyLimit: 1_000, .ready { .response(.text("\($0.body.count)")) }),
        Route(.post, "/large", bodyLimit: 5_000_000, .async { .response(.text("\($0.body.count)")) }),
    ]
    private let security: (inout ServerConfiguration) -> Void = { $0.headers = [("X-Frame-Options", "DENY")] }

    @Test func `a body up to the limit is accepted`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(
                try client.ask("POST", "/small", body: [UInt8](repeating: 1, count: 1_000)).text == "1000")
            #expect(
                try client.ask("POST", "/large", body: [UInt8](repeating: 1, count: 4_999_999)).text
                    == "4999999")
        }
    }

    @Test func `a body just above the limit is 413, and the connection stays open`() async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            let answer = try client.ask("POST", "/small", body: [UInt8](repeating: 1, count: 1_001))
            #expect(answer.status == 413)
            #expect(answer["X-Frame-Options"] == "DENY")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `a client that sends far too much can still read its 413`() async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            // Sends everything before it reads the answer, as simple clients do.
            try client.sendRequest("POST", "/small", body: [UInt8](repeating: 1, count: 20_000_000))
            let answer = try client.response()
            #expect(answer.status == 413)
            #expect(answer["Connection"] == "close")
            #expect(answer["X-Frame-Options"] == "DENY")
        }
    }

    @Test func `a chunked body beyond the limit is 413`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send("POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("7d0\r\n" + String(repeating: "x", count: 2_000) + "\r\n0\r\n\r\n")
            #expect(try client.response().status == 413)
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `a chunked body that never ends is 413 too`() async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            try client.send("POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            for _ in 0..<500 { try client.send(chunk) }
            let answer = try client.response()
            #expect(answer.status == 413)
            #expect(answer["X-Frame-Options"] == "DENY")
            #expect(answer["Connection"] == "close")
            #expect(answer.text.contains("1000 bytes"))
            #expect(try client.rest() == [])
        }
    }

    @Test func `a client that sends Expect with too large a body is refused at once`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send(
                "POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.response().status == 413)
        }
    }

    @Test func `a client with a long body for an unknown address can read the answer`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("POST", "/nothing", body: [UInt8](repeating: 1, count: 3_000_000))
            #expect(try client.response().status == 404)
        }
    }

    @Test func `an overlong address is 414 with Roost's headers`() async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            let answer = try client.get("/" + String(repeating: "x", count: ServerConfiguration().uriLimit))
            #expect(answer.status == 414)
            #expect(answer["X-Frame-Options"] == "DENY")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `overlong headers are 431 with Roost's headers`() async throws {
        try await serving(routes, configure: security) { server in
            let client = try RawClient(server.address)
            let size = ServerConfiguration().headerLimit
            let answer = try client.get("/", [("X-Large", String(repeating: "x", count: size))])
            #expect(answer.status == 431)
            #expect(answer["X-Frame-Options"] == "DENY")
        }
    }

    @Test func `many headers up to the limit are accepted`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let headers = (0..<30).map { ("X-Number-\($0)", String(repeating: "v", count: 80)) }
            #expect(try client.get("/", headers).status == 200)
            #expect(
                try client.get("/", [("Cookie", "session=" + String(repeating: "v", count: 4_000))]).status
                    == 200)
        }
    }

    @Test(arguments: [100_000, 1_000_000])
    func `a client with headers far beyond all limits can read the answer`(
        size: Int
    ) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/", [("X-Large", String(repeating: "x", count: size))])
            #expect(try client.response().status == 431)
        }
    }

    @Test func `a client with an address far beyond all limits can read the answer`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/" + String(repeating: "x", count: 200_000))
            #expect(try client.response().status == 414)
        }
    }
}
