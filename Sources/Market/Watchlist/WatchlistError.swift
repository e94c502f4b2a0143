/// Errors of a watchlist, with the mission's messages.
package enum WatchlistError: Error, Equatable, Sendable {
    case invalidCoinId
    case coinAlreadyExists
    case coinNotFound
    /// Part of the mission's model. Saves fail with the database's `RoostError` instead.
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
