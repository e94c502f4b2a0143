import Glibc
import HTTPServer
import Synchronization
import Testing

/// Routes that judge a request before any of its body is taken.
@Suite(.bothTransports) struct BodyAdmissionTests {
    private static let stranger = RequestError.notFound

    /// A route that takes bodies of those who name themselves, and what it takes of others.
    private static func route(_ admission: BodyAdmission) -> Route {
        Route(
            .post, "/upload", bodyLimit: 5_000_000, admission: admission,
            .async { .response(.text("\($0.body.count)")) })
    }

    private static let known = route(
        BodyAdmission(judge: { if $0.headers["X-Name"] == nil { throw stranger } }))

    /// A stranger is known once the update has run.
    private static func learning(_ isKnown: Flag, mayLearn: Bool = true) -> Route {
        route(
            BodyAdmission(
                judge: { _ in if !isKnown.value { throw stranger } },
                update: {
                    {
                        try? await Task.sleep(for: .milliseconds(30))
                        if mayLearn { isKnown.value = true }
                    }
                }))
    }

    @Test func `nothing of a refused body is kept, whatever its length`() async throws {
        try await serving([Self.known]) { server in
            for size in [1, 60_000, 5_000_000] {
                let answer = try ask(server, "POST", "/upload", body: [UInt8](repeating: 1, count: size))
                #expect(answer.status == 404, "\(size)")
            }
            #expect(server.bodyBytes == 0)
            let sent = [UInt8](repeating: 1, count: 60_000)
            let answer = try ask(server, "POST", "/upload", [("X-Name", "Ada")], body: sent)
            #expect(answer.text == "60000")
            #expect(server.bodyBytes == 60_000)
        }
    }

    @Test func `nothing of a refused body in chunks is kept, even of one that never ends`() async throws {
        try await serving([Self.known]) { server in
            let client = try RawClient(server.address)
            try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("3\r\nabc\r\n0\r\n\r\n")
            #expect(try client.response().status == 404)
            try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
            for _ in 0..<100 { try client.send(chunk) }
            #expect(try client.response().status == 404)
            #expect(server.bodyBytes == 0)
        }
    }

    @Test func `an address that is written otherwise is judged as well`() async throws {
        try await serving([Self.known]) { server in
            let answer = try ask(server, "POST", "/uploa%64", body: [UInt8](repeating: 1, count: 60_000))
            #expect(answer.status == 404)
            #expect(server.bodyBytes == 0)
        }
    }

    @Test func `who is refused is not told to go on first`() async throws {
        try await serving([Self.known]) { server in
            for name in ["", "X-Name: Ada\r\n"] {
                let client = try RawClient(server.address)
                try client.send(
                    "POST /upload HTTP/1.1\r\nHost: a\r\n\(name)Content-Length: 3\r\nExpect: 100-continue\r\n\r\n"
                )
                #expect(try client.response().status == (name.isEmpty ? 404 : 100))
            }
        }
    }

    @Test func `a request without a body is its handler's business`() async throws {
        try await serving([Self.known]) { server in
            let client = try RawClient(server.address)
            #expect(try client.ask("POST", "/upload").text == "0")
            #expect(try client.ask("POST", "/upload", body: []).text == "0")
        }
    }

    @Test func `a route that may not know yet is asked again, and the body waits`() async throws {
        for head in [
            "Content-Length: 5\r\n\r\nabcde", "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
        ] {
            let isKnown = Flag()
            try await serving([Self.learning(isKnown)]) { server in
                let client = try RawClient(server.address)
                try client.send("POST /upload HTTP/1.1\r\nHost: a\r\n\(head)")
                #expect(try client.response().text == "5")
                #expect(server.bodyBytes == 5)
                #expect(try client.ask("POST", "/upload", body: [1, 2]).text == "2")
            }
        }
    }

    @Test func `who is known by then is told to go on, and who is not is refused without`() async throws {
        for mayLearn in [true, false] {
            let isKnown = Flag()
            try await serving([Self.learning(isKnown, mayLearn: mayLearn)]) { server in
                let client = try RawClient(server.address)
                try client.send(
                    "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
                #expect(try client.response().status == (mayLearn ? 100 : 404))
                guard mayLearn else { return }
                try client.send("ok")
                #expect(try client.response().text == "2")
            }
        }
    }

    @Test func `a server that stops does not wait for what a route would learn`() async throws {
        let route = Self.route(
            BodyAdmission(
                judge: { _ in throw Self.stranger }, update: { { try? await Task.sleep(for: .seconds(600)) } }
            ))
        let server = try Transport.start([route])
        let client = try RawClient(server.address)
        try client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
        let answer = Task { await blocking { try? client.response().status } }
        #expect(eventually { server.connections == 1 })
        await server.stop(within: .seconds(2))
        let status = await answer.value
        #expect(status == nil || status == 503 || status == 404)
        #expect(server.connections == 0)
    }
}

/// A truth that closures share.
private final class Flag: Sendable {
    private let flag = Atomic<Bool>(false)

    var value: Bool {
        get { flag.load(ordering: .sequentiallyConsistent) }
        set { flag.store(newValue, ordering: .sequentiallyConsistent) }
    }
}
