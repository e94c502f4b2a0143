import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Answers are generated while they are sent, or broken on purpose for a simulator.
@Suite(.bothTransports) struct StreamTests {
    private struct Broken: Error {}

    private static func counting(to last: Int, every pause: Duration = .zero, failing: Bool = false)
        -> ByteStream
    {
        let next = Mutex(0)
        return ByteStream(
            AsyncThrowingStream<[UInt8], any Error> {
                let number = next.withLock { next in
                    next += 1
                    return next
                }
                if number > last {
                    if failing { throw Broken() }
                    return nil
                }
                if pause > .zero { try await Task.sleep(for: pause) }
                return Array("\(number)\n".utf8)
            })
    }

    private let routes = [
        Route(.get, "/", .ready { _ in .response(.text("home")) }),
        Route(.get, "/fast", .ready { _ in .response(.stream(counting(to: 20_000))) }),
        Route(.get, "/slow", .async { _ in .response(.stream(counting(to: 5, every: .milliseconds(60)))) }),
        Route(
            .get, "/endless", .ready { _ in .response(.stream(counting(to: .max, every: .milliseconds(20)))) }
        ),
        Route(.get, "/flood", .ready { _ in .response(.stream(counting(to: .max))) }),
        Route(.get, "/broken", .ready { _ in .response(.stream(counting(to: 3, failing: true))) }),
        Route(.get, "/empty", .ready { _ in .response(.stream(counting(to: 0))) }),
        Route(.get, "/abort", .ready { _ in .response(.abort) }),
        Route(.get, "/abort-late", .async { _ in .response(.abort) }),
        Route(.get, "/truncated", .ready { _ in .response(.truncated(Array("half".utf8), promising: 8)) }),
    ]

    @Test func `a stream arrives complete, and the connection stays open`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get("/fast")
            #expect(answer["Transfer-Encoding"] == "chunked")
            #expect(answer.text == (1...20_000).map { "\($0)\n" }.joined())
            #expect(try client.get("/empty").text == "")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test func `HEAD of a stream sends only the headers`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("HEAD", "/slow")
            #expect(try client.response(toHead: true).status == 200)
            #expect(try client.rest() == [])
        }
    }

    /// Two pieces, the second after the release.
    private static func held(until release: Record<Void>) -> ByteStream {
        let next = Mutex(0)
        return ByteStream(
            AsyncThrowingStream<[UInt8], any Error> {
                let number = next.withLock { next in
                    next += 1
                    return next
                }
                while number == 2, release.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                return number > 2 ? nil : Array("piece \(number)".utf8)
            })
    }

    @Test func `a slow stream arrives piece by piece and blocks no one`() async throws {
        let release = Record<Void>()
        let held = Route(.get, "/held", .ready { _ in .response(.stream(Self.held(until: release))) })
        let limits: (inout ServerConfiguration) -> Void = {
            $0.threads = 1
            $0.sendTimeout = .milliseconds(200)
            $0.idleTimeout = .milliseconds(400)
        }
        try await serving(routes + [held], configure: limits) { server in
            let slow = try RawClient(server.address)
            try slow.sendRequest("GET", "/held")
            try slow.wait(for: "piece 1")
            #expect(try ask(server, "GET", "/").text == "home")
            // Longer than any limit: waiting for the handler does not count as slow reading.
            usleep(700_000)
            release.add(())
            #expect(try slow.response().text == "piece 1piece 2")
        }
    }

    @Test(arguments: ["/endless", "/flood"])
    func `a client that leaves ends the stream`(path: String) async throws {
        try await serving(routes) { server in
            var client: RawClient? = try RawClient(server.address)
            try client?.sendRequest("GET", path)
            _ = try client?.take(100)
            client = nil
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test func `a failed stream does not look complete`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(throws: RawClient.Failure.self) { try client.get("/broken") }
        }
    }

    @Test(arguments: ["/abort", "/abort-late"]) func `an abort resets the connection`(path: String)
        async throws
    {
        try await serving(routes) { server in
            for _ in 0..<5 {
                let client = try RawClient(server.address)
                #expect(throws: RawClient.Failure.reset) { try client.get(path) }
            }
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test func `a truncated answer announces more than it sends`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.sendRequest("GET", "/truncated")
            let text = String(decoding: try client.rest(), as: UTF8.self)
            #expect(text.contains("Content-Length: 8\r\n"))
            #expect(text.hasSuffix("\r\n\r\nhalf"))
        }
    }
}
