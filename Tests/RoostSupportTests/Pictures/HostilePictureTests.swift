import Foundation
import TestSupport
import Testing

@Suite struct HostilePictureTests {
    private static let html = "<html><script>alert(1)</script></html>"
    private static let vector = #"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#
    /// One pixel, as trackers use.
    private static let pixel: [UInt8] =
        Array("GIF89a".utf8) + [
            1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0,
        ]
        + [2, 2, 0x44, 1, 0, 0x3B]

    private static let answers: [(String, ScriptedUpstream.Response)] = [
        ("a page", .init(headers: ["Content-Type: image/png"], body: html)),
        ("a drawing with a script", .init(headers: ["Content-Type: image/svg+xml"], body: vector)),
        ("one pixel", .init(headers: ["Content-Type: image/gif"], bytes: pixel)),
        ("half a picture", .init(bytes: Array(Pictures.notedPNG.prefix(100)))),
        ("nothing", .init(body: "")),
        ("more than a megabyte", .init(bytes: Pictures.notedPNG + [UInt8](repeating: 0, count: 1 << 20))),
        ("a sign-in", .init(status: 302, headers: ["Location: /login"], body: "")),
        ("not found", .init(status: 404, bytes: Pictures.notedPNG)),
        ("refused", .init(status: 403, body: "{}")),
    ]

    @Test(arguments: answers.map(\.0))
    func `a file that is not a picture is not stored, and is not requested again for an hour`(what: String)
        async throws
    {
        let answer = try #require(Self.answers.first { $0.0 == what }).1
        try await PictureFixture.with { fixture in
            fixture.upstream.turn { _ in answer }
            #expect(fixture.address("/avatars/1") == nil)
            try await fixture.settled(after: 1)
            fixture.serve(Pictures.plainWebP)
            fixture.clock.advance(3_599)
            #expect(fixture.address("/avatars/1") == nil)
            _ = try await fixture.fetched("/avatars/2")
            #expect(fixture.upstream.requests(to: "/avatars/1").count == 1)
            fixture.clock.advance(1)
            _ = try await fixture.fetched("/avatars/1")
            #expect(fixture.upstream.requests(to: "/avatars/1").count == 2)
        }
    }

    @Test(arguments: [true, false])
    func `a failing upstream is tried again after five minutes`(hangsUp: Bool) async throws {
        try await PictureFixture.with { fixture in
            fixture.upstream.turn { _ in .init(status: 503, hangsUp: hangsUp) }
            #expect(fixture.address("/avatars/1") == nil)
            try await fixture.settled(after: 1)
            let asked = fixture.upstream.requests.count
            fixture.serve(Pictures.plainWebP)
            fixture.clock.advance(299)
            #expect(fixture.address("/avatars/1") == nil)
            _ = try await fixture.fetched("/avatars/2")
            #expect(fixture.upstream.requests(to: "/avatars/1").count == asked)
            fixture.clock.advance(1)
            _ = try await fixture.fetched("/avatars/1")
        }
    }

    @Test func `a redirect cannot lead Roost to a host on the LAN`() async throws {
        let neighbour = try ScriptedUpstream { _ in .init(bytes: Pictures.plainWebP) }
        defer { neighbour.stop() }
        try await PictureFixture.with { fixture in
            fixture.upstream.turn { _ in .init(status: 302, headers: ["Location: \(neighbour.url)/avatars/1"])
            }
            #expect(fixture.address("/avatars/1") == nil)
            try await fixture.settled(after: 1)
            #expect(fixture.address("/avatars/1") == nil && neighbour.requests.isEmpty)
        }
    }

    @Test func `a host name inside the LAN is not contacted, whoever names it`() async throws {
        let neighbour = try ScriptedUpstream { _ in .init(bytes: Pictures.plainWebP) }
        defer { neighbour.stop() }
        try await PictureFixture.with { fixture in
            let place = neighbour.url.dropFirst("http://".count)
            for url in ["http://\(place)/1", "https://\(place)/2", "https://localhost:\(neighbour.port)/3"] {
                #expect(fixture.cache.address(of: url, from: fixture.host) == nil)
                #expect(fixture.cache.address(of: url, from: fixture.stranger) == nil)
            }
            // Nor is the upstream itself contacted when an untrusted host names it.
            #expect(
                fixture.cache.address(of: fixture.upstream.url + "/avatars/1", from: fixture.stranger) == nil)
            fixture.serve(Pictures.plainWebP)
            _ = try await fixture.fetched("/avatars/9")
            #expect(neighbour.connections == 0 && fixture.upstream.requests.count == 1)
        }
    }

    @Test func `an invalid picture name opens no file`() async throws {
        try await PictureFixture.with { fixture in
            for name in ["", "..", "../roost.sqlite", "draft-x", String(repeating: "0", count: 64)] {
                #expect(await fixture.cache.picture(named: name) == nil)
            }
        }
    }

    @Test func `an upstream that names endless pictures does not fill the memory`() async throws {
        try await PictureFixture.with(isRunning: false) { fixture in
            for number in 0..<25_000 { _ = fixture.address("/avatars/\(number)") }
            #expect(fixture.cache.waiting == 2_000)
        }
    }
}
