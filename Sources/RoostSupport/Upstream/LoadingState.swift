package enum LoadingState<Value: Sendable>: Sendable {
    case idle
    case loading
    case loaded(Value)
    case failed(APIError)

    package var isLoading: Bool {
        if case .loading = self { true } else { false }
    }

    package var data: Value? {
        if case .loaded(let value) = self { value } else { nil }
    }

    package var error: APIError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension LoadingState: Equatable where Value: Equatable {}
