import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// A database file is damaged by a disk or another program.
@Suite(.timeLimit(.minutes(5))) struct DamagedDatabaseTests {
    /// The new content of 16 KB of the file.
    enum Damage: CaseIterable, Sendable {
        case zeros, noise, otherPages

        func bytes(in file: Data) -> Data {
            switch self {
            case .zeros: Data(count: 16_384)
            case .noise: Data((0..<16_384).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
            case .otherPages: file.subdata(in: 4_096..<20_480)
            }
        }
    }

    /// Replaces 16 KB at this fraction of the file, which has no free pages, where damage would not matter.
    private func damage(_ path: String, _ damage: Damage, at place: Double) throws {
        let database = try DatabaseFile.open(path)
        try database.writeWithoutTransaction {
            try $0.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try database.close()
        let bytes = try Data(contentsOf: URL(filePath: path))
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(max(1, Int(Double(bytes.count) * place) / 4_096) * 4_096))
        try file.write(contentsOf: damage.bytes(in: bytes))
        try file.close()
    }

    private func withDamaged(
        _ kind: Damage = .noise, at place: Double = 0.5, _ body: (ServicesFixture) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin", "solana")
            try damage(Services.databasePath(in: fixture.folder), kind, at: place)
            // The connections' caches may still contain the undamaged pages.
            await fixture.services.upkeep.cleanUp()
            try await body(fixture)
        }
    }

    @Test(arguments: Damage.allCases, [0.2, 0.5, 0.8])
    func `a damaged database is not a valid backup`(kind: Damage, place: Double) async throws {
        try await withDamaged(kind, at: place) { fixture in
            let problems = try await Services.problems(in: fixture.folder)
            #expect(!problems.isEmpty)
            let copies = fixture.folder + "/copies"
            try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
            let refusal = await refusal { try await fixture.services.backup(to: copies + "/copy.sqlite") }
            #expect(refusal?.message.contains("No backup was made") == true)
            #expect(refusal?.message.contains("restore the last good backup") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: copies).isEmpty)
        }
    }

    @Test(arguments: [
        "PRAGMA foreign_keys = OFF; DELETE FROM users", "DROP TABLE reset_links",
    ])
    func `a copy with missing rows or tables is not a valid backup`(sql: String) async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            let file = try DatabaseFile.open(Services.databasePath(in: fixture.folder)) {
                $0.foreignKeysEnabled = false
            }
            try await file.writeWithoutTransaction { try $0.execute(sql: sql) }
            try file.close()
            let copy = fixture.folder + "/copy.sqlite"
            let refusal = await refusal { try await fixture.services.backup(to: copy) }
            #expect(refusal?.message.contains("No backup was made") == true)
            #expect(!FileManager.default.fileExists(atPath: copy))
        }
    }

    @Test func `a row with an invalid value does not stop backups`() async throws {
        try await withServices { fixture in
            _ = try await fixture.owner(watching: "bitcoin")
            try fixture.change("UPDATE watchlist_items SET date_added = 1e300")
            let problems = try await Services.problems(in: fixture.folder)
            #expect(!problems.isEmpty)
            let copy = fixture.folder + "/copy.sqlite"
            try await fixture.services.backup(to: copy)
            #expect(FileManager.default.fileExists(atPath: copy))
        }
    }

    @Test(arguments: Damage.allCases)
    func `the background check reports damage in the log once`(kind: Damage) async throws {
        try await withDamaged(kind) { fixture in
            let health = fixture.services.health
            #expect(!health.isDamaged)
            try await health.check()
            try await health.check()
            #expect(health.isDamaged)
            #expect(fixture.log.lines.count { $0.contains("database is damaged") } == 1)
        }
    }

    @Test
    func `a data folder that is moved away is noticed, refuses changes, and works again once it is back`()
        async throws
    {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            let health = fixture.services.health
            #expect(!health.isMissing)
            let other = fixture.folder + "-moved"
            try FileManager.default.moveItem(atPath: fixture.folder, toPath: other)
            #expect(health.isMissing && health.isMissing)
            #expect(fixture.log.lines.count { $0.contains("data folder was moved or deleted") } == 1)
            let displays = fixture.services.market.displays
            let refusal = await refusal { _ = try await displays.add("Wall", for: owner) }
            #expect(refusal == .dataFolderMissing(RoostError.missingFolder))
            #expect(!FileManager.default.fileExists(atPath: fixture.folder))
            // Another file in its place is not the database that is open.
            try FileManager.default.createDirectory(
                atPath: fixture.folder, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                atPath: Services.databasePath(in: other),
                toPath: Services.databasePath(in: fixture.folder))
            #expect(health.isMissing)
            try FileManager.default.removeItem(atPath: fixture.folder)
            try FileManager.default.moveItem(atPath: other, toPath: fixture.folder)
            #expect(!health.isMissing)
            #expect(!health.isDamaged)
            _ = try await displays.add("Wall", for: owner)
        }
    }

    @Test func `a sound database is not reported as damaged, even while it is written`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            async let checks: Void = { for _ in 0..<5 { try await fixture.services.health.check() } }()
            for number in 1...20 {
                _ = try await fixture.services.market.displays.add("Wall \(number)", for: owner)
            }
            try await checks
            #expect(!fixture.services.health.isDamaged)
        }
    }
}
