package import Foundation

/// What bookmarks ask in the background.
extension RepositoryService {
    package enum Refreshed: Equatable, Sendable {
        case unchanged
        /// Also under another name: GitHub sent on to it (301).
        case changed(RepositoryItem)
        /// 404, 410 or 451.
        case gone
    }

    /// Asks GitHub for one repository anew, conditionally, as background work of this user's within the
    /// limits, and tells the listeners. Throws `GitHubFailure` (a limit's when the share for background work
    /// is used up: `retryAfter` says when to come again) and `CancellationError`.
    package func refresh(_ name: RepositoryName, for user: UserID) async throws -> Refreshed {
        let lane = lane(for: user)
        do {
            guard let (item, isNew) = try await fetchDetail(name, .upkeep, lane) else { return .gone }
            return isNew ? .changed(item) : .unchanged
        } catch let error where error is GitHubFailure || error is CancellationError {
            throw error
        } catch {
            throw GitHubFailure(error: .unknown("\(error)"), detail: "\(error)")
        }
    }

    /// One page of what the user has starred, with when; `next` is the path for the next call. As background
    /// work. Throws `GitHubFailure`; `RoostError.unavailable` without an account on the standard host.
    package func starred(_ path: String?, for user: UserID) async throws
        -> (items: [(item: RepositoryItem, starredAt: Date)], next: String?)
    {
        let lane = lane(for: user)
        guard lane.viewer == user else { throw RoostError.unavailable("Connect GitHub first.") }
        let path = path ?? "/user/starred?per_page=100"
        guard path.hasPrefix("/user/starred?") else { throw RoostError.unavailable("Please begin anew.") }
        let answer = try await lane.get(path, accept: "application/vnd.github.star+json", .upkeep)
        let list = try Self.reading { try RESTRepositoryParser.stars(answer.body, now: clock.now()) }
        note(list)
        let items = try await learn(list.found, by: lane)
        let next = answer.links["next"].flatMap { $0.hasPrefix("/user/starred?") && $0 != path ? $0 : nil }
        return (Array(zip(items, list.starredAt)), next)
    }
}
