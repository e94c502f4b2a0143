import Testing

@testable import HTTPServer

/// Requests that a proxy may parse differently are answered once, and the connection is closed.
@Suite(.bothTransports) struct FramingTests {
    private let routes = [
        Route(.get, "/", .ready { _ in .response(.text("home")) }),
        Route(.post, "/", .async { .response(.text("\($0.body.count)")) }),
    ]
    /// Either a second request or five bytes of a body.
    private static let next = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private func expectOneRefusal(of request: String, statuses: [Int] = [400]) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address, timeout: 20)
            try client.send(request + Self.next + Self.next)
            let answer = try client.response()
            #expect(statuses.contains(answer.status), "\(answer.status) \(request.debugDescription)")
            // The connection ends with the answer, long before an idle one would, and nothing after it is answered.
            let rest = String(decoding: try client.rest(), as: UTF8.self)
            #expect(rest == "", "\(request.debugDescription)")
        }
    }

    @Test(arguments: [
        "Content-Length: +5", "Content-Length: -5", "Content-Length: 0x5", "Content-Length: 5,5",
        "Content-Length: 5, 6", "Content-Length:", "Content-Length: 5 5", "Content-Length: five",
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5\r\nContent-Length: +6", "Content-Length : 5", "Content-Length\t: 5",
        "Content-Length:\r\n 5", "Content-Length: 5\r\n 5",
    ])
    func `an invalid or repeated length is refused`(field: String) async throws {
        try await expectOneRefusal(of: "POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    }

    @Test(arguments: ["9223372036854775808", "18446744073709551616", "99999999999999999999999999"])
    func `an excessively large length is refused`(length: String) async throws {
        // From 2^64 on libmicrohttpd answers 413 before Roost sees the request.
        try await expectOneRefusal(
            of: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n", statuses: [400, 413])
    }

    @Test(arguments: [
        "gzip", "identity", "gzip, chunked", "chunked, chunked", "chunked ", "chunked\t", "\"chunked\"",
        "xchunked", "",
        "chunked\r\nTransfer-Encoding: chunked", "chunked\r\nTransfer-Encoding: identity",
        "identity\r\nTransfer-Encoding: chunked", "chunked\r\nContent-Length: 5",
        "chunked\r\nContent-Length: +5",
        "\r\n chunked", "chunked\r\n ", "chunked\r\n gzip", "\r\n\tchunked\r\nContent-Length: 5",
        "\r\n \r\n chunked",
    ])
    func `any transfer coding other than chunked alone is refused`(coding: String) async throws {
        try await expectOneRefusal(
            of: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
        try await expectOneRefusal(
            of: "POST / HTTP/1.1\r\nTransfer-Encoding: \(coding)\r\nHost: a\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
    }

    @Test func `chunks in HTTP 1.0, which has none, are refused`() async throws {
        try await expectOneRefusal(
            of: "POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    }

    @Test(arguments: [
        "X-One: a\r\n b", "X-One:\r\n b", "X-One: a\r\n\tb\r\n c", "Host: a\r\n b", " X-One: a",
    ])
    func `a folded header is refused, whatever its name`(field: String) async throws {
        let host = field.hasPrefix("Host") ? "" : "Host: a\r\n"
        try await expectOneRefusal(of: "GET / HTTP/1.1\r\n\(host)\(field)\r\n\r\n")
        try await expectOneRefusal(of: "GET / HTTP/1.1\r\n\(field)\r\n\(host)\r\n")
    }

    @Test(arguments: [
        "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a#b\r\n", "Host: a/b\r\n",
        "Host: a?b\r\n",
        "Host: a@b\r\n", "Host: a b\r\n", "Host: a, b\r\n", "Host: a:80:80\r\n", "Host: a:8x\r\n",
        "Host: [::1\r\n",
        "Host: [::1]a\r\n", "Host: a[::1]\r\n", "Host: a<b\r\n", "Host: \"a\"\r\n", "Host: a\\b\r\n",
        "Host: r\u{F6}st\r\n", "Host: a\u{7F}\r\n", "Host: ::1\r\n",
    ])
    func `a missing, repeated or invalid Host is refused`(hosts: String) async throws {
        try await expectOneRefusal(of: "GET / HTTP/1.1\r\n\(hosts)\r\n")
        try await expectOneRefusal(of: "POST / HTTP/1.1\r\n\(hosts)Content-Length: 5\r\n\r\nabcde")
    }

    @Test(arguments: [
        "a", "localhost:8080", "127.0.0.1:", "[::1]", "[::1]:8080", "[fe80::1%25eth0]:80", "my_host.example.",
        "",
        "a%20b", "!$&'()*+,;=~",
    ])
    func `any valid Host is accepted`(host: String) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\nGET / HTTP/1.1\r\nHost:\(host) \r\n\r\n")
            #expect(try client.response().text == "home")
            #expect(try client.response().text == "home")
        }
    }

    @Test func `an address with a space is refused`() async throws {
        try await expectOneRefusal(of: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    @Test func `coding names ignore case and surrounding white space`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            try client.send(
                "POST / HTTP/1.1\r\nHost: \t a \t\r\nTransfer-Encoding:   CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            )
            #expect(try client.response().text == "3")
            #expect(try client.get("/").text == "home")
        }
    }

    @Test(arguments: ["; ", ", "])
    func `a request with any number of cookies is answered`(separator: String) async throws {
        try await serving(routes) { server in
            for count in Array(stride(from: 100, through: 400, by: 3)) + [1_000, 3_000] {
                for name in ["c", "cookie-of-some-length-"] {
                    let cookies = (0..<count).map { "\(name)\($0)=1" }.joined(separator: separator)
                    let answer = try ask(server, "GET", "/", [("Cookie", cookies)])
                    #expect([200, 431].contains(answer.status), "\(count)")
                }
            }
        }
    }

    @Test func `many cookies combined with another error are answered too`() async throws {
        try await serving(routes) { server in
            for count in stride(from: 100, through: 160, by: 2) {
                let cookies = (0..<count).map { "c\($0)=1" }.joined(separator: "; ")
                for fault in ["Host: a\r\nContent-Length: x", "X-One: a", "Host: a\r\nHost: a", "Host: #"] {
                    let client = try RawClient(server.address, timeout: 20)
                    try client.send("POST / HTTP/1.1\r\nCookie: \(cookies)\r\n\(fault)\r\n\r\n")
                    let answer = String(decoding: try client.rest(), as: UTF8.self)
                    #expect(answer.contains("HTTP/1.1 4"), "\(count) \(fault)")
                }
            }
        }
    }

    @Test(arguments: [50, 150, 500, 2_000])
    func `a request with any number of query arguments is answered`(count: Int) async throws {
        try await serving(routes) { server in
            let query = (0..<count).map { _ in "a" }.joined(separator: "&")
            let answer = try ask(server, "GET", "/?\(query)")
            #expect(answer.text == "home")
        }
    }

    @Test(arguments: [60, 100, 120, 150, 300])
    func `a request with any number of headers is answered`(count: Int) async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/", (0..<count).map { ("X-\($0)", "v") })
            #expect([200, 431].contains(answer.status))
        }
    }
}
