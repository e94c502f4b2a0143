import RoostSupport
import Synchronization

/// Keeps the result of each user's last import for an hour, for the report page and the CSV file of failures.
final class ImportReportStore: Sendable {
    private static let lifetime = Duration.seconds(3_600)

    private struct StoredReport {
        let report: ImportReport
        let until: ContinuousClock.Instant
    }

    private let reports = Mutex<[UserID: StoredReport]>([:])

    func keep(_ report: ImportReport, for user: UserID) {
        let now = ContinuousClock.now
        reports.withLock { reports in
            reports = reports.filter { $0.value.until > now }
            reports[user] = StoredReport(report: report, until: now + Self.lifetime)
        }
    }

    func last(of user: UserID) -> ImportReport? {
        let now = ContinuousClock.now
        return reports.withLock { $0[user].flatMap { $0.until > now ? $0.report : nil } }
    }
}
