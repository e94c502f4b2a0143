import ArticleText
import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// `GET /api/v1/pulls/OWNER/NAME/NUMBER`. Unknown fields are omitted.
struct PullDetailsJSON: Codable {
    let key, host, title, htmlURL, state, authorLogin: String
    let isDraft: Bool?
    let createdAt: String?
    let updatedAt: String
    let reasons: [String]
    let isLoading: Bool
    let error: UpstreamErrorJSON?
    let lastSeenAt, fetchedAt: String?
    let details: Details?

    /// Throws `RoostError.unavailable` if nothing is known yet.
    init(_ content: PullPageContent) throws {
        let view = content.view
        guard let pull = view.details?.pull ?? view.item?.pull else {
            let why =
                view.error?.message(source: "GitHub") ?? "Roost is loading this pull request from GitHub."
            throw RoostError.unavailable(why, retryAfter: 2)
        }
        key = content.key.description
        host = content.key.host
        (title, htmlURL, authorLogin) = (pull.title, pull.htmlURL, pull.authorLogin)
        state = (pull.state ?? .open).rawValue
        isDraft = pull.isDraft
        createdAt = pull.createdAt.map(ISO8601.seconds)
        updatedAt = ISO8601.seconds(pull.updatedAt)
        reasons = view.item?.reasons.map(\.label) ?? []
        isLoading = view.isLoading
        error = view.error.map { UpstreamErrorJSON($0, source: "GitHub") }
        lastSeenAt = view.lastSeenAt.map(ISO8601.seconds)
        fetchedAt = view.details.map { ISO8601.seconds($0.fetchedAt) }
        details = view.details.map(Details.init)
    }

    /// What GitHub's page shows.
    struct Details: Codable {
        let baseBranch, headBranch, headCommit: String
        let headRepository: String?
        let description: [MarkupJSON]
        let reviewers: [ReviewerJSON]
        let checks: [CheckJSON]
        let issues: [IssueJSON]
        let timeline: [EntryJSON]
        let omittedEntries: Int
        let hasLessDetail: Bool

        init(_ details: PullDetails) {
            (baseBranch, headBranch) = (details.baseBranch, details.headBranch)
            (headCommit, headRepository) = (details.headCommit, details.headRepository)
            description = details.description.map(MarkupJSON.init)
            reviewers = details.reviewers.map(ReviewerJSON.init)
            checks = details.checks.map(CheckJSON.init)
            issues = details.issues.map(IssueJSON.init)
            timeline = details.timeline.map(EntryJSON.init)
            omittedEntries = details.omittedEntries
            hasLessDetail = details.hasLessDetail
        }
    }

    /// Sanitised HTML, or a picture. An element may begin in one part and end in another.
    struct MarkupJSON: Codable {
        let html, pictureURL, alt: String?

        init(_ part: MarkupPart) {
            switch part {
            case .markup(let markup): (html, pictureURL, alt) = (markup.html, nil, nil)
            case .picture(let picture): (html, pictureURL, alt) = (nil, picture.url, picture.alt)
            }
        }
    }

    struct ReviewerJSON: Codable {
        let name, verdict: String
        let at, commit: String?

        init(_ reviewer: PullDetails.Reviewer) {
            (name, verdict, commit) = (reviewer.name, reviewer.verdict.rawValue, reviewer.commit)
            at = reviewer.at.map(ISO8601.seconds)
        }
    }

    struct CheckJSON: Codable {
        let name, state: String
        let startedAt, finishedAt, url: String?
        let isRequired: Bool?

        init(_ check: PullDetails.Check) {
            (name, state, url, isRequired) = (check.name, check.state.rawValue, check.url, check.isRequired)
            startedAt = check.startedAt.map(ISO8601.seconds)
            finishedAt = check.finishedAt.map(ISO8601.seconds)
        }
    }

    struct IssueJSON: Codable {
        let repositoryFullName, title, url: String
        let number: Int
        let isClosed: Bool

        init(_ issue: PullDetails.Issue) {
            (repositoryFullName, title, url) = (issue.repositoryFullName, issue.title, issue.url)
            (number, isClosed) = (issue.number, issue.isClosed)
        }
    }

    struct CommitJSON: Codable {
        let sha, headline, author: String

