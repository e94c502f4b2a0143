import Synchronization
import Testing

@testable import HTTPClient

/// A body is passed on in pieces as it arrives.
@Suite struct PieceTests {
    private final class Pieces: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

        func add(_ piece: [UInt8]) { bytes.withLock { $0 += piece } }
    }

    private func request(_ server: ScriptedServer, into pieces: Pieces) -> ClientRequest {
        var request = ClientRequest(url: server.url)
        request.onPiece = { pieces.add($0) }
        return request
    }

    @Test func `a piece is passed on before the server sends the next one`() async throws {
        let pieces = Pieces()
        let isOpen = Atomic(false)
        defer { isOpen.store(true, ordering: .relaxed) }
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
            while !isOpen.load(ordering: .relaxed) { pause(milliseconds: 1) }
            connection.send("3\r\ntwo\r\n0\r\n\r\n")
        }) { client, server in
            let request = request(server, into: pieces)
            let task = Task { try await client.send(request) }
            try await wait("the first piece") { pieces.text == "one" }
            isOpen.store(true, ordering: .relaxed)
            let answer = try await task.value
            #expect(answer.text == "onetwo")
            #expect(pieces.text == "onetwo")
        }
    }

    @Test(arguments: ["302 Found", "404 Not Found", "500 Error"])
    func `only the body of a success is passed on`(status: String) async throws {
        let pieces = Pieces()
        try await withServer(
            answering { connection, _ in
                connection.answer(status, headers: ["Location: /elsewhere"], text: "page")
            }
        ) { client, server in
            let answer = try await client.send(request(server, into: pieces))
            #expect(answer.text == "page")
            #expect(pieces.text.isEmpty)
        }
    }

    @Test func `pieces have at most the bytes of the limit`() async throws {
        let pieces = Pieces()
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            while connection.send(chunk) {}
        }) { client, server in
            var request = request(server, into: pieces)
            request.maximumBytes = 100_000
            #expect(await failure(client, request) == .tooLarge(limit: 100_000))
            #expect((1...100_000).contains(pieces.text.utf8.count))
        }
    }

    @Test func `no piece comes after a cancelled request has ended`() async throws {
        let pieces = Pieces()
        let isStopped = Atomic(false)
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.send("1\r\nx\r\n") { pause(milliseconds: 1) }
            isStopped.store(true, ordering: .relaxed)
        }) { client, server in
            let request = request(server, into: pieces)
            let task = Task { try await client.send(request) }
            try await wait("a piece") { !pieces.text.isEmpty }
            task.cancel()
            guard case .failure(let error) = await task.result else {
                Issue.record("the request was answered")
                return
            }
            #expect(error as? HTTPClientError == .cancelled)
            let received = pieces.text
            try await wait("the server's sending fails") { isStopped.load(ordering: .relaxed) }
            #expect(pieces.text == received)
        }
    }
}
