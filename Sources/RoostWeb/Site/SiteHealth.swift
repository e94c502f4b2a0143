package import Logging
package import RoostSupport

/// What `/healthz` and `/metrics` report about the server itself.
package struct SiteHealth: Sendable {
    package let requests = RequestMetrics()
    /// Metrics that only the program can measure.
    package let program = MetricSources()
    private let database: DatabaseHealth
    private let storage: StorageProbe
    private let backups: DatabaseBackups
    private let certificateWarning: @Sendable () -> String?
    private let log: Logger

    /// - Parameter certificateWarning: why the certificate must be renewed or replaced, or nil
    package init(
        database: DatabaseHealth, storage: StorageProbe, backups: DatabaseBackups,
        certificateWarning: @escaping @Sendable () -> String? = { nil }, log: Logger
    ) {
        self.database = database
        self.storage = storage
        self.backups = backups
        self.certificateWarning = certificateWarning
        self.log = log
    }

    /// What owners see on every page, or nil.
    var warning: String? {
        if database.isMissing { return RoostError.missingFolder }
        if database.isDamaged { return RoostError.damagedDatabase }
        let backup = backup
        guard backup.state == .failed else { return certificateWarning() }
        guard let failure = backup.failure else {
            return "The newest backup is more than two nights old. Roost’s log may say why."
        }
        return "The last backup failed. \(failure)"
    }

    var isDatabaseSound: Bool { !database.isMissing && !database.isDamaged }

    package var backup: DatabaseBackups.Status { backups.status }

    /// "ok", "storageFull", "dataFolderMissing" or "damaged", and the HTTP status, which is all that supervisors look at.
    package var state: (name: String, status: Int) {
        get async {
            if database.isMissing { return ("dataFolderMissing", 503) }
            if database.isDamaged { return ("damaged", 503) }
            return await storage.isFull ? ("storageFull", 503) : ("ok", 200)
        }
    }

    /// Records a failure that shows damage to the database.
    func note(_ failure: Failure) {
        guard failure.code == Failure.databaseDamaged else { return }
        database.noteDamage("Found while handling a request.")
    }

    /// Logs an error that no part of Roost expects.
    func report(_ error: any Error) {
        log.error("A request failed", metadata: ["error": "\(error)"])
    }
}
