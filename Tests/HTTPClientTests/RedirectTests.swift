import Synchronization
import Testing

@testable import HTTPClient

@Suite struct RedirectTests {
    /// `/to?URL` redirects there with the status before the `/`; any other request is answered with itself.
    private static let redirecting = answering { connection, request in
        let parts = request.path.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("/to") else {
            let lines = [request.line] + request.headers.map { "\($0.name.lowercased()): \($0.value)" }
            let body = String(decoding: request.body, as: UTF8.self)
            return connection.answer(text: lines.joined(separator: "\n") + "\n\n" + body)
        }
        let status = parts[0].dropFirst(3)
        connection.answer(
            "\(status) Over There", headers: ["Location: \(parts[1])", "X-Hop: 1"], text: "moved")
    }

    private func request(_ url: String, redirects: Int) -> ClientRequest {
        var request = ClientRequest(url: url)
        request.maximumRedirects = redirects
        return request
    }

    @Test func `without permission a redirect is returned as the answer`() async throws {
        try await withServer(Self.redirecting) { client, server in
            let answer = try await client.send(request(server.url + "/to302?/next", redirects: 0))
            #expect(answer.status == 302)
            #expect(answer.headers["Location"] == "/next")
            #expect(answer.text == "moved")
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `each kind of redirect is followed, and only the last answer is returned`(status: Int) async throws {
        try await withServer(Self.redirecting) { client, server in
            let answer = try await client.send(request(server.url + "/to\(status)?/next", redirects: 1))
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix("GET /next HTTP/1.1\n"))
            #expect(answer.headers["X-Hop"] == nil)
            #expect(answer.finalURL == server.url + "/next")
        }
    }

    @Test(arguments: [300, 304, 305, 399])
    func `other answers with a Location are not redirects`(status: Int) async throws {
        try await withServer(
            answering { connection, _ in
                connection.send("HTTP/1.1 \(status) X\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n")
            }
        ) { client, server in
            let answer = try await client.send(request(server.url, redirects: 3))
            #expect(answer.status == status)
            #expect(answer.finalURL == server.url + "/")
        }
    }

    @Test func `a redirect without a Location is returned as the answer`() async throws {
        try await withServer(answering { connection, _ in connection.answer("302 Found", text: "where?") }) {
            client, server in
            let answer = try await client.send(request(server.url, redirects: 3))
            #expect(answer.text == "where?")
        }
    }

    @Test(arguments: [
        ("next", "/dir/next"), ("../up", "/up"), ("?q=1", "/dir/to302?q=1"), ("/a b/é", "/a%20b/%c3%a9"),
        ("./", "/dir/"),
    ])
    func `a relative Location is resolved`(location: String, path: String) async throws {
        try await withServer(
            answering { connection, request in
                guard request.path == "/dir/to302" else { return connection.answer(text: request.path) }
                connection.answer("302 Found", headers: ["Location: \(location)"])
            }
        ) { client, server in
            let answer = try await client.send(request(server.url + "/dir/to302", redirects: 1))
            #expect(answer.text.lowercased() == path)
        }
    }

    @Test func `one redirect more than allowed is an error`() async throws {
        try await withServer(Self.redirecting) { client, server in
            let twice = server.url + "/to302?/to301?/end"
            let answer = try await client.send(request(twice, redirects: 2))
            #expect(answer.text.hasPrefix("GET /end "))
            #expect(await failure(client, request(twice, redirects: 1)) == .tooManyRedirects)
        }
    }

    @Test func `a loop ends at the limit`() async throws {
        let hits = Atomic(0)
        try await withServer(
            answering { connection, request in
                hits.add(1, ordering: .relaxed)
                connection.answer("302 Found", headers: ["Location: \(request.path)"])
            }
        ) { client, server in
            #expect(await failure(client, request(server.url + "/loop", redirects: 5)) == .tooManyRedirects)
            #expect(hits.load(ordering: .relaxed) == 6)
        }
    }

    @Test func `all redirects share one time limit`() async throws {
        try await withServer(
            answering { connection, request in
                pause(milliseconds: 100)
                connection.answer("302 Found", headers: ["Location: /"])
            }
        ) { client, server in
            var request = request(server.url, redirects: 1_000)
            request.totalTimeout = .milliseconds(450)
            #expect(await quickly { await failure(client, request) } == .timeout)
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/", "http://user:word@127.0.0.1/", "http://", "gopher://a",
    ])
    func `a redirect to anything but a plain http or https address fails`(location: String) async throws {
        try await withServer(Self.redirecting) { client, server in
            #expect(
                await failure(client, request(server.url + "/to302?" + location, redirects: 3)) == .invalidURL
            )
        }
    }

