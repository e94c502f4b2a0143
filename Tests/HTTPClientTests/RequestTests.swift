import Testing

@testable import HTTPClient

@Suite struct RequestTests {
    /// Answers with the request itself.
    static let echo = answering { connection, request in
        let lines = [request.line] + request.headers.map { "\($0.name): \($0.value)" }
        let body = lines.joined(separator: "\n") + "\n\n" + String(decoding: request.body, as: UTF8.self)
        connection.answer(text: body)
    }

    @Test func `a GET returns status, headers, body, version and final address`() async throws {
        try await withServer(
            answering { connection, _ in
                connection.answer(
                    "203 Somehow", headers: ["X-One: 1", "x-one: 2", "ETag: \"a\""], text: "hello")
            }
        ) { client, server in
            let answer = try await client.send(ClientRequest(url: server.url + "/a?b=c"))
            #expect(answer.status == 203)
            #expect(answer.text == "hello")
            #expect(answer.headers["X-ONE"] == "1")
            #expect(answer.headers.all("x-One") == ["1", "2"])
            #expect(answer.headers["missing"] == nil)
            #expect(answer.etag == "\"a\"")
            #expect(answer.finalURL == server.url + "/a?b=c")
            #expect(answer.httpVersion == .http1_1)
            #expect(!answer.connectionReused)
        }
    }

    @Test func `a User-Agent is always sent, and the request's own wins`() async throws {
        try await withServer(Self.echo) { client, server in
            let plain = try await client.send(ClientRequest(url: server.url)).text
            #expect(plain.contains("User-Agent: Roost/test\n"))
            let own = ClientRequest("GET", server.url, headers: [("User-Agent", "Other/1")])
            let sent = try await client.send(own).text
            #expect(sent.contains("User-Agent: Other/1\n"))
            #expect(!sent.contains("Roost/test"))
        }
    }

    @Test func `headers are sent as given, even with an empty value`() async throws {
        try await withServer(Self.echo) { client, server in
            let headers = [("x-cg-demo-api-key", "k y"), ("X-Empty", ""), ("Accept", "text/x")]
            let sent = try await client.send(ClientRequest("GET", server.url, headers: headers)).text
            #expect(sent.contains("x-cg-demo-api-key: k y\n"))
            #expect(sent.contains("X-Empty: \n"))
            #expect(sent.contains("Accept: text/x\n"))
            #expect(!sent.contains("*/*"))
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "M-SEARCH"])
    func `a body can be sent with any method`(method: String) async throws {
        try await withServer(Self.echo) { client, server in
            let body = [UInt8]("{\"a\":\0}".utf8)
            let headers = [("Content-Type", "application/json")]
            let sent = try await client.send(ClientRequest(method, server.url, headers: headers, body: body))
                .text
            #expect(sent.hasPrefix("\(method) / HTTP/1.1\n"))
            #expect(sent.contains("Content-Length: 7\n"))
            #expect(sent.contains("Content-Type: application/json\n"))
            #expect(sent.hasSuffix("\n\n{\"a\":\0}"))
        }
    }

    @Test func `a large body is sent at once, without waiting for a 100`() async throws {
        try await withServer(Self.echo) { client, server in
            let body = [UInt8](repeating: 120, count: 2_000_000)
            let sent = try await client.send(ClientRequest("POST", server.url, body: body)).text
            #expect(sent.contains("Content-Length: 2000000\n"))
            #expect(!sent.contains("Expect"))
            #expect(!sent.contains("Content-Type"))
        }
    }

    @Test func `a POST or DELETE may have no body`() async throws {
        try await withServer(Self.echo) { client, server in
            let post = try await client.send(ClientRequest("POST", server.url)).text
            #expect(post.hasPrefix("POST / ") && post.contains("Content-Length: 0\n"))
            let delete = try await client.send(ClientRequest("DELETE", server.url)).text
            #expect(delete.hasPrefix("DELETE / ") && !delete.contains("Content-Length"))
        }
    }

    @Test func `HEAD returns the headers, whatever length they announce`() async throws {
        try await withServer(
            answering { connection, request in
                connection.send(
                    "HTTP/1.1 200 \(request.line.prefix(4))\r\nContent-Length: 99999999\r\nX-A: b\r\n\r\n")
            }
        ) { client, server in
            var request = ClientRequest("HEAD", server.url)
            request.maximumBytes = 10
            let answer = try await client.send(request)
            #expect(answer.headers["X-A"] == "b")
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `a conditional request is answered 304`() async throws {
        try await withServer(
            answering { connection, request in
                guard request["If-None-Match"] == "\"v1\"" else {
                    return connection.answer(headers: ["ETag: \"v1\""], text: "body")
                }
                connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nContent-Length: 4\r\n\r\n")
            }
        ) { client, server in
            var request = ClientRequest(url: server.url)
            request.ifNoneMatch = "\"old\""
            request.ifNoneMatch = try await client.send(request).etag
            #expect(request.headers.count == 1)
            let answer = try await client.send(request)
            #expect(answer.status == 304)
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `input that would break the framing is not sent`() async throws {
        try await withServer(Self.echo) { client, server in
            let requests = [
                ClientRequest("GET / HTTP/1.1\r\nX: y", server.url), ClientRequest("", server.url),
                ClientRequest("GET", server.url, headers: [("X", "a\r\nY: b")]),
                ClientRequest("GET", server.url, headers: [("X", "a\0b")]),
                ClientRequest("GET", server.url, headers: [("X: y\r\nZ", "a")]),
                ClientRequest("GET", server.url, headers: [("", "a")]),
                ClientRequest("POST", server.url, headers: [("Content-length", "1")], body: [1, 2]),
                ClientRequest("POST", server.url, headers: [("Transfer-Encoding", "chunked")], body: [1, 2]),
            ]
            for request in requests {
                guard case .invalidRequest = await failure(client, request) else {
                    Issue.record("let through: \(request)")
                    continue
                }
            }
            #expect(server.connections == 0)
        }
    }

    @Test(arguments: [
        "", "/only/a/path", "example.org", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/",
        "http://user:word@127.0.0.1/", "http://127.0.0.1:99999/", "http://127.0.0.1/\r\nX: y",
        "gopher://127.0.0.1",
    ])
    func `only complete http and https addresses without a user are accepted`(url: String) async throws {
        try await withClient { client in
            #expect(await failure(client, ClientRequest(url: url)) == .invalidURL)
        }
    }

    @Test func `spaces and non-ASCII letters are percent-encoded`() async throws {
        try await withServer(Self.echo) { client, server in
            let sent = try await client.send(ClientRequest(url: server.url + "/a é?q=b c%20d")).text
            #expect(sent.lowercased().hasPrefix("get /a%20%c3%a9?q=b+c%20d http/1.1"))
        }
    }
}
