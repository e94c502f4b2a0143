import GRDB

/// What can go wrong with a watchlist, in the mission's words.
package enum WatchlistError: Error, Equatable, Sendable {
    case invalidCoinId
    case coinAlreadyExists
    case coinNotFound
    /// `cause` in plain words, never a stranger's error text.
    case saveFailed(String)
    case networkError(String)

    package var message: String {
        switch self {
        case .invalidCoinId: "Invalid cryptocurrency ID"
        case .coinAlreadyExists: "This coin is already in your watchlist"
        case .coinNotFound: "Cryptocurrency not found"
        case .saveFailed(let cause): "Failed to save: \(cause)"
        case .networkError(let cause): "Network error: \(cause)"
        }
    }

    /// The name in JSON answers.
    package var code: String {
        switch self {
        case .invalidCoinId: "invalidCoinId"
        case .coinAlreadyExists: "coinAlreadyExists"
        case .coinNotFound: "coinNotFound"
        case .saveFailed: "saveFailed"
        case .networkError: "networkError"
        }
    }
}

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
