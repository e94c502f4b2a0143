import GRDB

extension RoostError {
    /// Turns an error of the database into words, or returns nil for one that neither the disk nor a stored value
    /// causes.
    package init?(storage error: any Error) {
        switch error {
        case let error as DatabaseError where Self.isRefusedWrite(error.extendedResultCode):
            self = .storageFull(Self.fullStorage)
        case let error as DatabaseError
        where [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode):
            self = .databaseDamaged(Self.damagedDatabase)
        case is ImpossibleValue, is RowDecodingError:
            self = .unavailable(
                "The database holds a value that cannot be: `roost check` names the table and the row.")
        default: return nil
        }
    }

    /// What a reader is told when the disk takes no more.
    static let fullStorage =
        "Roost’s disk is full or cannot be written, so nothing was saved. What is stored can still be read."

    /// What users and owners see while the database file is damaged.
    package static let damagedDatabase = """
        Roost’s database is damaged. An owner must stop Roost and restore the last good backup. \
        `roost check` shows what is damaged.
        """

    /// SQLite calls a full disk (ENOSPC) FULL. A quota (EDQUOT) and a limit on file sizes (EFBIG) are a failed write or
    /// a log or shared memory file that cannot grow. A disk or file that became read-only is READONLY.
    private static func isRefusedWrite(_ code: ResultCode) -> Bool {
        [
            .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
            .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN,
        ].contains(code)
            || [ResultCode.SQLITE_FULL, .SQLITE_READONLY].contains(code.primaryResultCode)
    }
}
