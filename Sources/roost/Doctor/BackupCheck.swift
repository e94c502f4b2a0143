import RoostSupport
import RoostWeb
import TextFormats

/// The nightly backups.
struct BackupCheck: Equatable, Sendable {
    let status: DatabaseBackups.Status

    var finding: Finding {
        let subject = "Backups"
        let folder = status.folder ?? ""
        switch status.state {
        case .off:
            return .warning(
                subject, "Nightly backups are switched off.",
                remedy: "Set --backup-folder to a folder, at best on another disk.")
        case .none:
            let next = status.next.map { " The first one is due at \(ISO8601.seconds($0))." } ?? ""
            return .ok(subject, "There is no backup yet in \(folder).\(next)")
        case .ok:
            let newest = status.lastSuccess.map { ", the newest from \(ISO8601.seconds($0))" } ?? ""
            let count = CountText.of(status.count, "backup")
            return .ok(subject, "\(count) in \(folder)\(newest), \(ByteCountText.of(status.bytes)) in all.")
        case .failed:
            guard let failure = status.failure else {
                return .problem(
                    subject, "The newest backup in \(folder) is more than two nights old.",
                    remedy: "Keep Roost running at the hour of --backup-hour, or run roost backup.")
            }
            return .problem(
                subject, "The last backup failed. \(failure)",
                remedy: "Make room in \(folder), or choose another folder with --backup-folder.")
        }
    }
}
