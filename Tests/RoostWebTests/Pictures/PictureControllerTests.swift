import Foundation
import HTTPClient
import RoostServices
import RoostWeb
import Testing

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

    @Test func `members see the pictures that lie here, strangers none`() async throws {
        try await withPicture(Picture.png) { testServer in
            let answer = try await testServer.send("GET", "/pictures/\(Self.name)")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == "image/png")
            #expect(Array(answer.body) == Picture.png)
            #expect(answer.headers["Cache-Control"] == "private, max-age=86400")
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
            #expect(answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
            let stranger = try await testServer.send("GET", "/pictures/\(Self.name)", as: .nobody)
            #expect(stranger.status == 401)
        }
    }

    @Test func `what is not here, or has no such name, is not found`() async throws {
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

    @Test func `what is no picture is not served, whoever has put it there`() async throws {
        try await withPicture(Array("<script>alert(1)</script>".utf8)) { testServer in
            let answer = try await testServer.send("GET", "/pictures/\(Self.name)")
            #expect(answer.status == 404)
        }
    }
}
