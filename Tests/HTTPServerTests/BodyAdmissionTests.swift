import Glibc
import Testing

@testable import HTTPServer

/// Routes that check a request before any of its body is read.
@Suite(.bothTransports) struct BodyAdmissionTests {
    private static let refusal = RequestError.notFound

    /// A route whose admission check decides how much of a body is accepted.
    private static func route(_ admission: BodyAdmission) -> Route {
        Route(
            .post, "/upload", bodyLimit: 5_000_000, admission: admission,
            .async { .response(.text("\($0.body.count)")) })
    }

    private static let namedOnly = route(
        BodyAdmission { if $0.headers["X-Name"] == nil { throw refusal } })

    @Test func `nothing of a refused body is kept, whatever its length`() async throws {
        try await serving([Self.namedOnly]) { server in
            for size in [1, 60_000, 5_000_000] {
                let answer = try ask(server, "POST", "/upload", body: [UInt8](repeating: 1, count: size))
                #expect(answer.status == 404, "\(size)")
            }
            #expect(server.bodyBytes == 0)
            let sent = [UInt8](repeating: 1, count: 60_000)
            let answer = try ask(server, "POST", "/upload", [("X-Name", "Ada")], body: sent)
            #expect(answer.text == "60000")
            #expect(server.bodyBytes == 60_000)
        }
    }

    @Test func `nothing of a refused chunked body is kept, even if it never ends`() async throws {
        try await serving([Self.namedOnly]) { server in
            let client = try RawClient(server.address)
            try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("3\r\nabc\r\n0\r\n\r\n")
            #expect(try client.response().status == 404)
            try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            for _ in 0..<100 { try client.send(chunk) }
            #expect(try client.response().status == 404)
            #expect(server.bodyBytes == 0)
        }
    }

    @Test func `a percent-encoded address is checked as well`() async throws {
        try await serving([Self.namedOnly]) { server in
            let answer = try ask(server, "POST", "/uploa%64", body: [UInt8](repeating: 1, count: 60_000))
            #expect(answer.status == 404)
            #expect(server.bodyBytes == 0)
        }
    }

    @Test func `a refused client is not told to continue`() async throws {
        try await serving([Self.namedOnly]) { server in
            for name in ["", "X-Name: Ada\r\n"] {
                let client = try RawClient(server.address)
                try client.send(
                    "POST /upload HTTP/1.1\r\nHost: a\r\n\(name)Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"
                )
                #expect(try client.response().status == (name.isEmpty ? 404 : 100))
            }
        }
    }

    @Test func `a request without a body goes to its handler`() async throws {
        try await serving([Self.namedOnly]) { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("POST", "/upload").text == "0")
            #expect(try client.ask("POST", "/upload", body: []).text == "0")
        }
    }
}
