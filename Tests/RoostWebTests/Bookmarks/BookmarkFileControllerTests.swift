import Foundation
import TestSupport
import Testing

@testable import HTTPClient

/// Import and export of bookmarks.
@Suite struct BookmarkFileControllerTests {
    @Test func `without a GitHub account the import of stars links to the settings`() async throws {
        try await TestServer.with { testServer in
            for path in ["/bookmarks/import", "/bookmarks/import/stars"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200 && answer.text.contains("href=\"/settings/github\""), "\(path)")
                #expect(!answer.text.contains("Import my stars</button>"), "\(path)")
            }
            // From a page that was open when the account was disconnected.
            let refused = try await testServer.post("/bookmarks/stars", form: "back=/bookmarks/import")
            #expect(refused.status == 422)
            #expect(refused.text.contains("role=\"alert\">Connect your GitHub account"))
            #expect(refused.text.contains("href=\"/settings/github\""))
        }
    }

    @Test(arguments: [("json", "application/json"), ("csv", "text/csv; charset=utf-8")])
    func `an export is a dated file that is not cached`(format: String, type: String)
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

    @Test func `an upload without a session is refused before its body is read`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send(
                bytes: Array(repeating: 0x61, count: 3_000_000), to: "/bookmarks/import",
                headers: [("Content-Type", "multipart/form-data; boundary=XX")])
            #expect(answer.status == 401)
        }
    }

    @Test func `there is no list of failed rows before the first import`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.send("GET", "/bookmarks/import/failures.csv")
            #expect(answer.status == 404)
        }
    }
}
