import Foundation

/// Something that GitHub is to be asked; `viewer` is whose account asks, nil for all who have none.
enum RepositoryJob: Hashable, Sendable {
    case page(since: RepositoryID, viewer: UserID?)
    case search(RepositorySearches.Key, page: Int)
    case detail(RepositoryName, viewer: UserID?)
    case readme(RepositoryName, viewer: UserID?)
    /// Whatever rows are on the screens of those whom this viewer stands for.
    case rows(viewer: UserID?)

    var viewer: UserID? {
        switch self {
        case .page(_, let viewer), .detail(_, let viewer), .readme(_, let viewer), .rows(let viewer): viewer
        case .search(let key, _): key.viewer
        }
    }

    /// Of a page: where it begins.
    var page: RepositoryID? { if case .page(let since, _) = self { since } else { nil } }
}

/// Has GitHub asked for what pages look at: one job a time of each kind, a failed one again while somebody looks.
struct RepositoryRefreshSource: RefreshSource {
    /// How a job stands, for a page.
    struct JobStatus {
        var isLoading = false
        var failure: GitHubFailure?
        var nextTryAt: Date?

        /// Of the value that is to come.
        func state<Value>() -> LoadingState<Value> {
            if isLoading { return .loading }
            return failure.map { .failed($0.error) } ?? .idle
        }
    }

    /// Seconds after the last look at it that a failed one is still tried again by itself.
    static let attention: TimeInterval = 600

    unowned let service: RepositoryService

    static func refresher(_ clock: WallClock) -> Refresher<RepositoryJob> {
        // Of a page that several viewers want, one asks.
        Refresher(clock: clock, backoff: .gitHub, capacity: 5_000) { job, running in
            job.page == nil || !running.contains { $0.page == job.page }
        }
    }

    func refresh(_ job: RepositoryJob) async throws -> RefreshOutcome {
        do {
            if let lane = service.lane(of: job.viewer) { try await service.fetch(job, lane) }
            return .done
        } catch let error as CancellationError {
            throw error
        } catch {
            var failure =
                (error as? GitHubFailure) ?? GitHubFailure(error: .unknown("\(error)"), detail: "\(error)")
            // GitHub cannot make sense of it, and will not in a minute.
            if failure.status == 422 { failure.retryAfter = Self.attention }
            throw failure
        }
    }

    func ended(_ job: RepositoryJob, _ failure: (any UpstreamFailure)?) {
        if let failure = failure as? GitHubFailure {
            service.log.info(
                "GitHub could not be asked about repositories", metadata: ["why": "\(failure.detail)"])
        }
        service.tellAskers(of: job, isDone: failure == nil)
    }
}
