package import ArticleText
package import Foundation
package import RoostSupport

/// A pull request as its page shows it: description, people, checks and conversation. The files are separate
/// (`PullFile`), because they are fetched only when someone looks at them.
///
/// All texts are plain and sanitized; `Markup` is GitHub's HTML cleaned by Roost.
package struct PullDetails: Codable, Equatable, Sendable {
    /// A user, app or team on GitHub.
    package struct Person: Codable, Equatable, Hashable, Sendable {
        package let login: String
        package let avatarURL: String?
    }

    package typealias Markup = [MarkupPart]

    /// What the token's owner may do. Roost offers nothing else.
    package struct Permissions: Codable, Equatable, Sendable {
        package var canUpdate = false
        package var canReview = false
        /// "merge", "squash" and "rebase", as far as the repository allows them; empty if the owner may not merge.
        package var mergeMethods: [String] = []
        package var canUpdateBranch = false
        package var canEnableAutoMerge = false
        package var canDisableAutoMerge = false
    }

    package struct Reviewer: Codable, Equatable, Sendable {
        package enum Verdict: String, Codable, Sendable {
            case requested, commented, approved, changesRequested, dismissed
        }

        /// A user, or a team as "org/team".
        package let name: String
        package let avatarURL: String?
        package let verdict: Verdict
        package let at: Date?
        /// The head that was reviewed; nil if unknown.
        package var commit: String?
    }

    package struct Check: Codable, Equatable, Sendable {
        package enum State: String, Codable, Sendable {
            case passed, failed, running, skipped
        }

        package let name: String
        package let state: State
        package let startedAt: Date?
        package let finishedAt: Date?
        /// http or https.
        package let url: String?
        package var isRequired: Bool?
    }

    package struct Issue: Codable, Equatable, Sendable {
        package let repositoryFullName: String
        package let number: Int
        package let title: String
        package let url: String
        package let isClosed: Bool
    }

    package struct Comment: Codable, Equatable, Sendable, Identifiable {
        /// GitHub's node id.
        package let id: String
        package let author: Person?
        package let body: Markup
        package let at: Date
        package let url: String
        package var isMinimized = false
    }

    /// A conversation on lines of a file.
    package struct Thread: Codable, Equatable, Sendable, Identifiable {
        package let id: String
        package let path: String
        /// The last line, in the new file unless `isOnOldFile`; nil if the line is gone.
        package let line: Int?
        package let startLine: Int?
        package let isOnOldFile: Bool
        package let isResolved: Bool
        package let isOutdated: Bool
        /// The end of the diff above the comment, as GitHub sends it.
        package let diffHunk: String
        package let comments: [Comment]
    }

    package enum Event: Codable, Equatable, Sendable {
        case comment(Comment)
        /// `body` is empty for a verdict without words. `threads` began with this review.
        case review(
            id: String, by: Person?, verdict: Reviewer.Verdict, body: Markup, threads: [Thread], url: String)
        /// Pushed one after another; the newest last.
        case commits([Commit])
        case forcePush(by: Person?, before: String, after: String)
        /// `reviewer` is a login or "org/team".
        case reviewRequested(by: Person?, reviewer: String)
        case reviewRequestRemoved(by: Person?, reviewer: String)
        case renamed(by: Person?, from: String, to: String)
        case readyForReview(by: Person?)
        case convertedToDraft(by: Person?)
        case closed(by: Person?)
        case reopened(by: Person?)
        case merged(by: Person?, commit: String?)
    }

    package struct Commit: Codable, Equatable, Sendable {
        package let sha: String
        package let headline: String
        package let author: String
    }

    package struct Entry: Codable, Equatable, Sendable {
        package let at: Date
        package let event: Event
    }

    package let key: PullKey
    /// GitHub's node id; nil over REST.
    package var nodeId: String?
    package let pull: PullRequest
    package var description: Markup = []
    package var baseBranch = ""
    package var headBranch = ""
    /// "owner/name" if the head is in a fork.
    package var headRepository: String?
    /// SHA of the head.
    package var headCommit = ""
    /// SHA of the base branch, which may be newer than the commit that the diff begins with.
    package var baseCommit = ""
    /// True if GitHub merges it once its requirements are met.
    package var hasAutoMerge = false
    package var isInMergeQueue = false
    package var reviewers: [Reviewer] = []
    package var checks: [Check] = []
    package var issues: [Issue] = []
    /// Oldest first.
    package var timeline: [Entry] = []
    /// The number of older entries that were not fetched.
    package var omittedEntries = 0
    package var permissions = Permissions()
    package var fetchedAt: Date
    /// True over REST, which lacks threads' states, checks of apps, and permissions.
    package var hasLessDetail = false
}

/// A changed file of a pull request, from `GET /repos/OWNER/NAME/pulls/NUMBER/files`.
package struct PullFile: Equatable, Sendable {
    package enum Status: String, Sendable {
        case added, removed, modified, renamed, copied, changed, unchanged
    }

    package let path: String
    package let previousPath: String?
    package let status: Status
    package let additions: Int
    package let deletions: Int
    /// The unified diff without a header. Nil for binary files, renames without changes, and diffs that GitHub leaves
    /// out because they are too large.
    package let patch: String?
    /// SHA of the blob.
    package let blob: String?
}

/// A page of up to 100 changed files.
package struct PullFilePage: Equatable, Sendable {
    package let files: [PullFile]
    /// SHA of the head that the page belongs to.
    package let headCommit: String
    package let nextPage: Int?
    package let fetchedAt: Date
}

/// A pull request's details as Roost has them now. `PullService.details` returns it without waiting for GitHub.
package struct PullDetailsView: Sendable {
    /// On the host that was asked for or chosen, also before the first answer.
    package let key: PullKey
    /// Nil until the first answer.
    package var details: PullDetails?
    /// The user's inbox item with its reasons, if it is in the inbox.
    package var item: InboxItem?
    /// The time of the user's last look before this one.
    package var lastSeenAt: Date?
    package var isLoading = false
    package var error: APIError?
    /// True if none of the user's accounts can see the pull request.
    package var isMissing = false
}
