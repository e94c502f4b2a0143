import GRDB

extension RoostError {
    /// Turns an error of the database into words, or returns nil for one that neither the disk nor a stored value
    /// causes.
    package init?(storage error: any Error) {
        switch error {
        case let error as DatabaseError where Self.isRefusedWrite(error.extendedResultCode):
            self = .storageFull(Self.fullStorage)
        case is ImpossibleValue, is RowDecodingError:
            self = .unavailable(
                "The database holds a value that cannot be: `roost check` names the table and the row.")
        default: return nil
        }
    }

    /// What a reader is told when the disk takes no more.
    package static let fullStorage =
        "Roost’s disk is full or cannot be written, so nothing was saved. What is stored can still be read."

    /// SQLite calls a full disk (ENOSPC) FULL. A quota (EDQUOT) and a limit on file sizes (EFBIG) are a failed write or
    /// a log or shared memory file that cannot grow.
    private static func isRefusedWrite(_ code: ResultCode) -> Bool {
        [
            .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
            .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN,
        ].contains(code) || code.primaryResultCode == .SQLITE_FULL
    }
}
