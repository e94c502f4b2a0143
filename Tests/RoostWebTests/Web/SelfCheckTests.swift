import Glibc
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport
@testable import roost

/// The check before each sign of life for systemd.
@Suite(.timeLimit(.minutes(5))) struct SelfCheckTests {
    @Test func `a server that answers is alive`() async throws {
        try await TestServer.with { testServer in
            let check = SelfCheck(
                address: testServer.server.address, database: testServer.services.database)
            #expect(await check.answers(within: .seconds(60)))
        }
    }

    @Test func `a server that accepts connections without answering is not alive`() async throws {
        let (socket, port) = try SocketListener.listeningSocket(host: "127.0.0.1", backlog: 8)
        defer { close(socket) }
        try await TestServer.with { testServer in
            let check = SelfCheck(address: "127.0.0.1:\(port)", database: testServer.services.database)
            #expect(await check.answers(within: .milliseconds(300)) == false)
        }
    }

    @Test(arguments: ["127.0.0.1:1", "[::1]:1", "nowhere", ""])
    func `an address where no one listens is not alive`(address: String) async throws {
        try await TestServer.with { testServer in
            let check = SelfCheck(address: address, database: testServer.services.database)
            #expect(await check.answers(within: .seconds(60)) == false)
        }
    }

    @Test func `a damaged database does not lead to a restart`() async throws {
        try await TestServer.with { testServer in
            testServer.services.health.noteDamage("Page 3 is not a page.")
            let check = SelfCheck(
                address: testServer.server.address, database: testServer.services.database)
            #expect(await check.answers(within: .seconds(60)))
        }
    }
}
