import Market
import RoostWeb

extension WatchlistError: ShownError {
    var failure: Failure {
        let status =
            switch self {
            case .invalidCoinId: 422
            case .coinAlreadyExists: 409
            case .coinNotFound: 404
            case .saveFailed: 500
            case .networkError: 503
            }
        let title = if case .coinNotFound = self { "Not found" } else { "Not accepted" }
        var failure = Failure(status, code, title, message, field: "coinId")
        if case .saveFailed = self { failure.field = nil }
        if case .networkError = self {
            failure.field = nil
            failure.retryAfter = 15
        }
        return failure
    }
}
