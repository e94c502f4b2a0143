import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import HTTPServer
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb

/// Requests with an `Idempotency-Key`.
@Suite struct RepeatedRequestsTests {
    private static let path = "/api/v1/gists"
    private static let text = #"{"text": "A clock is a machine. It shows the time."}"#

    private func make(
        _ server: TestServer, _ body: String = text, key: String = "k-1", as guest: Guest? = nil
    ) async throws -> ClientResponse {
        try await server.json("POST", Self.path, body, headers: [("Idempotency-Key", key)], as: guest)
    }

    private func count(_ server: TestServer) async throws -> Int {
        try await server.send("GET", Self.path).items.count
    }

    @Test func `a repeated request gets the first answer, and nothing is made twice`() async throws {
        try await TestServer.with { server async throws in
            let first = try await make(server)
            #expect(first.status == 201 && first.headers["Idempotent-Replayed"] == nil)
            // The draft's form of the key is a quoted string.
            for key in ["k-1", "\"k-1\""] {
                let again = try await make(server, key: key)
                #expect(again.status == 201 && again.body == first.body)
                #expect(again.headers["Location"] == first.headers["Location"])
                #expect(again.headers["Content-Type"] == first.headers["Content-Type"])
                #expect(again.headers["Idempotent-Replayed"] == "true")
            }
            #expect(try await count(server) == 1)
            #expect(try await make(server, key: "k-2").headers["Idempotent-Replayed"] == nil)
            #expect(try await count(server) == 2)
        }
    }

    @Test func `a key belongs to one request of one user`() async throws {
        try await TestServer.with { server async throws in
            let grace = try await Guest.signUp("grace", as: .member, server.services)
            #expect(try await make(server).status == 201)
            let other = try await make(server, #"{"text": "Another text. It is not the same."}"#)
            #expect(other.status == 422 && other.error("field") == "Idempotency-Key")
            let list = try await server.json(
                "POST", "/api/v1/watchlists", Self.text, headers: [("Idempotency-Key", "k-1")])
            #expect(list.status == 422 && list.error("field") == "Idempotency-Key")
            #expect(try await make(server, as: grace).headers["Idempotent-Replayed"] == nil)
            #expect(try await count(server) == 1)
        }
    }

    @Test func `a refused request may be corrected and sent with the same key`() async throws {
        try await TestServer.with { server async throws in
            #expect(try await make(server, "{}").status == 422)
            #expect(try await make(server, #"{"text": ""}"#).status == 422)
            #expect(try await make(server).status == 201)
        }
    }

    @Test func `a key is forgotten after a day`() async throws {
        let clock = TestClock()
        try await TestServer.with(clock: clock.wallClock) { server async throws in
            #expect(try await make(server).status == 201)
            let keys = RequestKeys(database: server.services.database, clock: clock.wallClock)
            for (seconds, made) in [(86_000.0, 1), (800, 2)] {
                clock.advance(seconds)
                try await keys.removeExpired()
                #expect(try await make(server).status == 201)
                #expect(try await count(server) == made)
            }
        }
    }

    @Test func `a request that was carried out before a crash is not carried out again`() async throws {
        try await TestServer.with { server async throws in
            #expect(try await make(server).status == 201)
            try await server.services.database.write {
                try $0.execute("UPDATE request_keys SET status = NULL, headers = NULL, body = NULL")
            }
            let again = try await make(server)
            #expect(again.status == 409 && again.error("field") == "Idempotency-Key")
            #expect(try await count(server) == 1)
        }
    }

    @Test func `the same request at the same time is refused until the first is answered`() async throws {
        try await TestServer.with { server async throws in
            let services = server.services
            let repeated = RepeatedRequests(database: services.database, clock: services.clock)
            let request = try Request(.post, "/api/v1/gists", headers: [("Idempotency-Key", "k")])
            let (started, start) = AsyncStream<Void>.makeStream()
            let (ending, end) = AsyncStream<Void>.makeStream()
            async let first = repeated.answer(request, server.owner) { _, _ in
                start.yield()
                for await _ in ending { break }
                return .response(.text("made", status: 201))
            }
            for await _ in started { break }
            await #expect(throws: RoostError.self) {
                _ = try await repeated.answer(request, server.owner) { _, _ in .response(.text("twice")) }
            }
            end.yield()
            guard case .response(let response) = try await first else {
                Issue.record("not a response")
                return
            }
            #expect(response.status == 201)
            let later = try await repeated.answer(request, server.owner) { _, _ in .response(.text("twice")) }
            guard case .response(let replayed) = later, case .bytes(let bytes) = replayed.body else {
                Issue.record("not a response")
                return
            }
            #expect(replayed.status == 201 && bytes == Array("made".utf8))
        }
    }

    @Test func `a request continues when its client leaves`() async throws {
        try await TestServer.with { server async throws in
            let services = server.services
            let repeated = RepeatedRequests(database: services.database, clock: services.clock)
            let request = try Request(.post, "/api/v1/gists", headers: [("Idempotency-Key", "k")])
            let (started, start) = AsyncStream<Void>.makeStream()
            let (ending, end) = AsyncStream<Void>.makeStream()
            let owner = server.owner
            let client = Task {
                _ = try await repeated.answer(request, owner) { _, _ in
                    start.yield()
                    for await _ in ending { break }
                    try Task.checkCancellation()
                    return .response(.text("made", status: 201))
                }
            }
            for await _ in started { break }
            client.cancel()
            end.yield()
            _ = await client.result
            let later = try await repeated.answer(request, owner) { _, _ in .response(.text("twice")) }
            guard case .response(let replayed) = later, case .bytes(let bytes) = replayed.body else {
                Issue.record("not a response")
                return
            }
            #expect(replayed.status == 201 && bytes == Array("made".utf8))
        }
    }

    @Test func `stopping cancels the requests that are being answered, and refuses others`() async throws {
        try await TestServer.with { server async throws in
            let services = server.services
            let repeated = RepeatedRequests(database: services.database, clock: services.clock)
            let request = try Request(.post, "/api/v1/gists", headers: [("Idempotency-Key", "k")])
            let (started, start) = AsyncStream<Void>.makeStream()
            let owner = server.owner
            let client = Task {
                _ = try await repeated.answer(request, owner) { _, _ in
                    start.yield()
                    try await Task.sleep(for: .seconds(30))
                    return .response(.text("made", status: 201))
                }
            }
            for await _ in started { break }
            await repeated.stop()
            await #expect(throws: CancellationError.self) { try await client.value }
            let refused = await #expect(throws: RoostError.self) {
                _ = try await repeated.answer(request, owner) { _, _ in .response(.text("late")) }
            }
            if case .unavailable? = refused {} else { Issue.record("\(String(describing: refused))") }
        }
    }

    @Test(arguments: ["", "a b", "\"\"", "é", String(repeating: "x", count: 256)])
    func `a key that no header should have is refused`(key: String) async throws {
        try await TestServer.with { server async throws in
            let request = try Request(.post, Self.path, headers: [("Idempotency-Key", key)])
            let services = server.services
            let repeated = RepeatedRequests(database: services.database, clock: services.clock)
            await #expect(throws: RoostError.self) {
                _ = try await repeated.answer(request, server.owner) { _, _ in .response(.text("made")) }
            }
        }
    }
}
