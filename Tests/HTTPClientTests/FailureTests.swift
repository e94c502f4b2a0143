import Glibc
import TestSupport
import Testing

@testable import HTTPClient

@Suite struct FailureTests {
    private func request(_ url: String, total: Duration = .seconds(10), connect: Duration = .seconds(5))
        -> ClientRequest
    {
        var request = ClientRequest(url: url)
        request.totalTimeout = total
        request.connectTimeout = connect
        return request
    }

    @Test func `a refused connection is a connect error`() async throws {
        let (socket, port) = try SocketListener.listeningSocket(host: "127.0.0.1", backlog: 1)
        close(socket)
        try await withClient { client in
            let error = await failure(client, request("http://127.0.0.1:\(port)/"))
            guard case .connect(let message) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(message.contains("127.0.0.1"))
        }
    }

    /// RFC 6761: no name server resolves a name under `invalid`.
    @Test func `a name that does not resolve is a resolve error`() async throws {
        var configuration = ClientConfiguration()
        configuration.proxy = ""  // one of the environment's would be asked for the name
        try await withClient(configuration) { client in
            #expect(await failure(client, request("http://name.invalid/")) == .resolve("name.invalid"))
        }
    }

    @Test func `a connection that is never accepted ends at the connect timeout`() async throws {
        let (listener, port) = try SocketListener.listeningSocket(host: "127.0.0.1", backlog: 0)
        defer { close(listener) }
        // One connection that is not accepted fills the queue, so later ones get no answer to their SYN.
        let filler = try #require(connectedSocket(port: port))
        defer { close(filler) }
        try await withClient { client in
            let request = request(
                "http://127.0.0.1:\(port)/", total: .seconds(60), connect: .milliseconds(300))
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test func `a hanging server is abandoned at the total timeout`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            _ = connection.waitUntilClosed()
        }) { client, server in
            let request = request(server.url, total: .milliseconds(300))
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test func `an answer sent byte by byte is cut off at the total timeout`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while connection.send("x") { usleep(20_000) }
        }) { client, server in
            let request = request(server.url, total: .milliseconds(400))
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test func `headers sent byte by byte are cut off at the total timeout`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Drip: 1\r\n") { usleep(20_000) }
        }) { client, server in
            let request = request(server.url, total: .milliseconds(400))
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test func `a hanging TLS handshake delays no waiting request beyond its time limit`()
        async throws
    {
        try await withServer({ _ = $0.waitUntilClosed() }) { client, server in
            let url = "https://127.0.0.1:\(server.port)/"
            let first = Task {
                await failure(client, request(url, total: .seconds(30), connect: .seconds(30)))
            }
            try await wait("the handshake hangs") { server.connections == 1 }
            let second = request(url, total: .milliseconds(200))
            #expect(await quickly { await failure(client, second) } == .timeout)
            first.cancel()
            #expect(await first.value == .cancelled)
        }
    }

    @Test func `a time limit of zero or less expires at once`() async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            #expect(await failure(client, request(server.url, total: .zero)) == .timeout)
            #expect(await failure(client, request(server.url, total: .seconds(-1))) == .timeout)
        }
    }

    @Test func `a very large time limit is accepted`() async throws {
        try await withServer(answering { connection, _ in connection.answer() }) { client, server in
            let request = request(
                server.url, total: .seconds(1_000_000_000), connect: .seconds(1_000_000_000))
            let answer = try await client.send(request)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
    func `a reset connection is an aborted answer`(sent: String) async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send(sent)
            usleep(50_000)  // the client reads what was sent before the reset drops it
            connection.reset()
        }) { client, server in
            #expect(await failure(client, request(server.url)) == .aborted)
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal", "HTTP/1.1 200 OK\r\nContent-Le",
    ])
    func `a truncated answer is an aborted answer`(sent: String) async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send(sent)
        }) { client, server in
            #expect(await failure(client, request(server.url)) == .aborted)
        }
    }

    private func connectedSocket(port: UInt16) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return code == 0 ? socket : nil
    }
}
