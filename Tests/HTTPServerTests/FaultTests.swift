import Testing

@testable import HTTPServer

@Suite struct FaultTests {
    private struct Secret: Error { let password = "hunter2" }

    private static let injected = "x\r\nSet-Cookie: evil=1\r\n\r\n<script>"

    private let routes = [
        Route(.get, "/ready", .ready { _ in throw Secret() }),
        Route(.get, "/async", .async { _ in throw Secret() }),
        Route(
            .get, "/later",
            .async { _ in
                await Task.yield()
                throw Secret()
            }),
        Route(
            .get, "/value",
            .ready { _ in .response(Response(headers: [("X-Name", injected), ("X-Good", "1")])) }),
        Route(
            .get, "/name",
            .ready { _ in .response(Response(headers: [("X-A: b\r\nSet-Cookie", "evil=1")])) }),
        Route(.get, "/cut", .ready { _ in .response(Response(headers: [("X-Name", "a\0b"), ("", "x")])) }),
        Route(.get, "/redirect", .ready { .response(.redirect(to: "/?" + ($0.query["to"] ?? ""))) }),
        Route(
            .get, "/framing",
            .ready { _ in
                .response(
                    Response(
                        headers: [
                            ("Content-Length", "3"), ("Transfer-Encoding", "chunked"),
                            ("Connection", "upgrade"),
                            ("content-type", "text/plain"),
                        ], body: .bytes(Array("whole".utf8))))
            }),
    ]

    @Test(arguments: ["/ready", "/async", "/later"])
    func `a handler that throws sends 500 without details`(path: String) async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get(path)
            #expect(answer.status == 500)
            #expect(answer.text == "Something went wrong.\n")
            #expect(try client.get(path).status == 500)
        }
    }

    @Test func `the site writes the error page and gets the error`() async throws {
        let faults = Record<String>()
        let custom: (inout ServerConfiguration) -> Void = {
            $0.headers = [("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff")]
            $0.fault = { fault, request in
                if case .thrown(let error) = fault { faults.add("\(error)") }
                var response = Response.html(
                    "<h1>\(fault.status) for \(request.path)</h1>", status: fault.status)
                response["X-Frame-Options"] = "SAMEORIGIN"
                return response
            }
        }
        try await serving(routes, configure: custom) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/ready").text == "<h1>500 for /ready</h1>")
            #expect(faults.all.count == 1)
            #expect(faults.all[0].contains("Secret"))
            let missing = try client.get("/missing?q=1")
            #expect(missing.status == 404)
            #expect(missing.text == "<h1>404 for /missing</h1>")
            #expect(missing.all("X-Frame-Options") == ["SAMEORIGIN"], "the answer's own header wins")
            #expect(missing["X-Content-Type-Options"] == "nosniff")
            #expect(try client.ask("POST", "/ready", body: [])["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test(arguments: ["/value", "/name", "/cut"])
    func `a header cannot be injected`(path: String) async throws {
        let log = Record<String>()
        try await serving(routes, configure: { $0.log = { log.add($0) } }) { server in
            let client = try RawClient(server.address)
            let answer = try client.get(path)
            #expect(answer.status == 200)
            #expect(answer["Set-Cookie"] == nil)
            #expect(answer["X-Name"] == nil)
            #expect(answer.body == [])
            #expect(!log.all.isEmpty)
            #expect(!log.all.contains { $0.contains("\n") })
            #expect(try client.get("/value")["X-Good"] == "1")
        }
    }

    @Test func `user input cannot split a redirect`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/redirect?to=here")["Location"] == "/?here")
            let answer = try client.get("/redirect?to=%0D%0ASet-Cookie:%20evil=1")
            #expect(answer["Location"] == nil)
            #expect(answer["Set-Cookie"] == nil)
        }
    }

    @Test func `only the server sets an answer's framing`() async throws {
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get("/framing")
            #expect(answer.text == "whole")
            #expect(answer.all("Content-Length") == ["5"])
            #expect(answer["Transfer-Encoding"] == nil)
            #expect(answer["Connection"] == nil)
            #expect(try client.get("/framing").text == "whole")
        }
    }

    @Test func `every answer has a date`() async throws {
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/framing")
            #expect(answer["Date"]?.hasSuffix(" GMT") == true)
        }
    }
}
