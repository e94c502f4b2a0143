import Foundation
import Testing

@testable import HTTPClient

/// Bookmarks in and out as files.
@Suite struct BookmarkFileControllerTests {
    @Test func `who has connected nothing is led to the settings for the stars`() async throws {
        try await TestServer.with { testServer in
            for path in ["/bookmarks/import", "/bookmarks/import/stars"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200 && answer.text.contains("href=\"/settings/github\""), "\(path)")
                #expect(!answer.text.contains("Import my stars</button>"), "\(path)")
            }
        }
    }

    @Test(arguments: [("json", "application/json"), ("csv", "text/csv; charset=utf-8")])
    func `an export is a file with its day in the name, kept by no cache`(format: String, type: String)
        async throws
    {
        try await TestServer.with(clock: TestClock().wallClock) { testServer in
            let answer = try await testServer.send("GET", "/bookmarks/export.\(format)")
            #expect(answer.status == 200 && answer.headers["Content-Type"] == type)
            let disposition = answer.headers["Content-Disposition"] ?? ""
            #expect(disposition.hasPrefix("attachment; filename=\"roost-bookmarks-2026-11-"))
            #expect(disposition.hasSuffix(".\(format)\""))
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test func `a stranger's upload is refused before its bytes are taken`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send(
                bytes: Array(repeating: 0x61, count: 3_000_000), to: "/bookmarks/import",
                headers: [("Content-Type", "multipart/form-data; boundary=XX")])
            #expect(answer.status == 401)
        }
    }

    @Test func `there is no list of failed rows before a file was read`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/bookmarks/import/failures.csv")
            #expect(answer.status == 404)
        }
    }
}
