import RoostServices
import Synchronization

/// What the last file of each user did, for an hour: kept from the form to the page that shows it.
final class ImportReports: Sendable {
    private static let lifetime = Duration.seconds(3_600)

    private struct StoredReport {
        let report: BookmarkFileService.ImportReport
        let until: ContinuousClock.Instant
    }

    private let kept = Mutex<[UserID: StoredReport]>([:])

    func keep(_ report: BookmarkFileService.ImportReport, for user: UserID) {
        let now = ContinuousClock.now
        kept.withLock { kept in
            kept = kept.filter { $0.value.until > now }
            kept[user] = StoredReport(report: report, until: now + Self.lifetime)
        }
    }

    func last(of user: UserID) -> BookmarkFileService.ImportReport? {
        let now = ContinuousClock.now
        return kept.withLock { kept in kept[user].flatMap { $0.until > now ? $0.report : nil } }
    }
}
