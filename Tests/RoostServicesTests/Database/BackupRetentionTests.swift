import Foundation
import Testing

@testable import RoostSupport

@Suite struct BackupRetentionTests {
    private let day: TimeInterval = 86_400
    /// 28 November 2026, 03:00 UTC, a Saturday.
    private let start = Date(timeIntervalSince1970: 1_795_834_800)

    @Test func `a name tells when and why the backup was made`() {
        let nightly = BackupFile(start)
        #expect(nightly.name == "roost-20261128T030000Z.sqlite")
        #expect(BackupFile(name: nightly.name) == nightly)
        let migration = BackupFile(start, isBeforeMigration: true)
        #expect(migration.name == "roost-20261128T030000Z-migration.sqlite")
        #expect(BackupFile(name: migration.name) == migration)
    }

    @Test(arguments: [
        "", "roost.sqlite", "roost-monday.sqlite", "roost-2026-11-28.sqlite",
        "roost-20261128T030000Z.sqlite.part",
        "roost-20261128T030000Z.sqlite-wal", "roost-20261328T030000Z.sqlite",
        "my-roost-20261128T030000Z.sqlite",
        "roost-20261128T030000Z-mine.sqlite", "röst-20261128T030000Z.sqlite",
    ])
    func `a file with another name is not one of Roost's backups`(name: String) {
        #expect(BackupFile(name: name) == nil)
    }

    @Test func `after a year of nights there are seven days, four weeks and twelve months`() {
        let retention = BackupRetention()
        var files: [BackupFile] = []
        for night in 0...400 {
            files.append(BackupFile(start + Double(night) * day))
            let expired = retention.expired(files)
            files.removeAll { expired.contains($0) }
        }
        let last = start + 400 * day
        let ages = files.map { Int((last.timeIntervalSince($0.date) / day).rounded()) }.sorted()
        // The last night is Sunday, 2 January 2028: then come three weeks' ends, and eleven months' ends.
        #expect(
            ages == [
                0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 33, 63, 94, 124, 155, 186, 216, 247, 277, 308,
            ])
    }

    @Test func `the newest is always kept, and so are three from before migrations`() {
        let files = (0..<10).map { BackupFile(start - Double($0) * day) }
        let kept = BackupRetention(daily: 0, weekly: 0, monthly: 0)
        #expect(kept.expired(files) == Array(files.dropFirst()))
        let migrations = files.map { BackupFile($0.date, isBeforeMigration: true) }
        #expect(BackupRetention().expired(migrations) == Array(migrations.dropFirst(3)))
    }

    @Test func `several backups of one day count once`() {
        let files = (0..<10).map { BackupFile(start - Double($0) * 60) }
        #expect(BackupRetention().expired(files) == Array(files.dropFirst()))
    }
}