        init(_ commit: PullDetails.Commit) {
            (sha, headline, author) = (commit.sha, commit.headline, commit.author)
        }
    }

    struct CommentJSON: Codable {
        let id, at, url: String
        let author: String?
        let body: [MarkupJSON]
        let isMinimized: Bool

        init(_ comment: PullDetails.Comment) {
            (id, url, author) = (comment.id, comment.url, comment.author?.login)
            at = ISO8601.seconds(comment.at)
            body = comment.body.map(MarkupJSON.init)
            isMinimized = comment.isMinimized
        }
    }

    struct ThreadJSON: Codable {
        let id, path, diffHunk: String
        let line, startLine: Int?
        let isOnOldFile, isResolved, isOutdated: Bool
        let comments: [CommentJSON]

        init(_ thread: PullDetails.Thread) {
            (id, path, diffHunk) = (thread.id, thread.path, thread.diffHunk)
            (line, startLine, isOnOldFile) = (thread.line, thread.startLine, thread.isOnOldFile)
            (isResolved, isOutdated) = (thread.isResolved, thread.isOutdated)
            comments = thread.comments.map(CommentJSON.init)
        }
    }

    /// `kind` says which other fields there are.
    struct EntryJSON: Codable {
        let kind, at: String
        var by, reviewer, verdict, url, from, to, commit: String?
        var body: [MarkupJSON]?
        var comment: CommentJSON?
        var commits: [CommitJSON]?
        var threads: [ThreadJSON]?

        init(_ entry: PullDetails.Entry) {
            at = ISO8601.seconds(entry.at)
            switch entry.event {
            case .comment(let comment):
                (kind, by) = ("comment", comment.author?.login)
                self.comment = CommentJSON(comment)
            case .review(_, let person, let verdict, let body, let threads, let url):
                (kind, by, self.verdict, self.url) = ("review", person?.login, verdict.rawValue, url)
                self.body = body.map(MarkupJSON.init)
                self.threads = threads.map(ThreadJSON.init)
            case .commits(let commits):
                kind = "commits"
                self.commits = commits.map(CommitJSON.init)
            case .forcePush(let person, let before, let after):
                (kind, by, from, to) = ("forcePush", person?.login, before, after)
            case .reviewRequested(let person, let reviewer):
                (kind, by, self.reviewer) = ("reviewRequested", person?.login, reviewer)
            case .reviewRequestRemoved(let person, let reviewer):
                (kind, by, self.reviewer) = ("reviewRequestRemoved", person?.login, reviewer)
            case .renamed(let person, let before, let after):
                (kind, by, from, to) = ("renamed", person?.login, before, after)
            case .readyForReview(let person): (kind, by) = ("readyForReview", person?.login)
            case .convertedToDraft(let person): (kind, by) = ("convertedToDraft", person?.login)
            case .closed(let person): (kind, by) = ("closed", person?.login)
            case .reopened(let person): (kind, by) = ("reopened", person?.login)
            case .merged(let person, let commit): (kind, by, self.commit) = ("merged", person?.login, commit)
            }
        }
    }
}

/// `GET /api/v1/pulls/OWNER/NAME/NUMBER/files`.
struct PullFilesJSON: Codable {
    let items: [FileJSON]
    let headCommit, fetchedAt: String
    let next: API.Nullable<String>
    /// Of GitHub's pages.
    let nextPage: API.Nullable<Int>

    init(
        _ files: [PullFile], of page: PullFilePage, viewed: [String: String], next: (some Encodable)?
    ) throws {
        items = files.map { FileJSON($0, viewed: viewed) }
        self.next = API.Nullable(try next.map { try Cursor.text($0) })
        headCommit = page.headCommit
        fetchedAt = ISO8601.seconds(page.fetchedAt)
        nextPage = API.Nullable(page.nextPage)
    }

    struct FileJSON: Codable {
        let path, status: String
        let previousPath, patch, blob: String?
        let additions, deletions: Int
        let isViewed: Bool

        init(_ file: PullFile, viewed: [String: String]) {
            (path, status, previousPath) = (file.path, file.status.rawValue, file.previousPath)
            (patch, blob) = (file.patch, file.blob)
            (additions, deletions) = (file.additions, file.deletions)
            isViewed = file.blob != nil && viewed[file.path] == file.blob
        }
    }
}
