package import Logging
package import RoostSupport

/// What `/healthz` and `/metrics` report about the server itself.
package struct SiteHealth: Sendable {
    package let metrics = Metrics()
    private let database: DatabaseHealth
    private let storage: StorageProbe
    private let log: Logger

    package init(database: DatabaseHealth, storage: StorageProbe, log: Logger) {
        self.database = database
        self.storage = storage
        self.log = log
    }

    /// What owners see on every page, or nil.
    var warning: String? {
        if database.isMissing { return RoostError.missingFolder }
        return database.isDamaged ? RoostError.damagedDatabase : nil
    }

    /// "ok", "storageFull", "dataFolderMissing" or "damaged", and the HTTP status, which is all that supervisors look at.
    var state: (name: String, status: Int) {
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
