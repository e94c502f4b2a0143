import Foundation
import RoostSupport
import RoostWeb

/// Everything that the status page and `/api/v1/status` show.
struct StatusReport: Sendable {
    struct Source: Sendable {
        /// As in `/healthz`: "coingecko", "github.com/3".
        let id: String
        let health: SourceHealth

        var title: String { health.title ?? id }

        /// Nil unless the source fails.
        var finding: Finding? {
            guard health.state == "failed" else { return nil }
            let remedy = health.remedy ?? "Roost tries again on its own; roost doctor checks the connection."
            let text = health.error ?? "The last request failed."
            return Finding(
                level: id == "secretKey" ? .problem : .warning, subject: title, text: text, remedy: remedy)
        }
    }

    let version: String
    let address: String
    let startedAt: Date
    let now: Date
    let disk: DiskCheck
    let database: DatabaseFileCheck
    let backups: BackupCheck
    let certificate: CertificateCheck
    /// Sorted by title.
    let sources: [Source]
    let queues: [QueueHealth]
    let openPages: Int
    /// Newest first.
    let errors: [RecentErrors.Entry]
    let accessLog: String?
    let accessLogBytes: Int?

    /// What needs the owner, the worst first.
    var findings: [Finding] {
        let checks = [database.finding, disk.finding, backups.finding, certificate.finding]
        let all = (checks + sources.compactMap(\.finding)).filter { $0.level > .ok }
        return all.filter { $0.level == .problem } + all.filter { $0.level == .warning }
    }

    var level: Finding.Level { findings.map(\.level).max() ?? .ok }
}

/// What an operator can do about an event of the log.
enum LogRemedy {
    /// A part of the message or of its details, and the remedy. The first match counts.
    private static let remedies: [(part: String, remedy: String)] = [
        (
            "The database is damaged",
            "Stop Roost and restore the last good backup: roost restore FILE --force."
        ),
        ("data folder was moved", "Put the data folder back, or restore a backup and restart Roost."),
        ("disk is full", "Free space on the disk of the data folder."),
        ("No space left", "Free space on the disk of the data folder."),
        ("The backup failed", "Make room, or choose another folder with --backup-folder."),
        ("The certificate in", "Renew the certificate, then reload or restart Roost."),
        ("is not in use. Back up", "Back up the key file that is used, and delete the other one."),
        ("secret key", "Start Roost with the right key; roost doctor says which one it finds."),
        (
            "The key that this database",
            "Start Roost with the right key; roost doctor says which one it finds."
        ),
        ("GitHub rejected the token", "Create a new token on GitHub and set --github-token."),
        ("keyRefused", "Check the key of --coingecko-api-key."),
        ("Prices could not be fetched", "Roost tries again on its own; roost doctor checks the connection."),
        (
            "coin list could not be fetched",
            "Roost tries again on its own; roost doctor checks the connection."
        ),
        (
            "Pull requests could not be fetched",
            "Roost tries again on its own; roost doctor checks the connection."
        ),
        ("The model did not write a gist", "Check --gist-api-url, its key and --gist-model."),
        ("picture could not be written", "Check the room and the permissions of the folder."),
        ("was open to other users", "Nothing: Roost has corrected the permissions."),
        ("cannot be deleted", "Check the permissions of the folder."),
        ("sent an invalid item", "Nothing: Roost keeps the last good value."),
        ("was skipped", "Nothing: Roost skips what it cannot read."),
        ("were skipped", "Nothing: Roost skips what it cannot read."),
    ]

    private static let other =
        "Run roost doctor and roost check; if it happens again, report this line and Roost’s version."

    static func of(_ entry: RecentErrors.Entry) -> String {
        let text = entry.message + " " + entry.details
        return remedies.first { text.containsBytes($0.part) }?.remedy ?? other
    }
}