    @Test(arguments: [
        (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "POST", "GET", ""), (303, "PUT", "GET", ""),
        (301, "PUT", "PUT", "body"), (307, "POST", "POST", "body"), (308, "PATCH", "PATCH", "body"),
    ])
    func `the method and the body change as in RFC 9110`(row: (Int, String, String, String)) async throws {
        let (status, method, after, body) = row
        try await withServer(Self.redirecting) { client, server in
            var request = request(server.url + "/to\(status)?/next", redirects: 1)
            request.method = method
            request.headers = [("Content-Type", "text/x"), ("X-Kept", "1")]
            request.body = Array("body".utf8)
            let text = try await client.send(request).text
            #expect(text.hasPrefix("\(after) /next "))
            #expect(text.hasSuffix("\n\n" + body))
            #expect(text.contains("content-type: text/x") == !body.isEmpty)
            #expect(text.contains("x-kept: 1"))
        }
    }

    @Test func `HEAD stays HEAD`() async throws {
        let methods = Mutex<[String]>([])
        try await withServer(
            answering { connection, request in
                methods.withLock { $0.append(String(request.line.prefix(7))) }
                let location = request.path == "/" ? "Location: /b\r\n" : ""
                connection.send(
                    "HTTP/1.1 \(location.isEmpty ? 200 : 303) X\r\n\(location)Content-Length: 9\r\n\r\n")
            }
        ) { client, server in
            var request = request(server.url, redirects: 1)
            request.method = "HEAD"
            let answer = try await client.send(request)
            #expect(answer.status == 200)
            #expect(methods.withLock { $0 } == ["HEAD / ", "HEAD /b"])
        }
    }

    // Another port is another origin, and so is another host.
    private static let secrets = [
        ("Authorization", "Bearer s3cret"), ("Cookie", "s3cret=1"), ("x-cg-demo-api-key", "s3cret"),
        ("X-Anything", "s3cret"), ("Accept", "text/html"), ("If-None-Match", "\"v1\""),
    ]

    @Test(arguments: ["127.0.0.1", "127.0.0.2"])
    func `secrets are not sent to another origin`(host: String) async throws {
        let other = try ScriptedServer(host: host, Self.redirecting)
        defer { other.stop() }
        try await withServer(Self.redirecting) { client, server in
            var request = request(
                server.url + "/to302?" + other.url + "/to302?" + server.url + "/end", redirects: 3)
            request.headers = Self.secrets
            for (limit, url) in [(1, other.url + "/end"), (2, other.url + "/to302?" + server.url + "/end")] {
                request.url = server.url + "/to302?" + url
                request.maximumRedirects = limit
                let answer = try await client.send(request)
                #expect(answer.status == 200)
                #expect(answer.text.contains("GET /end"))
                // Not on the way back either: the other origin chose the address.
                #expect(!answer.text.contains("s3cret"))
                #expect(answer.text.contains("accept: text/html"))
                #expect(answer.text.contains("if-none-match: \"v1\""))
                #expect(answer.text.contains("user-agent: Roost/test"))
            }
        }
    }

    @Test func `the same origin still gets its headers`() async throws {
        try await withServer(Self.redirecting) { client, server in
            var request = request(server.url + "/to302?" + server.url + "/end", redirects: 1)
            request.headers = Self.secrets
            let text = try await client.send(request).text
            #expect(
                text.contains("x-cg-demo-api-key: s3cret") && text.contains("authorization: Bearer s3cret"))
        }
    }

    @Test func `a body is not sent to another origin`() async throws {
        let other = try ScriptedServer(host: "127.0.0.2", Self.redirecting)
        defer { other.stop() }
        try await withServer(Self.redirecting) { client, server in
            var request = request(server.url + "/to307?" + other.url, redirects: 1)
            request.method = "POST"
            request.body = Array("client_secret".utf8)
            let answer = try await client.send(request)
            #expect(answer.status == 307)
            #expect(other.connections == 0)
        }
    }
}
