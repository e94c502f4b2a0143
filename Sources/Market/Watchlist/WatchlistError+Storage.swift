import GRDB

extension WatchlistError {
    /// Says in a sentence for the reader why the database did not take a change. The error's own words belong to the log.
    package init(storage error: any Error) {
        self =
            switch (error as? DatabaseError)?.resultCode {
            case .SQLITE_BUSY?, .SQLITE_LOCKED?: .saveFailed("The database is busy. Please try again.")
            case .SQLITE_IOERR?, .SQLITE_CANTOPEN?: .saveFailed("The disk reported an error.")
            case .SQLITE_CONSTRAINT?: .saveFailed("The database rejected the change.")
            default: .saveFailed("Something went wrong in Roost. Please try again.")
            }
    }
}
