import Foundation
import Synchronization
import Testing

@testable import HTTPClient

@Suite struct LimitTests {
    /// 64 MiB of zeros, compressed with Node's zlib (brotli).
    private static let bomb = Data(
        base64Encoded: """
            y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+D\
            fwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/L//8//BMAcVgAoHv/Bw==
            """)

    private func request(_ server: ScriptedServer, limit: Int) -> ClientRequest {
        var request = ClientRequest(url: server.url)
        request.maximumBytes = limit
        return request
    }

    @Test func `a body of exactly the limit is accepted, and one byte more is not`() async throws {
        try await withServer(answering { connection, _ in connection.answer(text: "12345") }) {
            client, server in
            let answer = try await client.send(request(server, limit: 5))
            #expect(answer.text == "12345")
            #expect(await failure(client, request(server, limit: 4)) == .tooLarge(limit: 4))
        }
    }

    @Test func `a too large announced length is refused before the body arrives`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n")
            _ = connection.waitUntilClosed()
        }) { client, server in
            let error = await quickly { await failure(client, request(server, limit: 1_000_000)) }
            #expect(error == .tooLarge(limit: 1_000_000))
        }
    }

    @Test func `an endless chunked body is cut off`() async throws {
        let stopped = Atomic(false)
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            var sent = 0
            while sent < 200_000, connection.send(chunk) { sent += 1 }
            stopped.store(sent < 200_000, ordering: .relaxed)
        }) { client, server in
            #expect(await failure(client, request(server, limit: 100_000)) == .tooLarge(limit: 100_000))
            try await wait("the server's sending fails") { stopped.load(ordering: .relaxed) }
        }
    }

    @Test func `a decompression bomb is stopped at the limit`() async throws {
        let bomb = try #require(Self.bomb)
        #expect(bomb.count < 200)
        try await withServer(
            answering { connection, _ in connection.answer(headers: ["Content-Encoding: br"], Array(bomb)) }
        ) { client, server in
            #expect(
                await failure(client, request(server, limit: 1_000_000)) == .tooLarge(limit: 1_000_000))
            // The same bytes under a sufficient limit: it was a bomb, not a malformed body.
            let answer = try await client.send(request(server, limit: 67_108_864))
            #expect(answer.body.count == 67_108_864)
        }
    }

    @Test func `endless headers are cut off`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\n")
            var sent = 0
            while sent < 100_000, connection.send("X-More: \(String(repeating: "y", count: 1_000))\r\n") {
                sent += 1
            }
        }) { client, server in
            #expect(await failure(client, request(server, limit: 10)) == .tooLarge(limit: 262_144))
        }
    }

    @Test func `endless informational answers are cut off`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            while connection.send(
                "HTTP/1.1 103 Early Hints\r\nX: \(String(repeating: "y", count: 900))\r\n\r\n")
            {}
        }) { client, server in
            #expect(await failure(client, request(server, limit: 10)) == .tooLarge(limit: 262_144))
        }
    }
}
