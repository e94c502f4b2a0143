import FoundationEssentials
import TestSupport
import Testing

@testable import HTTPClient
@testable import HTTPServer

/// Both ends of TLS are Roost's: this checks libcurl's verification and what the server presents.
@Suite(.enabled(if: Nginx.isExpected, Nginx.reason)) struct ServerOverTLSTests {
    private let routes = [
        Route(.get, "/", .ready { .response(.text("\($0.isSecure)")) }),
        Route(.post, "/", bodyLimit: 5_000_000, .async { .response(.content($0.body, type: "a/b")) }),
    ]

    private func serving(_ body: (String, TemporaryFolder) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await Nginx.makeCertificates(in: folder, names: "IP:127.0.0.1")
        var configuration = ServerConfiguration()
        configuration.tls = try TLSIdentity.load(
            certificate: folder.file("server.pem"), key: folder.file("server.key"))
        let server = Server(configuration, router: try Router(routes))
        try server.start()
        let result: Result<Void, any Error>
        do { result = .success(try await body("https://\(server.address)/", folder)) } catch {
            result = .failure(error)
        }
        await server.stop(within: .seconds(2))
        try result.get()
    }

    @Test func `a client that trusts the authority is answered over one connection`() async throws {
        try await serving { url, folder in
            var trusting = ClientConfiguration()
            trusting.certificateAuthority = folder.file("ca.pem")
            try await withClient(trusting) { client in
                let first = try await client.send(ClientRequest(url: url))
                #expect(first.status == 200)
                #expect(first.text == "true")
                let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
                let second = try await client.send(ClientRequest("POST", url, body: body))
                #expect(second.body == body)
                #expect(second.connectionReused)
            }
        }
    }

    @Test func `a client that does not know the authority refuses the certificate`() async throws {
        try await serving { url, _ in
            let error = await withClientFailure(url)
            guard case .untrusted = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    private func withClientFailure(_ url: String) async -> HTTPClientError {
        let client = HTTPClient(userAgent: "Roost/test")
        defer { client.shutdown() }
        return await failure(client, ClientRequest(url: url))
    }
}
