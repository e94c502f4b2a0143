package import Foundation

/// A pull request with all that decides whose turn it is.
package struct FetchedPull: Equatable, Sendable {
    /// Who said something, and when.
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

        package let word: Comment
        package let state: State
        /// The commit that was looked at.
        package let head: String?
        /// GitHub's own id of it.
        package let id: String?

        package init(word: Comment, state: State, head: String? = nil, id: String? = nil) {
            self.word = word
            self.state = state
            self.head = head
            self.id = id
        }
    }

    /// A review that no longer counts.
    package struct Dismissal: Equatable, Sendable {
        /// Whose review it was.
        package let login: String
        /// What it said.
        package let state: Review.State
        package let at: Date
        /// The branch's rules dismissed it with a push; otherwise a person did.
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

    /// What the reader may do in the repository.
    package enum Permission: String, Sendable {
        case read = "READ"
        case triage = "TRIAGE"
        case write = "WRITE"
        case maintain = "MAINTAIN"
        case admin = "ADMIN"

        var allowsMerging: Bool { self != .read && self != .triage }
    }

    /// Whose review is asked for. A team without a name is one that the token may not see.
    package enum Reviewer: Equatable, Sendable {
        case user(String)
        case team(String?)
    }

    /// A request for a review that was made at a time.
    package struct Request: Equatable, Sendable {
        package let reviewer: Reviewer
        package let at: Date

        package init(reviewer: Reviewer, at: Date) {
            self.reviewer = reviewer
            self.at = at
        }
    }

    package var pull: PullRequest
    /// GitHub's own id of it, for asking again.
    package var nodeId: String?
    /// The latest commit, and when it was made.
    package var head: String?
    var committedAt: Date?
    /// Nil where GitHub did not say who is asked.
    var reviewers: [Reviewer]?
    package var requests: [Request] = []
    package var assignments: [Assignment] = []
    package var dismissals: [Dismissal] = []
    /// When it was last made ready for review; nil where it never was a draft.
    package var readyAt: Date?
    /// When the first of the failed checks of the head ended, and the last of all that have ended.
    var checksFailedAt: Date?
    var checksEndedAt: Date?
    package var isInMergeQueue = false
    /// GitHub merges it by itself once it may.
    var hasAutoMerge = false
    /// Nil where GitHub does not say.
    package var permission: Permission?
    /// The latest, of everybody.
    package var reviews: [Review] = []
    /// The latest that approve or ask for changes, one a person.
    package var opinions: [Review] = []
    /// The reader's own latest.
    var ownReview: Review?
    /// The latest in the conversation.
    package var words: [Comment] = []
    /// There are earlier ones, which were not asked for.
    var hasEarlierWords = false
    /// The unresolved ones on the code, as far as they were asked for: each with its latest words.
    package var threads: [[Comment]] = []
    /// The ids of the reviews with words in threads, resolved ones too.
    var reviewsInThreads: Set<String> = []
    /// How many of its times lay too far ahead of our clock and were taken as now.
    var timesAhead = 0
    /// False where only REST answered, or GitHub withheld the lists: reviews and commits are unknown.
    package var hasDetail: Bool
    /// When its lists were fetched; nil where only the overview was.
    var detailedAt: Date?
    /// Whether the words on the code were asked for with them.
    package var hasThreads = false

    package init(pull: PullRequest, hasDetail: Bool = true) {
        self.pull = pull
        self.hasDetail = hasDetail
    }

    package func key(host: String) -> PullKey {
        PullKey(host: host, owner: pull.repositoryOwner, name: pull.repositoryName, number: pull.number)
    }
}

extension FetchedPull {
    /// GitHub's sum is a failure as soon as one has failed, although others still run.
    var hasRunningChecks: Bool {
        guard let checks = pull.checks else { return false }
        return checks.state == .running || checks.state == .failed && (checks.running ?? 0) > 0
    }

    /// This overview with the lists that were fetched earlier.
    func withLists(of known: FetchedPull) -> FetchedPull {
        var merged = known
        merged.pull = pull
        merged.pull.labels = known.pull.labels
        (merged.pull.additions, merged.pull.deletions) = (known.pull.additions, known.pull.deletions)
        merged.pull.changedFiles = known.pull.changedFiles
        merged.pull.unresolvedThreads = known.pull.unresolvedThreads
        // Counts of another sum say nothing.
        if pull.checks?.state == known.pull.checks?.state { merged.pull.checks = known.pull.checks }
        (merged.nodeId, merged.head, merged.permission) = (nodeId, head, permission)
        (merged.isInMergeQueue, merged.hasAutoMerge) = (isInMergeQueue, hasAutoMerge)
        merged.timesAhead = timesAhead
        return merged
    }

    /// Takes the checks of the head as they are now; those of another one are left.
    mutating func takeChecks(of draft: PullBuilder) {
        guard draft.head == head, let checks = try? draft.checks() else { return }
        pull.checks = checks
        (checksFailedAt, checksEndedAt) = (draft.checksFailedAt, draft.checksEndedAt)
    }
}

extension String {
    /// GitHub's logins and teams differ in case only for the eye.
    func isSameLogin(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { Self.lower($0) == Self.lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
