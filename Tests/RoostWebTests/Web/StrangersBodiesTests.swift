import Foundation
import Logging
import TestSupport
import Testing

@testable import HTTPClient
@testable import HTTPServer
@testable import RoostServices
@testable import RoostWeb
@testable import roost

/// Bodies of requests without permission never reach memory.
@Suite struct StrangersBodiesTests {
    private static let large = 5_000_000

    /// A route's address with any parameters, plain and with its last letter percent-encoded.
    private func paths(of route: SiteRoute) -> (plain: String, encoded: String) {
        let plain =
            "/"
            + route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? "x" : $0 }.joined(separator: "/")
        guard plain.count > 1, let last = plain.utf8.last else { return (plain, plain) }
        return (plain, plain.dropLast() + "%" + String(last, radix: 16))
    }

    private func status(_ answer: String) -> Int {
        Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
    }

    @Test func `no body is read for an address that needs a session, however the address is spelled`()
        async throws
    {
        try await TestServer.with { testServer in
            let address = testServer.server.address
            let isOpen: (SiteRoute) -> Bool = {
                [.everyone, .link].contains($0.audience) && $0.method != .get
            }
            for route in testServer.server.routes where !isOpen(route) {
                let (plain, encoded) = paths(of: route)
                for (path, isChunked) in [(plain, false), (encoded, false), (encoded, true)] {
                    let before = testServer.server.bodyBytes
                    let answer = try await PlainSocket.upload(
                        address, "\(route.method.rawValue) \(path) HTTP/1.1", bodyBytes: Self.large,
                        isChunked: isChunked)
                    let expected = route.audience == .everyone || route.audience == .link ? 413 : 401
                    #expect(status(answer) == expected, "\(route.method) \(path)")
                    #expect(testServer.server.bodyBytes == before, "\(route.method) \(path)")
                }
            }
            #expect(testServer.server.routes.contains(where: isOpen))
        }
    }

    @Test func `a public form reads only as many bytes as a form needs`() async throws {
        try await TestServer.with { testServer in
            for route in testServer.server.routes
            where [.everyone, .link].contains(route.audience) && route.method != .get {
                let (plain, encoded) = paths(of: route)
                for (path, isChunked) in [(plain, false), (encoded, true)] {
                    let before = testServer.server.bodyBytes
                    let answer = try await PlainSocket.upload(
                        testServer.server.address, "POST \(path) HTTP/1.1", bodyBytes: Self.large,
                        isChunked: isChunked)
                    #expect(status(answer) == 413, "\(path)")
                    #expect(testServer.server.bodyBytes - before <= 16_384, "\(path)")
                }
            }
        }
    }

    @Test func `sixty visitors sending five megabytes each take no memory`() async throws {
        try await TestServer.with { testServer in
            let address = testServer.server.address
            let before = testServer.server.bodyBytes
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await PlainSocket.upload(
                            address, "POST /bookmarks/impor%74 HTTP/1.1", bodyBytes: Self.large,
                            isChunked: number.isMultiple(of: 2))
                    }
                }
                for try await answer in group { #expect(status(answer) == 401) }
            }
            #expect(testServer.server.bodyBytes == before)
        }
    }

    @Test func `a request without permission is refused before its body is read`() async throws {
        try await TestServer.with { testServer in
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let reader = try await Guest.bearer(testServer.owner, .read, testServer.services)
            let writer = try await Guest.bearer(testServer.owner, .write, testServer.services)
            let foreign = [("Origin", "https://evil.example")]
            let before = testServer.server.bodyBytes
            for (path, guest, headers) in [
                ("/members/1/role", grace, []), ("/bookmarks/import", reader, []),
                ("/settings/avatar", writer, []),
                ("/bookmarks/import", testServer.ada, foreign), ("/login", .anonymous, foreign),
                ("/api/v1/sessions", .anonymous, foreign),
            ] {
                let answer = try await testServer.post(
                    path, form: String(repeating: "a", count: 10_000), headers: headers, as: guest)
                #expect(answer.status == 403, "\(path)")
            }
            #expect(testServer.server.bodyBytes == before)
        }
    }

    @Test func `a request without a session gets no 100 Continue`() async throws {
        try await TestServer.with { testServer in
            let head = "POST /bookmarks/import HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 10"
            let answer = try await PlainSocket.ask(testServer.server.address, head)
            #expect(answer.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test func `a token just created on the command line can send a file with its first request`()
        async throws
    {
        try await TestServer.with { testServer in
            var configuration = Services.Configuration(dataFolder: testServer.folder)
            configuration.passwordCost = .cheap
            let client = HTTPClient(userAgent: "Roost/test")
            defer { client.shutdown() }
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let other = try Services(configuration, client: client, log: log)
            try await other.load()
            let file =
                "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n\r\n"
                + String(repeating: " ", count: 1_000_000) + "\r\n--XX--\r\n"
            for _ in 0..<3 {
                try await other.identity.accounts.load()
                let token = try await other.token(for: "ada", scope: .write)
                let answer = try await testServer.send(
                    "POST", "/bookmarks/import",
                    headers: [
                        ("Authorization", "Bearer \(token)"),
                        ("Content-Type", "multipart/form-data; boundary=XX"),
                    ], body: file, as: .anonymous)
                #expect(answer.status == 422)
            }
            #expect(testServer.server.bodyBytes > 3_000_000)
            try other.close()
        }
    }
}
