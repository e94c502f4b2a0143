import Foundation
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostSupport

@Suite struct PictureCacheTests {
    @Test func `a picture is fetched once, published, and served from the cache`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            let before = fixture.feed.version(of: [Topic.pictures])
            #expect(fixture.address("/avatars/1") == nil)
            let address = try await fixture.fetched("/avatars/1")
            #expect(fixture.upstream.requests.map(\.path) == ["/avatars/1"])
            #expect(fixture.upstream.requests.first?.query["s"] == "64")
            #expect(fixture.upstream.requests.first?.headers["authorization"] == nil)
            try await wait(for: "a published change") { fixture.feed.version(of: [Topic.pictures]) > before }
            for _ in 0..<20 { #expect(fixture.address("/avatars/1") == address) }
            let picture = try #require(await fixture.picture(at: address))
            #expect(picture.mediaType == "image/webp" && picture.bytes == Pictures.plainWebP)
            #expect(fixture.upstream.requests.count == 1)
        }
    }

    @Test func `metadata is removed from a cached picture`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.notedPNG)
            let picture = try #require(await fixture.picture(at: try await fixture.fetched("/avatars/1")))
            #expect(picture.mediaType == "image/png")
            #expect(Data(picture.bytes).range(of: Data("SECRET".utf8)) == nil)
        }
    }

    @Test func `the pictures of the last run are available without a network`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            let address = try await fixture.fetched("/avatars/1")
            fixture.upstream.stop()
            try await fixture.restart()
            #expect(fixture.address("/avatars/1") == address)
            #expect(await fixture.picture(at: address)?.bytes == Pictures.plainWebP)
        }
    }

    @Test func `other users of the machine cannot read the folder`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            _ = try await fixture.fetched("/avatars/1")
            let files = FileManager.default
            let rights = try files.attributesOfItem(atPath: fixture.folder)[.posixPermissions] as? Int
            #expect(rights == 0o700)
            let name = try #require(try files.contentsOfDirectory(atPath: fixture.folder).first)
            let file = try files.attributesOfItem(atPath: fixture.folder + "/" + name)
            #expect(file[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `an old picture is fetched again and still shown in the meantime`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            let address = try await fixture.fetched("/avatars/1")
            fixture.clock.advance(6 * 86_400)
            #expect(fixture.address("/avatars/1") == address)
            fixture.serve(Pictures.losslessWebP)
            fixture.clock.advance(86_401)
            #expect(fixture.address("/avatars/1") == address)
            try await wait(for: "the new picture") {
                await fixture.picture(at: address)?.bytes == Pictures.losslessWebP
            }
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    @Test func `an old picture stays when its upstream is gone`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            let address = try await fixture.fetched("/avatars/1")
            fixture.upstream.turn { _ in .init(status: 404) }
            fixture.clock.advance(30 * 86_400)
            #expect(fixture.address("/avatars/1") == address)
            try await wait(for: "the request") { fixture.upstream.requests.count == 2 }
            #expect(await fixture.picture(at: address)?.bytes == Pictures.plainWebP)
        }
    }

    @Test func `at most four pictures are requested at the same time, each once`() async throws {
        try await PictureFixture.with { fixture in
            let isOpen = Shared(false)
            fixture.upstream.turn { _ in
                while !isOpen.value { Thread.sleep(forTimeInterval: 0.001) }
                return .init(bytes: Pictures.plainWebP)
            }
            for _ in 0..<3 { for number in 0..<24 { _ = fixture.address("/avatars/\(number)") } }
            try await wait(for: "the first four") { fixture.upstream.requests.count == 4 }
            #expect(fixture.cache.waiting == 20)
            isOpen.set(true)
            try await wait(for: "all pictures") {
                (0..<24).allSatisfy { fixture.address("/avatars/\($0)") != nil }
            }
            #expect(fixture.upstream.requests.count == 24)
        }
    }

    @Test func `slow third-party pictures leave room for the host's own`() async throws {
        try await PictureFixture.with(isRunning: false) { fixture in
            let strangers = (0..<3_000).map { "https://slow.example/\($0)" }
            for url in strangers { _ = fixture.cache.address(of: url, from: fixture.stranger) }
            #expect(fixture.cache.waiting == 1_000)
            let host = fixture.host
            let own = try #require(PictureAddress(fixture.upstream.url + "/avatars/1", from: host))
            let two = try strangers.prefix(2).map { try #require(PictureAddress($0, from: fixture.stranger)) }
            #expect(!PictureCache.mayStart(two[0], alongside: two))
            #expect(
                PictureCache.mayStart(own, alongside: two)
                    && PictureCache.mayStart(two[0], alongside: [two[1]]))
            #expect(!PictureCache.mayStart(own, alongside: two + [own, own]))
            #expect(fixture.address("/avatars/1") == nil && fixture.cache.waiting == 1_001)
        }
    }

    @Test func `when the cache is full, the least recently viewed picture is deleted`() async throws {
        try await PictureFixture.with(maximumBytes: Pictures.plainWebP.count * 3) { fixture in
            fixture.serve(Pictures.plainWebP)
            for number in 1...3 {
                _ = try await fixture.fetched("/avatars/\(number)")
                fixture.clock.advance(10)
            }
            let first = try #require(fixture.address("/avatars/1"))
            fixture.clock.advance(10)
            let fourth = try await fixture.fetched("/avatars/4")
            #expect(await fixture.picture(at: first) != nil)
            #expect(await fixture.picture(at: fourth) != nil)
            try await wait(for: "three files") {
                try FileManager.default.contentsOfDirectory(atPath: fixture.folder).count == 3
            }
            // Requesting the second picture starts its fetch, which must not displace the first.
            fixture.serve(Array("no picture".utf8))
            #expect(fixture.address("/avatars/2") == nil)
            try await fixture.restart()
            #expect(fixture.address("/avatars/1") == first && fixture.address("/avatars/2") == nil)
        }
    }

    @Test func `a broken or missing file is fetched again`() async throws {
        try await PictureFixture.with { fixture in
            fixture.serve(Pictures.plainWebP)
            for spoil in [Data("nonsense".utf8), nil] {
                let address = try await fixture.fetched("/avatars/1")
                let file = fixture.folder + "/" + (address.split(separator: "/").last ?? "")
                if let spoil {
                    try spoil.write(to: URL(filePath: file))
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
                #expect(await fixture.picture(at: address) == nil)
                #expect(try await fixture.fetched("/avatars/1") == address)
                #expect(await fixture.picture(at: address)?.bytes == Pictures.plainWebP)
            }
        }
    }

    @Test func `half-written and foreign files are deleted at the start`() async throws {
        try await PictureFixture.with { fixture in
            try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
            for name in ["draft-x", ".hidden", "note.txt"] {
                try Data("x".utf8).write(to: URL(filePath: fixture.folder + "/" + name))
            }
            try await fixture.restart()
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder).isEmpty)
        }
    }
}
