import Glibc
import Testing

@testable import HTTPServer

/// Only what is specific to TLS: other suites run on both transports.
@Suite struct TLSTests {
    private let routes = [
        Route(.get, "/", .ready { .response(.text($0.isSecure ? "secure" : "plain")) }),
        Route(.post, "/", .async { .response(.text("\($0.body.count)")) }),
    ]

    /// Uses TLS whatever the test's transport.
    private func servingTLS(
        _ configure: @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Server) throws -> Void
    ) async throws {
        try await Transport.$current.withValue(.tls) {
            try await serving(routes, configure: configure, body)
        }
    }

    @Test func `a request knows whether it came over TLS`() async throws {
        try await servingTLS { server in
            let answer = try ask(server, "GET", "/")
            #expect(answer.text == "secure")
        }
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/")
            #expect(answer.text == "plain")
        }
    }

    @Test(arguments: [("TLS1.3", true), ("TLS1.2", true), ("TLS1.1", false), ("TLS1.0", false)])
    func `TLS before 1_2 is refused`(version: String, isTaken: Bool) async throws {
        try await servingTLS { server in
            let client = try RawClient(server.address, versions: "NORMAL:-VERS-ALL:+VERS-\(version)")
            if isTaken {
                #expect(try client.get("/").text == "secure")
                let agreed = try client.tls?.version
                #expect(agreed == version)
            } else {
                #expect(throws: RawClient.Failure.self) { try client.get("/") }
            }
        }
    }

    @Test func `anything but TLS ends the connection and does not affect others`() async throws {
        try await servingTLS({ ($0.receiveTimeout, $0.idleTimeout) = (.milliseconds(500), .seconds(1)) }) {
            server in
            let texts = [
                "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\r\n\r\n",
                "\u{15}\u{3}\u{1}", String(repeating: "\u{0}", count: 70_000), "",
            ]
            let plainClients = try (0..<60).map { number in
                let plainClient = try RawClient(server.address, timeout: 20, isTLS: false)
                try? plainClient.send(texts[number % texts.count])
                return plainClient
            }
            for plainClient in plainClients {
                let heard = try? plainClient.rest()
                #expect(!String(decoding: heard ?? [], as: UTF8.self).contains("secure"))
            }
            #expect(eventually { server.connections == 0 })
            let answer = try ask(server, "GET", "/")
            #expect(answer.text == "secure")
        }
    }

    @Test func `a handshake that never ends is cut off`() async throws {
        let limits: (inout ServerConfiguration) -> Void = {
            $0.receiveTimeout = .milliseconds(600)
            $0.idleTimeout = .seconds(1)
        }
        try await servingTLS(limits) { server in
            let silent = try RawClient(server.address, timeout: 20, isTLS: false)
            let dripping = try RawClient(server.address, timeout: 20, isTLS: false)
            // The first bytes of a handshake that announces 512.
            try dripping.send([0x16, 3, 1, 2, 0, 1, 0, 1])
            for _ in 0..<30 {
                guard (try? dripping.send([0])) != nil else { break }
                usleep(50_000)
            }
            _ = try? dripping.rest()
            let heard = try? silent.rest()
            // Nothing, or a closing alert.
            #expect(heard?.count ?? .max < 32)
            #expect(eventually { server.connections == 0 })
        }
    }

    @Test func `a client that disappears without closing TLS frees its connection`() async throws {
        try await servingTLS { server in
            var clients = try (0..<10).map { _ in try RawClient(server.address) }
            for client in clients { #expect(try client.get("/").text == "secure") }
            for client in clients { shutdown(client.socket, Int32(SHUT_RDWR)) }
            clients.removeAll()
            #expect(eventually(within: 8) { server.connections == 0 })
        }
    }

    @Test func `an endless body is refused with a readable answer`() async throws {
        try await servingTLS { server in
            let client = try RawClient(server.address, timeout: 20)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 7, count: 65_536) + Array("\r\n".utf8)
            for _ in 0..<40 where (try? client.send(chunk)) == nil { break }
            #expect(try client.response().status == 413)
        }
    }
}
