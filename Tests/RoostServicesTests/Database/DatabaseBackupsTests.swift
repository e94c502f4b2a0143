import Foundation
import GRDB
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

/// Backups that are made every night and before migrations.
@Suite(.timeLimit(.minutes(5))) struct DatabaseBackupsTests {
    private let files = FileManager.default

    private func names(_ folder: String) -> [String] {
        ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// Runs the body with services that make backups into a folder.
    private func withBackups(
        daily: Int = 7, _ body: (ServicesFixture, String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let backups = folder + "/backups"
            try await withServices {
                $0.backups = .init(folder: backups, retention: .init(daily: daily, weekly: 0, monthly: 0))
            } _: { fixture in
                try await body(fixture, backups)
            }
        }
    }

    @Test func `each night has one backup, which is a sound database of its own`() async throws {
        try await withBackups { fixture, folder in
            _ = try await fixture.owner(watching: "bitcoin")
            let backups = fixture.services.backups
            #expect(backups.status.state == .none)
            await backups.makeIfDue()
            await backups.makeIfDue()
            #expect(names(folder) == [BackupFile(fixture.clock.now).name])
            fixture.clock.advance(86_400)
            await backups.makeIfDue()
            #expect(names(folder).count == 2)
            let status = backups.status
            #expect(status.state == .ok && status.count == 2 && status.bytes > 100_000)
            #expect(status.lastSuccess == fixture.clock.now)
            for name in names(folder) {
                let path = folder + "/" + name
                #expect(try await Services.problems(ofFileAt: path).isEmpty)
                let mode = try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
                #expect(mode?.intValue == 0o600)
            }
        }
    }

    @Test func `an old backup is deleted only after a new one passes its check`() async throws {
        try await withBackups(daily: 2) { fixture, folder in
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let now = fixture.clock.now
            let old = (1...5).map { BackupFile(now - Double($0) * 86_400 - 43_200).name }.sorted()
            for name in old + ["mine.sqlite"] {
                #expect(files.createFile(atPath: folder + "/" + name, contents: nil))
            }
            let backups = fixture.services.backups
            try fixture.change("CREATE TABLE rooms (id INTEGER)")
            await backups.makeIfDue()
            #expect(names(folder) == ["mine.sqlite"] + old)
            #expect(backups.status.state == .failed)
            #expect(backups.status.failure?.contains("The table rooms is unknown to this version.") == true)
            try fixture.change("DROP TABLE rooms")
            await backups.makeIfDue()
            #expect(names(folder).count == 6, "it tries again only after an hour")
            fixture.clock.advance(3_601)
            await backups.makeIfDue()
            #expect(names(folder) == ["mine.sqlite", old[4], BackupFile(fixture.clock.now).name])
            #expect(backups.status.state == .ok && backups.status.failure == nil)
        }
    }

    @Test func `a backup of a wrong future and one that is two nights old are reported`() async throws {
        try await withBackups { fixture, folder in
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let backups = fixture.services.backups
            let future = BackupFile(fixture.clock.now + 86_400 * 365).name
            #expect(files.createFile(atPath: folder + "/" + future, contents: nil))
            await backups.makeIfDue()
            #expect(backups.status.lastSuccess == fixture.clock.now)
            fixture.clock.advance(86_400 * 3)
            #expect(backups.status.state == .failed)
        }
    }

    @Test func `without backups nothing is made`() async throws {
        try await withServices { fixture in
            await fixture.services.backups.makeIfDue()
            #expect(fixture.services.backups.status.state == .off)
            #expect(!names(fixture.folder).contains("backups"))
        }
    }

    // MARK: Migrations

    /// Makes the database of the version before.
    private func makeOld(in folder: String) throws -> String {
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let migrator = Migrations.migrator
        let last = try #require(migrator.migrations.dropLast().last)
        let queue = try DatabaseFile.open(folder + "/roost.sqlite")
        try migrator.migrate(queue, upTo: last)
        try queue.close()
        return last
    }

    private func lastMigration(_ path: String) throws -> String? {
        try DatabaseFile.open(path).read { try Migrations.migrator.completedMigrations($0).last }
    }

    @Test func `a database is copied before its migration, and a current one is not`() async throws {
        try await withFolder { folder in
            let last = try makeOld(in: folder)
            let backups = folder + "/backups"
            for _ in 0..<2 {
                let pool = try RoostSupport.Database.open(in: folder, backups: .init(folder: backups))
                try RoostSupport.Database.close(pool)
            }
            #expect(try lastMigration(folder + "/roost.sqlite") == Migrations.migrator.migrations.last)
            let made = names(backups)
            #expect(made.count == 1)
            let name = try #require(made.first)
            #expect(name.hasSuffix("-migration.sqlite"))
            #expect(try lastMigration(backups + "/" + name) == last)
        }
    }

    @Test func `a migration that fails at each start keeps the copy of the state before it`() async throws {
        struct Failure: Error {}
        try await withFolder { folder in
            let last = try makeOld(in: folder)
            let backups = folder + "/backups"
            try files.createDirectory(atPath: backups, withIntermediateDirectories: false)
            let first = BackupFile(Date(timeIntervalSinceNow: -9_000), isBeforeMigration: true).name
            try files.copyItem(atPath: folder + "/roost.sqlite", toPath: backups + "/" + first)
            var migrator = Migrations.migrator
            migrator.registerMigration("fails") { _ in throw Failure() }
            // Older than the others by their names.
            for minutes in 1...3 {
                let name = BackupFile(
                    Date(timeIntervalSinceNow: -8_000 + Double(minutes) * 60), isBeforeMigration: true
                ).name
                try files.copyItem(atPath: backups + "/" + first, toPath: backups + "/" + name)
            }
            #expect(throws: Failure.self) {
                try RoostSupport.Database.open(
                    in: folder, migrator: migrator, backups: .init(folder: backups))
            }
            #expect(names(backups).contains(first))
            #expect(try lastMigration(backups + "/" + first) == last)
        }
    }

    @Test func `without a backup there is no migration`() async throws {
        try await withFolder { folder in
            let last = try makeOld(in: folder)
            #expect(files.createFile(atPath: folder + "/backups", contents: nil))
            let refusal = await refusal {
                _ = try RoostSupport.Database.open(in: folder, backups: .init(folder: folder + "/backups"))
            }
            #expect(refusal?.message.contains("--backup-folder off") == true)
            #expect(try lastMigration(folder + "/roost.sqlite") == last)
        }
    }

    @Test func `a new database needs no backup`() async throws {
        try await withFolder { folder in
            let pool = try RoostSupport.Database.open(in: folder, backups: .init(folder: folder + "/backups"))
            try RoostSupport.Database.close(pool)
            #expect(names(folder) == ["roost.sqlite"])
        }
    }
}
