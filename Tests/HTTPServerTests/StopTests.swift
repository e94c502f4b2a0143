import Glibc
import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct StopTests {
    private let started = Record<String>()
    private let responders = Record<Responder>()
    /// Releases the handlers of `/running`.
    private let released = Record<Bool>()

    private var routes: [Route] {
        [
            Route(.get, "/", .ready { _ in .response(.text("home")) }),
            Route(
                .get, "/running",
                .async { [started, released] _ in
                    started.add("running")
                    while released.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                    return .response(.text("finished"))
                }),
            Route(
                .get, "/stuck",
                .async { [started] _ in
                    started.add("stuck")
                    try await Task.sleep(for: .seconds(600))
                    return .response(.text("never"))
                }),
            Route(
                .get, "/deaf",
                .async { [started] _ in
                    started.add("deaf")
                    // Ignores its cancellation.
                    let end = ContinuousClock.now + .seconds(3)
                    while ContinuousClock.now < end {
                        await Task { try? await Task.sleep(for: .milliseconds(20)) }.value
                    }
                    return .response(.text("too late"))
                }),
            Route(
                .get, "/poll",
                .deferred { [responders] _, responder in responders.add(responder) }),
        ]
    }

    private func server(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> Server {
        try Transport.start(routes, configure: configure)
    }

    @Test func `stopping finishes running requests, ends polls and accepts no one new`() async throws {
        let server = try server()
        let running = try RawClient(server.address)
        let poll = try RawClient(server.address)
        let idle = try RawClient(server.address)
        try running.sendRequest("GET", "/running")
        try poll.sendRequest("GET", "/poll")
        // Data that the server has not read yet, including TLS's first bytes, would turn the close into a reset.
        try idle.sendRequest("GET", "/")
        #expect(try idle.response().text == "home")
        try await met {
            started.all.count == 1 && responders.all.count == 1 && server.connections == 3
        }
        let start = ContinuousClock.now
        async let stopped: Void = server.stop(within: .seconds(60))
        let ended = await blocking { [poll] in try? poll.response() }
        released.add(true)
        let (finished, silent) = await blocking { [running, idle] in
            (try? running.response(), try? idle.rest())
        }
        await stopped
        #expect(ended?.status == 503)
        #expect(ended?["Retry-After"] == "5")
        #expect(finished?.text == "finished")
        #expect(silent == [])
        #expect(ContinuousClock.now - start < .seconds(40))
        #expect(throws: RawClient.Failure.connect(ECONNREFUSED)) { try RawClient(server.address) }
        #expect(server.connections == 0)
    }

    @Test func `a handler that does not end is cancelled at the time limit`() async throws {
        let server = try server()
        let client = try RawClient(server.address)
        try client.sendRequest("GET", "/stuck")
        try await met { started.all == ["stuck"] }
        let start = ContinuousClock.now
        await server.stop(within: .seconds(1))
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(server.connections == 0)
    }

    @Test func `a handler that ignores its cancellation does not delay the stop`() async throws {
        let server = try server()
        let client = try RawClient(server.address)
        try client.sendRequest("GET", "/deaf")
        try await met { started.all == ["deaf"] }
        let start = ContinuousClock.now
        await server.stop(within: .seconds(1))
        #expect(ContinuousClock.now - start < .seconds(60))
        let answer = await blocking { [client] in try? client.response() }
        #expect(answer?.status == 503)
    }

    @Test func `a handler that starts to wait after the stop ends with the server`() async throws {
        // The handler blocks the server's own thread until its first wait.
        let late = Route(
            .get, "/late",
            .async { [started, released] _ in
                started.add("late")
                let end = ContinuousClock.now + .seconds(30)
                while released.all.isEmpty, ContinuousClock.now < end { usleep(1_000) }
                try await Task.sleep(for: .seconds(600))
                return .response(.text("never"))
            })
        let server = try Transport.start([late]) { $0.threads = 1 }
        let client = try RawClient(server.address)
        try client.sendRequest("GET", "/late")
        try await met { started.all == ["late"] }
        await server.stop(within: .milliseconds(100))
        released.add(true)
        // Otherwise libmicrohttpd would end the process.
        try await met { server.connections == 0 }
        let answer = await blocking { [client] in try? client.response() }
        #expect(answer?.text != "never")
    }

    @Test func `a request that arrives during the stop is told so`() async throws {
        let server = try server()
        let running = try RawClient(server.address)
        let other = try RawClient(server.address)
        let first = await blocking { [other] in try? other.get("/") }
        #expect(first?.status == 200)
        try running.sendRequest("GET", "/stuck")
        try await met { started.all == ["stuck"] }
        async let stopped: Void = server.stop(within: .seconds(4))
        let answer = await blocking { [other] in
            var answer: RawResponse?
            _ = eventually {
                answer = try? other.get("/")
                return answer?.status != 200
            }
            return answer
        }
        await stopped
        #expect(answer?.status == 503)
        #expect(answer?["Connection"] == "close")
    }

    @Test func `stopping twice or without a start does no harm`() async throws {
        let never = Server(ServerConfiguration(), router: try Router([]))
        await never.stop()
        #expect(never.address == "")
        let server = try server()
        async let once: Void = server.stop()
        async let twice: Void = server.stop()
        _ = await (once, twice)
        await server.stop()
        #expect(server.connections == 0)
    }

    @Test func `repeated stops under load end only the server`() async throws {
        for _ in 0..<25 {
            let server = try server()
            let isStopped = Record<Bool>()
            async let traffic: Void = blocking {
                while isStopped.all.isEmpty { _ = try? RawClient(server.address, timeout: 2).get("/") }
            }
            let client = try RawClient(server.address)
            let answer = await blocking { try? client.get("/") }
            #expect(answer?.text == "home")
            await server.stop(within: .seconds(2))
            isStopped.add(true)
            await traffic
            #expect(server.connections == 0)
        }
    }

    @Test func `a server without clients stops at once`() async throws {
        let server = try server()
        let start = ContinuousClock.now
        await server.stop(within: .seconds(60))
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test func `the port of a stopped server is free again`() async throws {
        let first = try server()
        let address = first.address
        let client = try RawClient(address)
        _ = await blocking { [client] in try? client.get("/") }
        await first.stop()
        let second = try server { $0.address = address }
        #expect(second.address == address)
        await second.stop()
    }

    @Test func `an address in use gives a clear error`() async throws {
        let first = try server()
        let error = #expect(throws: ServerError.addressInUse(first.address)) {
            try self.server { $0.address = first.address }
        }
        #expect(error?.description.contains("another program is already listening there") == true)
        await first.stop()
    }

    @Test(arguments: [
        "", "localhost", ":80", "127.0.0.1:", "127.0.0.1:99999", "::1:80", "127.0.0.1:http", "no such:1",
    ])
    func `an invalid address gives a clear error`(address: String) throws {
        #expect(throws: ServerError.invalidAddress(address)) { try server { $0.address = address } }
    }

    @Test(arguments: [
        ("8080", "127.0.0.1:8080"), (":8080", "127.0.0.1:8080"), ("0", "127.0.0.1:0"),
        ("0.0.0.0:80", "0.0.0.0:80"), ("[::1]:80", "[::1]:80"), ("99999", "99999"), ("+80", "+80"), ("", ""),
        ("localhost", "localhost"), ("::80", "::80"),
    ])
    func `a port alone means loopback, and other text stays`(text: String, address: String) {
        #expect(ListenAddress.completed(text) == address)
    }

    @Test func `an address of another machine gives a clear error`() throws {
        let error = #expect(throws: ServerError.self) { try server { $0.address = "192.0.2.1:0" } }
        #expect(error?.description.contains("this machine does not have that address") == true)
    }

    /// Waits for the condition, at most ten seconds, without holding a thread.
    private func met(_ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        try #require(condition())
    }
}
