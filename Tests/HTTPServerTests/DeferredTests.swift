import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct DeferredTests {
    private let waiting = Record<Responder>()

    private var routes: [Route] {
        [
            Route(.get, "/poll", .deferred { [waiting] _, responder in waiting.add(responder) }),
            Route(.get, "/at-once", .deferred { _, responder in responder.respond(.text("now")) }),
            Route(.get, "/dropped", .deferred { _, _ in }),
            Route(.get, "/", .ready { _ in .response(.text("home")) }),
        ]
    }

    @Test func `hundreds of polls wait without threads and are all answered at once`() async throws {
        let prepared = PreparedResponse(.text("changed"))
        try await serving(routes) { [waiting] server in
            var clients: [RawClient] = []
            for _ in 0..<400 {
                let client = try RawClient(server.address)
                try client.sendRequest("GET", "/poll")
                clients.append(client)
            }
            #expect(eventually { waiting.all.count == 400 })
            #expect(try ask(server, "GET", "/").text == "home")
            for responder in waiting.all { #expect(responder.respond(prepared)) }
            for client in clients { #expect(try client.response().text == "changed") }
            for client in clients { #expect(try client.get("/").text == "home") }
        }
    }

    @Test func `an answer given before the handler returns is sent`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            for _ in 0..<50 { #expect(try client.get("/at-once").text == "now") }
        }
    }

    @Test func `only the first answer counts`() async throws {
        try await serving(routes) { [waiting] server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/poll")
            #expect(eventually { waiting.all.count == 1 })
            let responder = waiting.all[0]
            #expect(responder.isOpen)
            #expect(responder.respond(.text("first")))
            #expect(!responder.respond(.text("second")))
            #expect(!responder.isOpen)
            #expect(try client.response().text == "first")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `a responder that is released without an answer sends 500`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/dropped").status == 500)
        }
    }

    @Test func `an answer made while sending is the only one`() async throws {
        try await serving(routes) { [waiting] server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/poll")
            #expect(eventually { waiting.all.count == 1 })
            let responder = waiting.all[0]
            #expect(responder.respond { PreparedResponse(.text("made")) })
            #expect(!responder.isOpen)
            #expect(!responder.respond { PreparedResponse(.text("too late")) })
            #expect(try client.response().text == "made")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `an answer made while sending may be given at once`() async throws {
        let route = Route(
            .get, "/at-once",
            .deferred { _, responder in responder.respond { PreparedResponse(.text("made")) } })
        try await serving([route]) { server in
            let client = try RawClient(server.address)
            for _ in 0..<50 { #expect(try client.get("/at-once").text == "made") }
        }
    }

    @Test func `no answer is made for a client that has left`() async throws {
        let calls = Record<Bool>()
        try await serving(routes) { [waiting] server in
            var client: RawClient? = try RawClient(server.address)
            try client?.sendRequest("GET", "/poll")
            #expect(eventually { waiting.all.count == 1 })
            client = nil
            #expect(eventually { server.connections == 0 })
            let isFirst = waiting.all[0].respond {
                calls.add(true)
                return PreparedResponse(.text("too late"))
            }
            #expect(!isFirst && calls.all.isEmpty)
        }
    }

    @Test func `answers from many threads at the moment of suspension are all sent`() async throws {
        let racing = Route(
            .get, "/race",
            .deferred { _, responder in
                Task { responder.respond(.text("raced")) }
            })
        try await serving([racing]) { server in
            let clients = try (0..<20).map { _ in try RawClient(server.address) }
            for _ in 0..<50 {
                for client in clients { try client.sendRequest("GET", "/race") }
                for client in clients { #expect(try client.response().text == "raced") }
            }
        }
    }

    @Test func `a client that leaves during its poll frees its connection`() async throws {
        let log = Record<Int>()
        let logging: (inout ServerConfiguration) -> Void = { $0.accessLog = { log.add($0.status) } }
        try await serving(routes, configure: logging) { [waiting] server in
            var client: RawClient? = try RawClient(server.address)
            try client?.sendRequest("GET", "/poll")
            #expect(eventually { waiting.all.count == 1 })
            client = nil
            #expect(eventually { server.connections == 0 })
            #expect(!waiting.all[0].respond(.text("too late")))
            #expect(log.all == [499])
        }
    }

    @Test func `a client that leaves cancels its async handler`() async throws {
        let cancelled = Record<Bool>()
        let long = Route(
            .get, "/long",
            .async { _ in
                do {
                    try await Task.sleep(for: .seconds(60))
                } catch {
                    cancelled.add(Task.isCancelled)
                    throw error
                }
                return .response(.text("never"))
            })
        try await serving([long]) { server in
            var client: RawClient? = try RawClient(server.address)
            try client?.sendRequest("GET", "/long")
            #expect(eventually { server.connections == 1 })
            usleep(50_000)
            client = nil
            #expect(eventually { cancelled.all == [true] })
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test func `a pipelined request waits for the poll before it`() async throws {
        try await serving(routes) { [waiting] server in
            let client = try RawClient(server.address)
            try client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { waiting.all.count == 1 })
            waiting.all[0].respond(.text("changed"))
            #expect(try client.response().text == "changed")
            #expect(try client.response().text == "home")
        }
    }

    private final class Witness: Sendable {}

    private func witnessed(by witnesses: Record<WeakReference<Witness>>) -> [Route] {
        let witness: @Sendable () -> Witness = {
            let witness = Witness()
            witnesses.add(WeakReference(witness))
            return witness
        }
        return [
            Route(
                .get, "/deferred",
                .deferred { _, responder in
                    Task { [witness = witness()] in
                        responder.respond(.text("done"))
                        _ = witness
                    }
                }),
            Route(
                .get, "/streamed",
                .async { _ in
                    let chunks = AsyncStream<[UInt8]> { [witness = witness()] in
                        _ = witness
                        return nil
                    }
                    return .response(.stream(ByteStream(chunks)))
                }),
        ]
    }

    @Test func `objects held by a request are released with it`() async throws {
        let witnesses = Record<WeakReference<Witness>>()
        try await serving(witnessed(by: witnesses)) { server in
            let client = try RawClient(server.address)
            for _ in 0..<10 {
                #expect(try client.get("/deferred").text == "done")
                #expect(try client.get("/streamed").status == 200)
            }
            #expect(witnesses.all.count == 20)
            #expect(eventually { witnesses.all.allSatisfy { !$0.isAlive } })
        }
    }
}

/// Observes an object without retaining it.
final class WeakReference<Object: AnyObject & Sendable>: Sendable {
    private let reference: Mutex<Weak>

    private struct Weak { weak var object: Object? }

    init(_ object: Object?) { reference = Mutex(Weak(object: object)) }

    var isAlive: Bool { reference.withLock { $0.object != nil } }
}
