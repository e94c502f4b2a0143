import Foundation

@testable import GitHub
@testable import RoostSupport

/// A pull request for tests, with their clock.
enum PullSample {
    static let now = Date(timeIntervalSince1970: 1_794_312_000)

    static func item(
        _ repository: String = "apple/swift-nio", _ number: Int = 7, title: String = "Close idle channels",
        author: String = "glbrntt", reasons: [TurnReason] = [.askedByName], waited: TimeInterval = 18_000,
        updated: TimeInterval = 7_200, host: String = "github.com",
        fill: (inout PullRequest) -> Void = { _ in }
    ) throws -> InboxItem {
        let names = repository.split(separator: "/").map(String.init)
        var pull = try PullRequest(
            repositoryOwner: names[0], repositoryName: names[1], number: number, title: title,
            authorLogin: author, updatedAt: now - updated,
            htmlURL: "https://\(host)/\(repository)/pull/\(number)", now: now)
        fill(&pull)
        return InboxItem(
            accountId: 1, key: PullKey(host: host, owner: names[0], name: names[1], number: number),
            pull: pull, waits: reasons.map { .init($0, since: now - waited) })
    }

    static func source(
        _ host: String = "github.com", error: APIError? = nil, updated: Date? = now - 12,
        next: Date? = now + 48, budget: RateBudget? = nil, hasLessDetail: Bool = false, refused: Int = 0
    ) -> InboxSource {
        InboxSource(
            accountId: 1, host: host, login: "ada", authentication: .authenticated, error: error,
            updatedAt: updated, nextTryAt: next, budget: budget, hasLessDetail: hasLessDetail,
            refused: refused)
    }
}
