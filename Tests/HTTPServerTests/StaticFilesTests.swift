import TestSupport
import Testing

@testable import HTTPServer

@Suite struct StaticFilesTests {
    private static let style = String(repeating: "body { color: black }\n", count: 200)

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.style, to: "css/site.css")
        try folder.write([0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: 4_000), to: "icons/a b.png")
        try folder.write("secret", to: ".env")
        return folder
    }

    @Test func `a file has an address with its hash and is immutable there`() async throws {
        let folder = try folder()
        let files = try StaticFiles(directory: folder.path)
        let address = try #require(files.address(of: "css/site.css"))
        #expect(address.hasPrefix("/static/"))
        #expect(address.hasSuffix("/css/site.css"))
        try await serving(files.routes) { server in
            let client = try RawClient(server.address)
            let answer = try client.get(address)
            #expect(answer.status == 200)
            #expect(answer.text == Self.style)
            #expect(answer["Content-Type"] == "text/css; charset=utf-8")
            #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
            let etag = try #require(answer["ETag"])
            #expect(try client.get(address, [("If-None-Match", etag)]).status == 304)
            let compressed = try client.get(address, [("Accept-Encoding", "gzip")])
            #expect(compressed["Content-Encoding"] == "gzip")
            #expect(try gunzip(compressed.body) == Array(Self.style.utf8))
            #expect(try client.ask("HEAD", address)["Content-Length"] == "\(Self.style.utf8.count)")
        }
    }

    @Test func `a name with a space is encoded, and a picture is not compressed`() async throws {
        let folder = try folder()
        let files = try StaticFiles(directory: folder.path)
        let address = try #require(files.address(of: "icons/a b.png"))
        #expect(address.hasSuffix("/icons/a%20b.png"))
        try await serving(files.routes) { server in
            let answer = try ask(server, "GET", address, [("Accept-Encoding", "gzip")])
            #expect(answer.body.count == 4_004)
            #expect(answer["Content-Type"] == "image/png")
            #expect(answer["Content-Encoding"] == nil)
        }
    }

    @Test func `another hash, another name and a hidden file are not found`() async throws {
        let folder = try folder()
        let files = try StaticFiles(directory: folder.path)
        let address = try #require(files.address(of: "css/site.css"))
        let hash = address.split(separator: "/")[1]
        #expect(files.address(of: ".env") == nil)
        #expect(files.address(of: "css") == nil)
        try await serving(files.routes) { server in
            let client = try RawClient(server.address)
            for path in [
                "/static/0000/css/site.css", "/static/\(hash)/css/other.css", "/static/\(hash)/.env",
                "/static/\(hash)/../css/site.css", "/static/\(hash)/css/..%2Fcss%2Fsite.css",
                "/static/\(hash)/",
            ] {
                #expect(try client.get(path).status == 404)
            }
        }
    }

    @Test func `changed content changes the folder's version and all its files' addresses`() throws {
        let folder = try folder()
        let before = try StaticFiles(directory: folder.path)
        let same = try StaticFiles(directory: folder.path)
        #expect(before.version == same.version)
        #expect(before.address(of: "css/site.css") == same.address(of: "css/site.css"))
        try folder.write("body { color: white }", to: "css/site.css")
        let after = try StaticFiles(directory: folder.path)
        #expect(before.address(of: "css/site.css") != after.address(of: "css/site.css"))
        #expect(before.address(of: "icons/a b.png") != after.address(of: "icons/a b.png"))
        #expect(before.version != after.version)
    }

    @Test func `a missing folder is refused`() {
        #expect(throws: (any Error).self) { try StaticFiles(directory: "/nowhere/at/all") }
    }
}
