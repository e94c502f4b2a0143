import GRDB

extension RoostError {
    /// Describes a database error for users. Returns nil for an error that neither the disk nor a stored value causes.
    package init?(storage error: any Error) {
        switch error {
        case let error as DatabaseError where Self.isRefusedWrite(error.extendedResultCode):
            self = .storageFull(Self.fullStorage)
        case let error as DatabaseError
        where [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode):
            self = .databaseDamaged(Self.damagedDatabase)
        case is ImpossibleValue, is RowDecodingError:
            self = .unavailable(
                "The database contains an invalid value. `roost check` shows its table and row.")
        default: return nil
        }
    }

    static let fullStorage =
        "Roost’s disk is full or not writable, so nothing was saved. Stored data can still be read."

    package static let missingFolder = """
        Roost’s data folder was moved or deleted, so nothing can be saved. An owner must move it back, or restore a \
        backup and restart Roost.
        """

    package static let damagedDatabase = """
        Roost’s database is damaged. An owner must stop Roost and restore the last good backup. \
        `roost check` shows what is damaged.
        """

    /// Returns true if the disk refused a write. SQLite reports a full disk (ENOSPC) as FULL; a quota (EDQUOT) or a
    /// file size limit (EFBIG) as a failed write or as a log or shared memory file that cannot grow; and a disk or file
    /// that became read-only as READONLY.
    private static func isRefusedWrite(_ code: ResultCode) -> Bool {
        [
            .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
            .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN,
        ].contains(code)
            || [ResultCode.SQLITE_FULL, .SQLITE_READONLY].contains(code.primaryResultCode)
    }
}
