import Testing

@testable import HTTPClient

@Suite struct AnswerTests {
    private static let text = String(repeating: "Roost ", count: 200)

    /// `text` compressed with Node's zlib.
    private static let encoded: [(name: String, hex: String)] = [
        ("br", "1baf04f88d54b5bf7c939a2b10bab02d0e40461c"),
        ("gzip", "1f8b08000000000000030bcacf2f2e51081a2547c95172941cf42400f6d155b9b0040000"),
    ]

    private static func bytes(hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }

    @Test(arguments: encoded.map(\.name)) func `a compressed body is decoded`(encoding: String) async throws {
        let hex = try #require(Self.encoded.first { $0.name == encoding }?.hex)
        try await withServer(
            answering { connection, request in
                guard request["Accept-Encoding"]?.contains(encoding) == true else {
                    return connection.answer("406 No")
                }
                connection.answer(headers: ["Content-Encoding: \(encoding)"], Self.bytes(hex: hex))
            }
        ) { client, server in
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.status == 200)
            #expect(answer.text == Self.text)
        }
    }

    @Test func `a body that cannot be decoded is a malformed answer`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.answer(headers: ["Content-Encoding: gzip"], text: "not gzip")
            }
        ) { client, server in
            guard case .malformedAnswer = await failure(client, ClientRequest(url: server.url)) else {
                Issue.record("taken for gzip")
                return
            }
        }
    }

    @Test func `an answer other than HTTP is malformed`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("SSH-2.0-OpenSSH_9.2\r\n")
        }) { client, server in
            guard case .malformedAnswer = await failure(client, ClientRequest(url: server.url)) else {
                Issue.record("taken for HTTP")
                return
            }
        }
    }

    @Test func `a chunked body is assembled and its trailers are dropped`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n")
                connection.send("3\r\nabc\r\n2\r\nde\r\n0\r\nX-Late: 1\r\nHTTP/1.1 500 No: 1\r\n\r\n")
            }
        ) { client, server in
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.text == "abcde")
            #expect(answer.headers["X-Late"] == nil)
            #expect(answer.status == 200)
        }
    }

    @Test func `an invalid trailer is a malformed answer`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 500 No\r\n\r\n")
            }
        ) { client, server in
            guard case .malformedAnswer = await failure(client, ClientRequest(url: server.url)) else {
                Issue.record("taken for a trailer")
                return
            }
        }
    }

    @Test func `headers of informational answers are dropped`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Early: 1\r\n\r\n")
                connection.send("HTTP/1.1 102 Processing\r\nX-Early: 2\r\n\r\n")
                connection.answer(headers: ["Link: </b>"], text: "done")
            }
        ) { client, server in
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.status == 200)
            #expect(answer.text == "done")
            #expect(answer.headers.all("Link") == ["</b>"])
            #expect(answer.headers["X-Early"] == nil)
        }
    }

    @Test func `unusual headers are read: folded, blank, without a colon, not UTF-8`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.send("HTTP/1.1 200 OK\r\nX-Fold: a\r\n  b\r\nX-Blank:\r\nX-Tab:\t c \r\nX-Bad: ")
                connection.send([0xff, 0x41])
                connection.send("\r\nContent-Length: 0\r\n\r\n")
            }
        ) { client, server in
            let headers = try await client.send(ClientRequest(url: server.url)).headers
            #expect(headers["X-Fold"] == "a b")
            #expect(headers["X-Blank"] == "")
            #expect(headers["X-Tab"] == "c")
            #expect(headers["X-Bad"] == "\u{fffd}A")
        }
    }

    @Test func `cookies are not stored`() async throws {
        try await withServer(
            answering { connection, request in
                connection.answer(headers: ["Set-Cookie: a=b; Path=/"], text: request["Cookie"] ?? "none")
            }
        ) { client, server in
            for _ in 1...2 {
                let answer = try await client.send(ClientRequest(url: server.url))
                #expect(answer.text == "none")
            }
        }
    }

    @Test func `an HTTP 1.0 answer that ends with the connection is complete`() async throws {
        try await withServer({ connection in
            _ = connection.request()
            connection.send("HTTP/1.0 200 OK\r\n\r\nto the end")
        }) { client, server in
            let answer = try await client.send(ClientRequest(url: server.url))
            #expect(answer.text == "to the end")
            #expect(answer.httpVersion == .http1)
        }
    }
}
