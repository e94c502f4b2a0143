import Glibc
import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct StopTests {
    private let started = Record<String>()
    private let responders = Record<Responder>()
    /// Lets the handlers of `/running` end.
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
                    // Does not hear of its cancellation.
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

    @Test func `a running request is finished, polls are ended, and nobody new is let in`() async throws {
        let server = try server()
        let running = try RawClient(server.address)
        let poll = try RawClient(server.address)
        let idle = try RawClient(server.address)
        try running.sendRequest("GET", "/running")
        try poll.sendRequest("GET", "/poll")
        // What the server has not read yet, of TLS's first words too, would make the end of the connection a reset.
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

    @Test func `a handler that does not end is cancelled in time`() async throws {
        let server = try server()
        let client = try RawClient(server.address)
        try client.sendRequest("GET", "/stuck")
        try await met { started.all == ["stuck"] }
        let start = ContinuousClock.now
        await server.stop(within: .seconds(1))
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(server.connections == 0)
    }

    @Test func `a handler that does not even hear of its cancellation does not hold up the end`() async throws
    {
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

    @Test func `a handler that begins to wait only after the end ends with the server`() async throws {
        // It runs on the server's own thread up to its first wait, and holds that up.
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
        // libmicrohttpd would end the process.
        try await met { server.connections == 0 }
        let answer = await blocking { [client] in try? client.response() }
        #expect(answer?.text != "never")
    }

    @Test func `a request that comes while it stops is told so`() async throws {
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

    @Test func `stopping twice, or without a start, is harmless`() async throws {
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

    @Test func `ending amid traffic, again and again, ends nothing but the server`() async throws {
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

    @Test func `a server without visitors stops at once`() async throws {
        let server = try server()
        let start = ContinuousClock.now
        await server.stop(within: .seconds(60))
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test func `its port is free again`() async throws {
        let first = try server()
        let address = first.address
        let client = try RawClient(address)
        _ = await blocking { [client] in try? client.get("/") }
        await first.stop()
        let second = try server { $0.address = address }
        #expect(second.address == address)
        await second.stop()
    }

    @Test func `an address in use is said in words`() async throws {
        let first = try server()
        let error = #expect(throws: ServerError.addressInUse(first.address)) {
            try self.server { $0.address = first.address }
        }
        #expect(error?.description.contains("another program listens there") == true)
        await first.stop()
    }

    @Test(arguments: [
        "", "localhost", ":80", "127.0.0.1:", "127.0.0.1:99999", "::1:80", "127.0.0.1:http", "no such:1",
    ])
    func `an address that cannot be read is said in words`(address: String) throws {
        #expect(throws: ServerError.badAddress(address)) { try server { $0.address = address } }
    }

    @Test func `an address of another machine is said in words`() throws {
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
