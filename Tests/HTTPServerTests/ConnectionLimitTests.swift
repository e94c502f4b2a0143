import Testing

@testable import HTTPServer

@Suite(.bothTransports) struct ConnectionLimitTests {
    private let routes = [Route(.get, "/", .ready { _ in .response(.text("home")) })]

    @Test func `beyond the limit a client is told to come back, and served when there is room`() async throws
    {
        let limit: (inout ServerConfiguration) -> Void = {
            $0.connectionLimit = 8
            $0.crowdedTimeout = .seconds(60)
            $0.headers = [("X-Frame-Options", "DENY")]
        }
        try await serving(routes, configure: limit) { server in
            var clients: [RawClient] = []
            for _ in 0..<8 {
                let client = try RawClient(server.address)
                #expect(try client.get("/").status == 200)
                clients.append(client)
            }
            for _ in 0..<20 {
                let refused = try RawClient(server.address)
                let answer = try refused.get("/")
                #expect(answer.status == 503)
                #expect(answer["Retry-After"] == "5")
                #expect(answer["Connection"] == "close")
                #expect(answer["X-Frame-Options"] == "DENY")
                #expect(try refused.rest() == [])
            }
            #expect(try clients[7].get("/").status == 200)
            clients.removeAll()
            #expect(eventually { server.connections == 0 })
            #expect(try ask(server, "GET", "/").status == 200)
        }
    }

    @Test(arguments: [true, false])
    func `silent clients do not keep the others out`(haveAsked: Bool) async throws {
        // Over TLS the handshake counts as the begin of a request.
        let limits: (inout ServerConfiguration) -> Void = {
            ($0.connectionLimit, $0.crowdedTimeout, $0.receiveTimeout) = (8, .seconds(2), .seconds(2))
        }
        try await serving(routes, configure: limits) { server in
            var silent: [RawClient] = []
            for number in 0..<8 {
                let client = try RawClient(server.address)
                if haveAsked || number < 6 { #expect(try client.get("/").status == 200) }
                silent.append(client)
            }
            #expect(eventually { server.connections == 8 })
            #expect(try ask(server, "GET", "/").status == 503)
            #expect(eventually { (try? ask(server, "GET", "/").status) == 200 })
            #expect(try silent[0].get("/").status == 200)
        }
    }

    @Test func `one address cannot use all connections`() async throws {
        let limits: (inout ServerConfiguration) -> Void = {
            $0.address = "[::]:0"
            $0.connectionsPerPeer = 3
            $0.isExemptPeer = { $0.description == "::1" }
        }
        try await serving(routes, configure: limits) { server in
            let port = server.address.split(separator: ":").last ?? ""
            var greedy = try (0..<3).map { _ in try RawClient("127.0.0.1:\(port)") }
            for client in greedy { #expect(try client.get("/").status == 200) }
            let refused = try RawClient("127.0.0.1:\(port)")
            #expect(try refused.get("/").status == 503)
            #expect(try refused.rest() == [])
            let other = try RawClient("127.0.0.2:\(port)", from: "127.0.0.2")
            #expect(try other.get("/").status == 200)
            let exempt = try (0..<10).map { _ in try RawClient("[::1]:\(port)") }
            for client in exempt { #expect(try client.get("/").status == 200) }
            greedy.removeLast()
            #expect(eventually { (try? RawClient("127.0.0.1:\(port)").get("/").status) == 200 })
            #expect(try greedy[0].get("/").status == 200)
        }
    }

    @Test func `an address far beyond its limit gets no answer and takes no other's connection`()
        async throws
    {
        let limits: (inout ServerConfiguration) -> Void = {
            $0.connectionLimit = 100
            $0.connectionsPerPeer = 2
            $0.isExemptPeer = { _ in false }
        }
        try await serving(routes, configure: limits) { server in
            // Threads accept connections in any order: the first one must be counted before the others come.
            let first = try RawClient(server.address, timeout: 2)
            #expect(try first.get("/").status == 200)
            let others = try (0..<149).map { _ in try RawClient(server.address, timeout: 2) }
            #expect(throws: RawClient.Failure.self) { try others[148].get("/") }
            #expect(try first.get("/").status == 200)
            #expect(server.connections <= 75)
            let other = try RawClient(server.address, from: "127.0.0.2")
            #expect(try other.get("/").status == 200)
        }
    }

    @Test func `far beyond the limit connections are closed at once, and the others are still served`()
        async throws
    {
        try await serving(routes, configure: { $0.connectionLimit = 4 }) { server in
            let first = try RawClient(server.address, timeout: 2)
            #expect(try first.get("/").status == 200)
            // Roost's limit, the 64 that still get an answer, and more.
            let others = try (0..<99).map { _ in try RawClient(server.address, timeout: 2) }
            #expect(throws: RawClient.Failure.self) { try others[98].get("/") }
            #expect(try first.get("/").status == 200)
            // Two threads may each accept one more at the same moment.
            #expect(server.connections <= 70)
        }
    }

    @Test func `clients with refused bodies can read their 503`() async throws {
        let routes = [Route(.post, "/", .ready { _ in .response(.text("taken")) })]
        try await serving(routes, configure: { $0.connectionLimit = 1 }) { server in
            let first = try RawClient(server.address)
            #expect(try first.ask("POST", "/", body: []).status == 200)
            let second = try RawClient(server.address)
            #expect(try second.ask("POST", "/", body: [UInt8](repeating: 1, count: 2_000_000)).status == 503)
        }
    }
}
