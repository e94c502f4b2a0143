import Foundation
import RoostSupport
import TextFormats

/// What is read of a pull request, field by field, before it is judged as a whole.
struct PullBuilder {
    var id: String?
    var number: Int?
    var title: String?
    var url: String?
    /// "owner/name".
    var repository: String?
    var author: String?
    var avatar: String?
    var isBot = false
    var createdAt: Date?
    var updatedAt: Date?
    var isDraft: Bool?
    var state: String?
    var isMerged = false
    var labels: [PullRequest.Label] = []
    var additions: Int?
    var deletions: Int?
    var changedFiles: Int?
    var checksState: String?
    var counts: (passed: Int, failed: Int, running: Int)?
    var reviewDecision: String?
    var mergeable: String?
    var comments: Int?
    var allComments: Int?
    var threadCount: Int?
    var unresolved = 0
    /// False for an issue, or for what another type's fragment left empty.
    var isPull = true
    var isEmpty = true

    var head: String?
    var committedAt: Date?
    var reviewers: [FetchedPull.Reviewer]?
    var requests: [FetchedPull.Request] = []
    var assignments: [FetchedPull.Assignment] = []
    var dismissals: [FetchedPull.Dismissal] = []
    var readyAt: Date?
    var checksFailedAt: Date?
    var checksEndedAt: Date?
    var isInMergeQueue = false
    var hasAutoMerge = false
    var permission: String?
    var reviews: [FetchedPull.Review] = []
    var opinions: [FetchedPull.Review] = []
    var ownReview: FetchedPull.Review?
    var words: [FetchedPull.Comment] = []
    var hasEarlierWords = false
    var threads: [[FetchedPull.Comment]] = []
    var reviewsInThreads: Set<String> = []

    /// In bytes; GitHub's have about 20.
    private static let nodeIdLength = 1...200

    /// Throws `ValidationError` when something required is missing, or a state is unknown.
    func facts(hasDetail: Bool, now: Date) throws -> FetchedPull {
        guard let number else { throw ValidationError(field: "number", why: "is missing") }
        guard let title else { throw ValidationError(field: "title", why: "is missing") }
        guard let updatedAt else { throw ValidationError(field: "updatedAt", why: "is missing or no time") }
        let url = try Self.checked(url)
        let (owner, name) = try Self.parts(of: repository ?? Self.repository(in: url))
        var pull = try PullRequest(
            repositoryOwner: owner, repositoryName: name, number: number, title: title,
            authorLogin: author ?? "ghost", authorAvatarURL: avatar, updatedAt: updatedAt, htmlURL: url,
            now: now)
        pull.createdAt = createdAt.map { ClockSkew.clamped($0, now: now).date }
        pull.isDraft = isDraft
        pull.state = try state.map(lifeCycle)
        pull.labels = labels
        pull.additions = additions
        pull.deletions = deletions
        pull.changedFiles = changedFiles
        pull.checks = try checks()
        pull.reviewDecision = try decision()
        pull.mergeable = try mergeable.map(Self.mergeable)
        pull.comments = allComments ?? comments
        pull.unresolvedThreads = threadCount.map { _ in unresolved }
        pull.isFromBot = isBot || BotLogins.contains(pull.authorLogin)
        var facts = completed(FetchedPull(pull: pull, hasDetail: hasDetail))
        facts.permission = try permission.map(Self.permission)
        facts.timesAhead =
            [createdAt, updatedAt].count { $0.map { ClockSkew.clamped($0, now: now).wasAhead } ?? false }
        return facts
    }

    private func completed(_ bare: FetchedPull) -> FetchedPull {
        var facts = bare
        facts.nodeId = id.flatMap { Self.nodeIdLength.contains($0.utf8.count) ? $0 : nil }
        facts.head = head
        facts.committedAt = committedAt
        facts.reviewers = reviewers
        facts.requests = requests
        facts.assignments = assignments
        facts.dismissals = dismissals
        facts.readyAt = readyAt
        facts.checksFailedAt = checksFailedAt
        facts.checksEndedAt = checksEndedAt
        facts.isInMergeQueue = isInMergeQueue
        facts.hasAutoMerge = hasAutoMerge
        facts.reviews = reviews
        facts.opinions = opinions
        facts.ownReview = ownReview
        facts.words = words
        facts.hasEarlierWords = hasEarlierWords
        facts.threads = threads
        facts.reviewsInThreads = reviewsInThreads
        return facts
    }

    private static func checked(_ url: String?) throws -> String {
        // White space and control characters have no place in an address, whatever a browser makes of them.
        guard let url, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ValidationError(field: "htmlURL", why: "is missing or no address")
        }
        return url
    }

    /// "owner/name" of `https://github.com/owner/name/pull/7`.
    private static func repository(in url: String) -> String {
        url.splitBytes(at: "/").dropFirst(2).prefix(2).joined(separator: "/")
    }

    private static func parts(of fullName: String) throws -> (owner: String, name: String) {
        let parts = fullName.splitBytes(at: "/", omittingEmptySubsequences: false)
        // Browsers take "." and ".." out of an address, encoded or not: the item's own would lead elsewhere.
        guard parts.count == 2, !parts.contains("."), !parts.contains(".."),
            fullName.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw ValidationError(field: "repository", why: "is not of the form owner/name")
        }
        return (String(parts[0]), String(parts[1]))
    }

    /// Throws `ValidationError` for an unknown state.
    func checks() throws -> PullRequest.Checks? {
        let state: PullRequest.Checks.State
        switch checksState {
        case "SUCCESS": state = .passed
        case "FAILURE", "ERROR": state = .failed
        case "PENDING", "EXPECTED": state = .running
        case nil: return nil
        default: throw ValidationError(field: "statusCheckRollup", why: "has an unknown state")
        }
        return PullRequest.Checks(
            state: state, passed: counts?.passed, failed: counts?.failed, running: counts?.running)
    }

    /// REST knows open and closed only, and says beside it when a pull request was merged.
    private func lifeCycle(_ text: String) throws -> PullRequest.State {
        switch text.uppercased() {
        case "OPEN": .open
        case "CLOSED": isMerged ? .merged : .closed
        case "MERGED": .merged
        default: throw ValidationError(field: "state", why: "is unknown")
        }
    }

    private func decision() throws -> PullRequest.ReviewDecision? {
        switch reviewDecision {
        case nil, "": nil
        case "APPROVED": .approved
        case "CHANGES_REQUESTED": .changesRequested
        case "REVIEW_REQUIRED": .reviewRequired
        default: throw ValidationError(field: "reviewDecision", why: "is unknown")
        }
    }

    private static func permission(_ text: String) throws -> FetchedPull.Permission {
        guard let permission = FetchedPull.Permission(rawValue: text) else {
            throw ValidationError(field: "viewerPermission", why: "is unknown")
        }
        return permission
    }

    static func mergeable(_ text: String) throws -> PullRequest.Mergeable {
        switch text {
        case "MERGEABLE": .mergeable
        case "CONFLICTING": .conflicting
        case "UNKNOWN": .unknown
        default: throw ValidationError(field: "mergeable", why: "is unknown")
        }
    }
}
