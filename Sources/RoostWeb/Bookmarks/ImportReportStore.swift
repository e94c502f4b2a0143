import GitHub
import RoostSupport
import Synchronization

/// The result of each user's last import, for an hour: for the page after the form, and for the list of failures.
final class ImportReportStore: Sendable {
    private static let lifetime = Duration.seconds(3_600)

    private struct StoredReport {
        let report: BookmarkFileService.ImportReport
        let until: ContinuousClock.Instant
    }

    private let reports = Mutex<[UserID: StoredReport]>([:])

    func keep(_ report: BookmarkFileService.ImportReport, for user: UserID) {
        let now = ContinuousClock.now
        reports.withLock { reports in
            reports = reports.filter { $0.value.until > now }
            reports[user] = StoredReport(report: report, until: now + Self.lifetime)
        }
    }

    func last(of user: UserID) -> BookmarkFileService.ImportReport? {
        let now = ContinuousClock.now
        return reports.withLock { $0[user].flatMap { $0.until > now ? $0.report : nil } }
    }
}
