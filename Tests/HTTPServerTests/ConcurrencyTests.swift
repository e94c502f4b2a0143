import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Many clients at once behave in different ways.
@Suite(.bothTransports) struct ConcurrencyTests {
    private var routes: [Route] {
        let page = PreparedResponse(.html(String(repeating: "page ", count: 2_000)))
        return [
            Route(.get, "/ready/{n}", .ready { .response(.text($0.parameters["n"])) }),
            Route(.get, "/page", .ready { _ in .prepared(page) }),
            Route(
                .get, "/async/{n}",
                .async { request in
                    await Task.yield()
                    return .response(.text(request.parameters["n"]))
                }),
            Route(
                .get, "/deferred/{n}",
                .deferred { request, responder in
                    Task { responder.respond(.text(request.parameters["n"])) }
                }),
            Route(
                .get, "/stream/{n}",
                .ready { request in
                    .response(
                        .stream(
                            ByteStream(
                                AsyncStream { continuation in
                                    for byte in request.parameters["n"].utf8 { continuation.yield([byte]) }
                                    continuation.finish()
                                })))
                }),
            Route(.post, "/echo", .async { .response(.text(String(decoding: $0.body, as: UTF8.self))) }),
        ]
    }

    private static func converse(_ client: RawClient, _ round: Int) throws -> Bool {
        let number = "\(round)"
        for way in ["ready", "async", "deferred", "stream"] {
            guard try client.get("/\(way)/\(number)").text == number else { return false }
        }
        guard try client.ask("POST", "/echo", body: Array(number.utf8)).text == number else { return false }
        let compressed = try client.get("/page", [("Accept-Encoding", "gzip")])
        return try compressed["Content-Encoding"] == "gzip" && client.get("/page").body.count == 10_000
    }

    @Test func `every client gets its own answers, whatever the others do`() async throws {
        let failures = Record<String>()
        let server = try Transport.start(routes) { $0.threads = 3 }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    await blocking {
                        do {
                            let client = try RawClient(server.address)
                            for round in 0..<40 where try !Self.converse(client, number * 1_000 + round) {
                                failures.add("client \(number) round \(round)")
                            }
                        } catch {
                            failures.add("client \(number): \(error)")
                        }
                    }
                }
            }
        }
        await server.stop()
        #expect(failures.all == [])
    }

    @Test func `clients that connect and leave at any time leave nothing behind`() async throws {
        let log = Record<Int>()
        let server = try Transport.start(routes) { $0.accessLog = { log.add($0.status) } }
        let paths = ["/ready/1", "/async/1", "/deferred/1", "/stream/1", "/page", "/nothing"]
        let isEmpty = await blocking {
            for round in 0..<300 {
                guard let client = try? RawClient(server.address) else { continue }
                try? client.sendRequest("GET", paths[round % paths.count])
                if round % 3 == 0 { _ = try? client.response() }
            }
            return eventually { server.connections == 0 }
        }
        #expect(isEmpty)
        await server.stop()
        #expect(log.all.allSatisfy { [200, 404, 499].contains($0) })
        #expect(log.all.count <= 300)
    }

    @Test func `many servers start and stop side by side`() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { [routes] in
                    let server = try Transport.start(routes)
                    let text = await blocking { try? ask(server, "GET", "/async/7").text }
                    await server.stop(within: .seconds(2))
                    return text ?? ""
                }
            }
            for try await text in group { #expect(text == "7") }
        }
    }

    @Test func `a server that is released without a stop ends`() async throws {
        let address: String
        do {
            let server = try Transport.start(routes)
            address = server.address
            #expect(try RawClient(address).socket >= 0)
        }
        let isGone = await blocking {
            eventually { (try? RawClient(address)) == nil }
        }
        #expect(isGone)
    }
}
