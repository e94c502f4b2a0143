import RoostServices

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
        var failure = Failure(status, code, "Not accepted", message, field: "coinId")
        if case .saveFailed = self { failure.field = nil }
        if case .networkError = self {
            failure.field = nil
            failure.retryAfter = 15
        }
        return failure
    }
}
