import Foundation
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

@Suite struct PictureControllerTests {
    private static let name = String(repeating: "a1", count: 32)

    private func withPicture(_ bytes: [UInt8], _ test: (TestServer) async throws -> Void) async throws {
        let configure: (inout Services.Configuration) -> Void = { configuration in
            let folder = configuration.dataFolder + "/pictures"
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? Data(bytes).write(to: URL(filePath: folder + "/" + Self.name))
        }
        try await TestServer.with(configure: configure, test)
    }

    @Test func `members can see stored pictures, and visitors cannot`() async throws {
        try await withPicture(Picture.png) { testServer in
            let answer = try await testServer.send("GET", "/pictures/\(Self.name)")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "image/png")
            #expect(Array(answer.body) == Picture.png)
            #expect(answer.headers["Cache-Control"] == "private, max-age=86400")
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
            #expect(answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            let stranger = try await testServer.send("GET", "/pictures/\(Self.name)", as: .anonymous)
            #expect(stranger.status == 401)
        }
    }

    /// A PNG of 400 by 300 pixels in one colour.
    private static let large = PNGWriter.file(
        width: 400, height: 300, rows: (0..<300).flatMap { _ in [0] + [UInt8](repeating: 200, count: 1_200) })

    @Test func `a list gets a small copy, which is made once, and a page gets a larger one`()
        async throws
    {
        try await withPicture(Self.large) { testServer in
            let path = "/pictures/\(Self.name)"
            var copies: [[UInt8]] = []
            for _ in 0..<2 {
                let answer = try await testServer.send("GET", path + "/small")
                #expect(answer.status == 200 && answer.headers["Content-Type"] == "image/webp")
                #expect(answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
                copies.append(Array(answer.body))
            }
            #expect(copies[0] == copies[1] && copies[0].count < 10_000)
            let small = try CheckedImage(copies[0], within: .article)
            #expect(small.width == 192 && small.height == 144)
            let page = try await testServer.send("GET", path + "/page")
            #expect(page.headers["Content-Type"] == "image/png" && Array(page.body) == Self.large)
            #expect(try await testServer.send("GET", path + "/small", as: .anonymous).status == 401)
            #expect(try await testServer.send("GET", path + "/huge").status == 404)
            let missing = "/pictures/\(String(repeating: "b1", count: 32))/small"
            #expect(try await testServer.send("GET", missing).status == 404)
        }
    }

    @Test func `a small picture is served unchanged`() async throws {
        try await withPicture(Picture.png) { testServer in
            let answer = try await testServer.send("GET", "/pictures/\(Self.name)/small")
            #expect(Array(answer.body) == Picture.png)
        }
    }

    @Test func `a missing picture or an invalid name is not found`() async throws {
        try await withPicture(Picture.png) { testServer in
            for name in [
                String(repeating: "b1", count: 32), "x", "..%2Froost.sqlite", "..%2F..%2Fetc%2Fpasswd",
                "\(Self.name)%00", "draft-\(Self.name)",
            ] {
                let answer = try await testServer.send("GET", "/pictures/\(name)")
                #expect(answer.status != 200, "\(name)")
            }
        }
    }

    @Test func `a file that is not a picture is never served`() async throws {
        try await withPicture(Array("<script>alert(1)</script>".utf8)) { testServer in
            let answer = try await testServer.send("GET", "/pictures/\(Self.name)")
            #expect(answer.status == 404)
        }
    }
}
