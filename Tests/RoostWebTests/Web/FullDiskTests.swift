import GRDB
import TestSupport
import Testing

@testable import HTTPClient
@testable import RoostServices
@testable import RoostSupport

/// A database with a size limit simulates a full disk.
@Suite struct FullDiskTests {
    private func withFull(_ test: (TestServer) async throws -> Void) async throws {
        try await TestServer.with(configure: { $0.maximumPages = 1_000 }) { testServer in
            _ = try await testServer.services.gitHub.bookmarkFiles.read(
                Array("ada/engine".utf8), for: testServer.owner.userId)
            let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
            try await file.write {
                try $0.execute(
                    sql: "CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (zeroblob(4096 * 1000))")
            }
            try file.close()
            try await test(testServer)
        }
    }

    /// Returns the first error. Some requests succeed first, because pages in use have room for a few rows.
    private func refused(_ ask: () async throws -> ClientResponse) async throws -> ClientResponse {
        for _ in 0..<100 {
            let answer = try await ask()
            if answer.status >= 400 { return answer }
        }
        return try await ask()
    }

    @Test func `a sign-in that cannot be saved answers 507 with a message`() async throws {
        try await withFull { testServer in
            let body = #"{"username": "ada", "password": "\#(TestServer.password)"}"#
            let answer = try await refused {
                try await testServer.json("POST", "/api/v1/sessions", body, as: .anonymous)
            }
            #expect(answer.status == 507)
            #expect(answer.error("code") == "storageFull")
            #expect(answer.error("message") == RoostError.fullStorage)
        }
    }

    @Test func `a bookmark that cannot be saved answers 507, and pages can still be read`() async throws {
        try await withFull { testServer in
            let note = String(repeating: "x", count: 2_000)
            var number = 0
            let answer = try await refused {
                number += 1
                return try await testServer.json(
                    "PATCH", "/api/v1/bookmarks/ada/engine", #"{"note": "\#(number)\#(note.dropLast(9))"}"#)
            }
            if answer.status != 507 {
                // The page had room for the note, but cannot have room for a file of 500 names.
                let names = (0..<500).map { "ada/engine-\($0)" }.joined(separator: "\n")
                await #expect(throws: RoostError.storageFull(RoostError.fullStorage)) {
                    _ = try await testServer.services.gitHub.bookmarkFiles.read(
                        Array(names.utf8), for: testServer.owner.userId)
                }
            }
            for page in ["/", "/bookmarks", "/watchlist"] {
                #expect(try await testServer.send("GET", page).status == 200)
            }
        }
    }
}
