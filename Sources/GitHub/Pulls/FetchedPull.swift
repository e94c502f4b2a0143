package import Foundation

/// A pull request with all data that decides whose turn it is.
@dynamicMemberLookup
package struct FetchedPull: Equatable, Sendable {
    package struct Comment: Equatable, Sendable {
        package let login: String
        package let isBot: Bool
        package let at: Date

        package init(login: String, isBot: Bool = false, at: Date) {
            self.login = login
            self.isBot = isBot
            self.at = at
        }
    }

    package struct Review: Equatable, Sendable {
        package enum State: String, Sendable {
            case pending = "PENDING"
            case commented = "COMMENTED"
            case approved = "APPROVED"
            case changesRequested = "CHANGES_REQUESTED"
            case dismissed = "DISMISSED"
        }

        package let comment: Comment
        package let state: State
        package let head: String?
        /// GitHub's node id.
        package let id: String?

        package init(comment: Comment, state: State, head: String? = nil, id: String? = nil) {
            self.comment = comment
            self.state = state
            self.head = head
            self.id = id
        }
    }

    package struct Dismissal: Equatable, Sendable {
        /// The review's author.
        package let login: String
        /// The state before the dismissal.
        package let state: Review.State
        package let at: Date
        /// True if a push dismissed it under the branch's rules, false if a person did.
        let isByPush: Bool

        package init(login: String, state: Review.State, at: Date, isByPush: Bool) {
            self.login = login
            self.state = state
            self.at = at
            self.isByPush = isByPush
        }
    }

    package struct Assignment: Equatable, Sendable {
        package let login: String
        package let at: Date

        package init(login: String, at: Date) {
            self.login = login
            self.at = at
        }
    }

    package enum Permission: String, Sendable {
        case read = "READ"
        case triage = "TRIAGE"
        case write = "WRITE"
        case maintain = "MAINTAIN"
        case admin = "ADMIN"

        var allowsMerging: Bool { self != .read && self != .triage }
    }

    /// A requested reviewer. A team's name is nil if the token may not see it.
    package enum Reviewer: Equatable, Sendable {
        case user(String)
        case team(String?)
    }

    package struct Request: Equatable, Sendable {
        package let reviewer: Reviewer
        package let at: Date

        package init(reviewer: Reviewer, at: Date) {
            self.reviewer = reviewer
            self.at = at
        }
    }

    /// The activity of people and checks, as far as it was fetched.
    package struct Activity: Equatable, Sendable {
        package var head: String?
        package var committedAt: Date?
        package var reviewers: [Reviewer]?
        package var requests: [Request] = []
        package var assignments: [Assignment] = []
        package var dismissals: [Dismissal] = []
        /// Nil if it never was a draft.
        package var readyAt: Date?
        /// When the head's first failed check ended, and when its last check ended.
        package var checksFailedAt: Date?
        package var checksEndedAt: Date?
        package var isInMergeQueue = false
        /// True if GitHub merges it once its requirements are met.
        package var hasAutoMerge = false
        /// The latest reviews of all people.
        package var reviews: [Review] = []
        /// Each person's latest approval or request for changes.
        package var opinions: [Review] = []
        package var ownReview: Review?
        package var comments: [Comment] = []
        /// True if the conversation has earlier comments that were not fetched.
        package var hasEarlierComments = false
        /// The latest comments of each unresolved code thread, as far as they were fetched.
        package var threads: [[Comment]] = []
        /// The ids of reviews with comments in threads, including resolved ones.
        package var reviewsInThreads: Set<String> = []
    }

    package var pull: PullRequest
    package var activity: Activity
    /// GitHub's node id.
    package var nodeId: String?
    package var permission: Permission?
    /// The number of its dates that were too far in the future and became the current time.
    var futureDateCount = 0
    /// False if only REST answered, or GitHub withheld the lists: reviews and commits are then unknown.
    package var hasDetail = true
    /// When the lists were fetched, or nil if they were not.
    var detailedAt: Date?
    package var hasThreads = false

    package init(pull: PullRequest, activity: Activity = Activity(), hasDetail: Bool = true) {
        self.pull = pull
        self.activity = activity
        self.hasDetail = hasDetail
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<Activity, Value>) -> Value {
        get { activity[keyPath: path] }
        set { activity[keyPath: path] = newValue }
    }

    package func key(host: String) -> PullKey {
        PullKey(host: host, owner: pull.repositoryOwner, name: pull.repositoryName, number: pull.number)
    }
}

extension FetchedPull {
    /// GitHub's overall state is a failure as soon as one check has failed, even if others still run.
    var hasRunningChecks: Bool {
        guard let checks = pull.checks else { return false }
        return checks.state == .running || checks.state == .failed && (checks.running ?? 0) > 0
    }

    func withLists(of previous: FetchedPull) -> FetchedPull {
        var merged = previous
        merged.pull = pull
        merged.pull.labels = previous.pull.labels
        (merged.pull.additions, merged.pull.deletions) = (previous.pull.additions, previous.pull.deletions)
        merged.pull.changedFiles = previous.pull.changedFiles
        merged.pull.unresolvedThreads = previous.pull.unresolvedThreads
        // Counts only apply to the same overall state.
        if pull.checks?.state == previous.pull.checks?.state { merged.pull.checks = previous.pull.checks }
        (merged.nodeId, merged.permission) = (nodeId, permission)
        merged.activity.head = activity.head
        merged.activity.isInMergeQueue = activity.isInMergeQueue
        merged.activity.hasAutoMerge = activity.hasAutoMerge
        merged.futureDateCount = futureDateCount
        return merged
    }

    /// Updates the checks, unless they belong to another head.
    mutating func updateChecks(from draft: PullBuilder) {
        guard draft.activity.head == activity.head, let checks = try? draft.checks() else { return }
        pull.checks = checks
        activity.checksFailedAt = draft.activity.checksFailedAt
        activity.checksEndedAt = draft.activity.checksEndedAt
    }
}

extension String {
    /// Compares ASCII letters case-insensitively, as GitHub does for logins and teams.
    package func isSameLogin(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { Self.lower($0) == Self.lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
