import Foundation
import HTTPClient
import RoostServices
import Testing

@Suite struct PictureCacheTests {
    @Test func `a picture is fetched once, told of, and served from here`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            let before = bench.feed.version(of: [Topic.pictures])
            #expect(bench.address("/avatars/1") == nil)
            let address = try await bench.fetched("/avatars/1")
            #expect(bench.upstream.requests.map(\.path) == ["/avatars/1"])
            #expect(bench.upstream.requests.first?.query["s"] == "64")
            #expect(bench.upstream.requests.first?.headers["authorization"] == nil)
            try await wait(for: "the news") { bench.feed.version(of: [Topic.pictures]) > before }
            for _ in 0..<20 { #expect(bench.address("/avatars/1") == address) }
            let picture = try #require(await bench.picture(at: address))
            #expect(picture.mediaType == "image/webp" && picture.bytes == Pictures.plainWebP)
            #expect(bench.upstream.requests.count == 1)
        }
    }

    @Test func `what a picture says besides is cut out of it`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.notedPNG)
            let picture = try #require(await bench.picture(at: try await bench.fetched("/avatars/1")))
            #expect(picture.mediaType == "image/png")
            #expect(Data(picture.bytes).range(of: Data("SECRET".utf8)) == nil)
        }
    }

    @Test func `the pictures of the last run are there without a network`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            let address = try await bench.fetched("/avatars/1")
            bench.upstream.stop()
            try await bench.restart()
            #expect(bench.address("/avatars/1") == address)
            #expect(await bench.picture(at: address)?.bytes == Pictures.plainWebP)
        }
    }

    @Test func `nobody else on the machine may look into the folder`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            _ = try await bench.fetched("/avatars/1")
            let files = FileManager.default
            let rights = try files.attributesOfItem(atPath: bench.folder)[.posixPermissions] as? Int
            #expect(rights == 0o700)
            let name = try #require(try files.contentsOfDirectory(atPath: bench.folder).first)
            let file = try files.attributesOfItem(atPath: bench.folder + "/" + name)
            #expect(file[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a picture grows old, is fetched anew, and stays meanwhile`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            let address = try await bench.fetched("/avatars/1")
            bench.clock.advance(6 * 86_400)
            #expect(bench.address("/avatars/1") == address)
            bench.serve(Pictures.losslessWebP)
            bench.clock.advance(86_401)
            #expect(bench.address("/avatars/1") == address)
            try await wait(for: "the new picture") {
                await bench.picture(at: address)?.bytes == Pictures.losslessWebP
            }
            #expect(bench.upstream.requests.count == 2)
        }
    }

    @Test func `an old picture outlives its upstream`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            let address = try await bench.fetched("/avatars/1")
            bench.upstream.turn { _ in .init(status: 404) }
            bench.clock.advance(30 * 86_400)
            #expect(bench.address("/avatars/1") == address)
            try await wait(for: "the question") { bench.upstream.requests.count == 2 }
            #expect(await bench.picture(at: address)?.bytes == Pictures.plainWebP)
        }
    }

    @Test func `four are asked for at the same time and no more, each once`() async throws {
        try await PictureBench.with { bench in
            let isOpen = Shared(false)
            bench.upstream.turn { _ in
                while !isOpen.value { Thread.sleep(forTimeInterval: 0.001) }
                return .init(bytes: Pictures.plainWebP)
            }
            for _ in 0..<3 { for number in 0..<24 { _ = bench.address("/avatars/\(number)") } }
            try await wait(for: "the first four") { bench.upstream.requests.count == 4 }
            #expect(bench.cache.waiting == 20)
            isOpen.set(true)
            try await wait(for: "all pictures") {
                (0..<24).allSatisfy { bench.address("/avatars/\($0)") != nil }
            }
            #expect(bench.upstream.requests.count == 24)
        }
    }

    @Test func `slow strangers leave room for the pictures of the host itself`() async throws {
        try await PictureBench.with(isRunning: false) { bench in
            let strangers = (0..<3_000).map { "https://slow.example/\($0)" }
            for url in strangers { _ = bench.cache.address(of: url, from: bench.stranger) }
            #expect(bench.cache.waiting == 1_000)
            let host = bench.host
            let own = try #require(PictureAddress(bench.upstream.url + "/avatars/1", from: host))
            let two = try strangers.prefix(2).map { try #require(PictureAddress($0, from: bench.stranger)) }
            #expect(!PictureCache.mayStart(two[0], beside: two))
            #expect(
                PictureCache.mayStart(own, beside: two) && PictureCache.mayStart(two[0], beside: [two[1]]))
            #expect(!PictureCache.mayStart(own, beside: two + [own, own]))
            #expect(bench.address("/avatars/1") == nil && bench.cache.waiting == 1_001)
        }
    }

    @Test func `what has not been looked at for longest goes when there is too much`() async throws {
        try await PictureBench.with(mostBytes: Pictures.plainWebP.count * 3) { bench in
            bench.serve(Pictures.plainWebP)
            for number in 1...3 {
                _ = try await bench.fetched("/avatars/\(number)")
                bench.clock.advance(10)
            }
            let first = try #require(bench.address("/avatars/1"))
            bench.clock.advance(10)
            let fourth = try await bench.fetched("/avatars/4")
            #expect(await bench.picture(at: first) != nil)
            #expect(await bench.picture(at: fourth) != nil)
            try await wait(for: "three files") {
                try FileManager.default.contentsOfDirectory(atPath: bench.folder).count == 3
            }
            bench.upstream.stop()
            #expect(bench.address("/avatars/2") == nil)
            try await bench.restart()
            #expect(bench.address("/avatars/1") == first && bench.address("/avatars/2") == nil)
        }
    }

    @Test func `a file that is broken or gone is fetched again`() async throws {
        try await PictureBench.with { bench in
            bench.serve(Pictures.plainWebP)
            for spoil in [Data("nonsense".utf8), nil] {
                let address = try await bench.fetched("/avatars/1")
                let file = bench.folder + "/" + (address.split(separator: "/").last ?? "")
                if let spoil {
                    try spoil.write(to: URL(filePath: file))
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
                #expect(await bench.picture(at: address) == nil)
                #expect(try await bench.fetched("/avatars/1") == address)
                #expect(await bench.picture(at: address)?.bytes == Pictures.plainWebP)
            }
        }
    }

    @Test func `what is half written or none of ours is cleared away at the start`() async throws {
        try await PictureBench.with { bench in
            try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
            for name in ["draft-x", ".hidden", "note.txt"] {
                try Data("x".utf8).write(to: URL(filePath: bench.folder + "/" + name))
            }
            try await bench.restart()
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder).isEmpty)
        }
    }
}
