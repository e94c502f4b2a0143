import Foundation
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// What users and supervisors see of the database's state.
@Suite(.timeLimit(.minutes(5))) struct DatabaseHealthTests {
    private func logBytes(_ testServer: TestServer) -> Int {
        let path = Services.databasePath(in: testServer.folder) + "-wal"
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test(arguments: [
        "/api/v1/repositories/apple/swift-nio", "/changes?topics=prices&cursor=",
    ])
    func `a waiting GET does not keep the write-ahead log from being truncated`(path: String) async throws {
        try await TestServer.with { testServer in
            _ = try await testServer.services.gitHub.accounts.connect(
                token: GitHubTokens.classic(of: "ada"), host: nil, for: testServer.owner.userId)
            await testServer.simulator.inject(.hang, upstream: .gitHub)
            let cursor = path.hasSuffix("=") ? testServer.services.feed.cursor : ""
            let requests = (0..<3).map { _ in
                Task { try await testServer.send("GET", path + cursor) }
            }
            try await eventually("the requests wait") {
                path.hasSuffix("=")
                    ? testServer.services.feed.waiting >= 3
                    : testServer.simulator.requests.contains { $0.path.contains("apple/swift-nio") }
            }
            let file = try DatabaseFile.open(Services.databasePath(in: testServer.folder))
            try await file.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = OFF; CREATE TABLE filler (x BLOB)")
                try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(8000))")
                for _ in 0..<3_000 {
                    try database.execute(sql: "UPDATE filler SET x = randomblob(8000)")
                }
            }
            #expect(logBytes(testServer) < 10 << 20)
            try file.close()
            for request in requests { request.cancel() }
        }
    }

    @Test func `supervisors and owners see damage that a check finds, and members do not`()
        async throws
    {
        try await TestServer.with { testServer in
            let member = try await Guest.signUp("grace", as: .member, testServer.services)
            testServer.services.health.noteDamage("Page 3 is not a page.")
            let health = try await testServer.send("GET", "/healthz", as: .anonymous)
            #expect(health.status == 503)
            #expect(health.text == #"{"status":"damaged"}"#)
            let known = try await testServer.send("GET", "/healthz")
            #expect(known.status == 503 && known.object["status"] as? String == "damaged")
            for path in ["/", "/watchlist", "/chat", "/settings"] {
                let own = try await testServer.send("GET", path).text
                #expect(own.contains(RoostError.damagedDatabase), "\(path)")
                #expect(!own.contains("Page 3"))
                let other = try await testServer.send("GET", path, as: member).text
                #expect(!other.contains("class=\"warning\""), "\(path)")
            }
        }
    }

    @Test func `supervisors, owners and programs learn that the data folder was moved`() async throws {
        try await TestServer.with { testServer in
            let other = testServer.folder + "-moved"
            try FileManager.default.moveItem(atPath: testServer.folder, toPath: other)
            let health = try await testServer.send("GET", "/healthz", as: .anonymous)
            #expect(health.status == 503)
            #expect(health.text == #"{"status":"dataFolderMissing"}"#)
            #expect(try await testServer.send("GET", "/settings").text.contains(RoostError.missingFolder))
            let refused = try await testServer.send(
                "POST", "/api/v1/watchlist", headers: [("Content-Type", "application/json")],
                body: #"{"coinId": "bitcoin"}"#)
            #expect(refused.status == 503)
            #expect((refused.object["error"] as? [String: Any])?["code"] as? String == "dataFolderMissing")
            try FileManager.default.moveItem(atPath: other, toPath: testServer.folder)
            #expect(try await testServer.send("GET", "/healthz", as: .anonymous).status == 200)
        }
    }

    @Test func `a request that finds damage gets an error message, and the database is marked at once`()
        async throws
    {
        try await TestServer.with { testServer in
            try await testServer.watch("bitcoin")
            let path = Services.databasePath(in: testServer.folder)
            let file = try DatabaseFile.open(path)
            let (page, size) = try await file.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                return (
                    try Int.fetchOne(
                        database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'watchlist_items'"),
                    try Int.fetchOne(database, sql: "PRAGMA page_size")
                )
            }
            try file.close()
            let handle = try FileHandle(forUpdating: URL(filePath: path))
            try handle.seek(toOffset: UInt64((try #require(page) - 1) * (try #require(size))))
            try handle.write(contentsOf: Data(repeating: 7, count: 4_096))
            try handle.close()
            try await eventually("a request finds the damage") {
                await testServer.services.upkeep.cleanUp()
                let answer = try await testServer.send("GET", "/api/v1/watchlist")
                guard answer.status != 200 else { return false }
                #expect(answer.status == 503)
                #expect(answer.error("code") == "databaseDamaged")
                #expect(answer.error("message") == RoostError.damagedDatabase)
                return true
            }
            let health = try await testServer.send("GET", "/healthz", as: .anonymous)
            #expect(health.status == 503 && health.text == #"{"status":"damaged"}"#)
        }
    }

    @Test func `while nothing can be saved, health answers 503`() async throws {
        try await TestServer.with { testServer in
            // Root may write everywhere, but not open a folder as a file.
            let probe = testServer.folder + "/" + StorageProbe.fileName
            try FileManager.default.createDirectory(atPath: probe, withIntermediateDirectories: false)
            try await eventually("the full disk is detected") {
                let answer = try await testServer.send("GET", "/healthz", as: .anonymous)
                return answer.status == 503 && answer.text == #"{"status":"storageFull"}"#
            }
        }
    }

    @Test func `owners see why a backup failed, and members see nothing of it`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: folder, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestServer.with(
            configure: { $0.backups = .init(folder: folder) }  // a file where the folder should be
        ) { testServer in
            let member = try await Guest.signUp("grace", as: .member, testServer.services)
            await testServer.services.backups.makeIfDue()
            let health = try await testServer.send("GET", "/healthz")
            let backup = try #require(health.object["backup"] as? [String: Any])
            #expect(health.status == 200 && backup["state"] as? String == "failed")
            let reason = try #require(backup["error"] as? String)
            #expect(!reason.isEmpty)
            let metrics = try await testServer.send("GET", "/metrics").text
            #expect(metrics.contains("\nroost_backup_up 0\n"))
            let own = try await testServer.send("GET", "/settings").text
            #expect(own.contains("The last backup failed."))
            let other = try await testServer.send("GET", "/settings", as: member).text
            #expect(!other.contains("The last backup failed."))
            let stranger = try await testServer.send("GET", "/healthz", as: .anonymous).text
            #expect(stranger == #"{"status":"ok"}"#)
        }
    }
}
