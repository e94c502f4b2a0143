import Testing

@testable import HTTPServer

@Suite struct ResponseTests {
    private struct Coin: Encodable {
        let symbol: String
        let coinId: String
    }

    private func text(_ response: Response) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func `pages, text and JSON have their content types`() throws {
        #expect(Response.html("<p>").etag == nil)
        #expect(Response.html("<p>")["Content-Type"] == "text/html; charset=utf-8")
        #expect(Response.text("é", status: 404).status == 404)
        #expect(text(.text("é")) == "é")
        let json = try Response.json(Coin(symbol: "b/t", coinId: "x"), status: 201)
        #expect(json.status == 201)
        #expect(json["content-type"] == "application/json")
        #expect(text(json) == #"{"coinId":"x","symbol":"b/t"}"#)
    }

    @Test func `a redirect after a form uses GET`() {
        let response = Response.redirect(to: "/watchlist")
        #expect(response.status == 303)
        #expect(response["Location"] == "/watchlist")
        #expect(Response.redirect(to: "/", status: 308).status == 308)
    }

    @Test func `setting a header replaces all with its name`() {
        var response = Response(headers: [("X-A", "1"), ("x-a", "2"), ("X-B", "3")])
        #expect(response["x-A"] == "1")
        response["X-a"] = "4"
        #expect(response.headers.map(\.value) == ["3", "4"])
        response["x-b"] = nil
        #expect(response.headers.map(\.name) == ["X-a"])
        response.etag = "\"e\""
        #expect(response["etag"] == "\"e\"")
        response.etag = nil
        #expect(response.headers.count == 1)
    }

    @Test(arguments: [
        (ServerFault.malformed("why"), 400), (.notFound, 404), (.methodNotAllowed(allow: [.get]), 405),
        (.bodyTooLarge(limit: 7), 413), (.targetTooLong, 414), (.unsupportedType, 415),
        (.headersTooLarge, 431),
        (.thrown(RequestError.notJSON), 500), (.unknownMethod, 501), (.overloaded, 503), (.stopping, 503),
    ]) func `each fault has its status and a message`(fault: ServerFault, status: Int) {
        #expect(fault.status == status)
        #expect(!fault.reason.isEmpty)
        #expect(!fault.reason.contains("notJSON"))
    }

    @Test func `several cookies can be set`() async throws {
        let routes = [
            Route(
                .get, "/",
                .ready { _ in .response(Response(headers: [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])) })
        ]
        try await serving(routes) { server in
            let answer = try ask(server, "GET", "/")
            #expect(answer.all("Set-Cookie") == ["a=1", "b=2"])
            #expect(answer["Content-Length"] == "0")
        }
    }

    @Test(arguments: [201, 204, 303, 404, 418, 503]) func `a status is sent as given`(status: Int)
        async throws
    {
        let routes = [
            Route(.get, "/ready", .ready { _ in .response(Response(status: status)) }),
            Route(.get, "/async", .async { _ in .response(Response(status: status)) }),
        ]
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(try client.get("/ready").status == status)
            #expect(try client.get("/async").status == status)
        }
    }

    @Test func `an invalid status resets the connection`() async throws {
        let routes = [Route(.get, "/", .ready { _ in .response(Response(status: 42)) })]
        try await serving(routes) { server in
            let client = try RawClient(server.address)
            #expect(throws: RawClient.Failure.reset) { try client.get("/") }
        }
    }
}
