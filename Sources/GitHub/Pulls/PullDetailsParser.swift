import Foundation
import TextFormats

/// GitHub's answer to `PullQuery.page`.
struct PullDetailsAnswer {
    private(set) var envelope: GraphQLEnvelope
    /// Nil if there is no such pull request, or the token may not see it.
    private(set) var draft: PullDetailsDraft?

    /// Throws `JSONReader.Malformed`.
    init(_ body: Data, now: Date) throws {
        var draft: PullDetailsDraft?
        envelope = try GraphQLEnvelope(body, now: now) { reader, name in
            if name == "repository" { draft = try PullDetailsParser.repository(&reader) }
        }
        self.draft = draft
    }
}

/// Reads the fields of `PullQuery.page`.
enum PullDetailsParser {
    private typealias Draft = PullDetailsDraft

    static func repository(_ reader: inout JSONReader) throws -> PullDetailsDraft? {
        var draft = Draft()
        var hasPull = false
        try reader.object { reader, name in
            switch name {
            case "mergeCommitAllowed": if try reader.bool() == true { draft.mergeMethods.append("merge") }
            case "squashMergeAllowed": if try reader.bool() == true { draft.mergeMethods.append("squash") }
            case "rebaseMergeAllowed": if try reader.bool() == true { draft.mergeMethods.append("rebase") }
            case "isArchived": draft.isArchived = try reader.bool() ?? false
            case "pullRequest":
                hasPull = try reader.object { reader, name in
                    if try !draft.pull.read(name, &reader) { try pull(name, &reader, &draft) }
                }
            default: break
            }
        }
        return hasPull ? draft : nil
    }

    private static func pull(_ name: String, _ reader: inout JSONReader, _ draft: inout Draft) throws {
        switch name {
        case "bodyHTML": draft.html = try reader.html()
        case "baseRefName": draft.baseBranch = PullText.line(try reader.string())
        case "baseRefOid": draft.baseCommit = PullText.sha(try reader.string()) ?? ""
        case "headRefName": draft.headBranch = PullText.line(try reader.string())
        case "headRefOid": draft.pull.activity.head = PullText.sha(try reader.string())
        case "isCrossRepository": draft.isFromFork = try reader.bool() ?? false
        case "headRepository":
            draft.headRepository = try reader.string(of: "nameWithOwner").map { PullText.line($0) }
        case "viewerCanUpdate": draft.canUpdate = try reader.bool() ?? false
        case "viewerDidAuthor": draft.isAuthor = try reader.bool() ?? false
        case "viewerCanUpdateBranch": draft.canUpdateBranch = try reader.bool() ?? false
        case "viewerCanEnableAutoMerge": draft.canEnableAutoMerge = try reader.bool() ?? false
        case "viewerCanDisableAutoMerge": draft.canDisableAutoMerge = try reader.bool() ?? false
        case "reviewRequests":
            try reader.nodes { node in
                try node.object { reader, name in
                    if name == "requestedReviewer" { draft.requested += try reviewer(&reader) }
                }
            }
        case "latestReviews", "latestOpinionatedReviews":
            try reader.nodes { draft.reviews += try verdict(&$0) }
        case "commits": try reader.nodes { try head(&$0, &draft) }
        case "closingIssuesReferences": try reader.nodes { draft.issues += try issue(&$0) }
        case "timelineItems": draft.entryCount = try reader.nodes { draft.events += try event(&$0) }
        case "reviewThreads": try reader.nodes { draft.threads.append(try thread(&$0)) }
        default: try GraphQLPullParser.member(name, &reader, &draft.pull)
        }
    }

    private static func reviewer(_ reader: inout JSONReader) throws -> [PullDetails.Person] {
        var (login, team, avatar): (String?, String?, String?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "login": login = try reader.string()
            case "avatarUrl": avatar = try reader.string()
            case "combinedSlug": team = try reader.string()
            default: break
            }
        }
        return PullDetails.Person(login ?? team, avatarURL: avatar).map { [$0] } ?? []
    }

    private static func issue(_ reader: inout JSONReader) throws -> [PullDetails.Issue] {
        var (number, title, url, repository): (Int?, String?, String?, String?) = (nil, nil, nil, nil)
        var isClosed = false
        try reader.object { reader, name in
            switch name {
            case "number": number = try reader.int()
            case "title": title = try reader.string(atMost: 65_536)
            case "url": url = try reader.string().flatMap(PullText.url)
            case "closed": isClosed = try reader.bool() ?? false
            case "repository": repository = try reader.string(of: "nameWithOwner")
            default: break
            }
        }
        guard let number, number > 0, let url else { return [] }
        return [
            PullDetails.Issue(
                repositoryFullName: PullText.line(repository), number: number,
                title: PullText.line(title, maximum: 1_024), url: url, isClosed: isClosed)
        ]
    }
}

// Reviews and comments

extension PullDetailsParser {
    private static let verdicts: [String: PullDetails.Reviewer.Verdict] = [
        "APPROVED": .approved, "CHANGES_REQUESTED": .changesRequested, "COMMENTED": .commented,
        "DISMISSED": .dismissed,
    ]

    /// Nil for a pending review, which its author has not sent.
    static func verdict(_ state: String?) -> PullDetails.Reviewer.Verdict? {
        state.flatMap { verdicts[$0] }
    }

    private static func verdict(_ reader: inout JSONReader) throws -> [PullDetails.Reviewer] {
        var person: PullDetails.Person?
        var verdict: PullDetails.Reviewer.Verdict?
        var (at, commit): (Date?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "state": verdict = self.verdict(try reader.string())
            case "submittedAt": at = try reader.time()
            case "author": person = PullDetails.Person(try GitHubActor(&reader))
            case "commit": commit = PullText.sha(try reader.string(of: "oid"))
            default: break
            }
        }
        guard let person, let verdict else { return [] }
        return [
            PullDetails.Reviewer(
                name: person.login, avatarURL: person.avatarURL, verdict: verdict, at: at, commit: commit)
        ]
    }

    /// Reads a member that comments and reviews share. Returns false for any other.
    private static func read(
        _ name: String, _ reader: inout JSONReader, into comment: inout PullDetailsDraft.Comment
    ) throws -> Bool {
        switch name {
        case "id": comment.id = PullText.line(try reader.string())
        case "author": comment.author = PullDetails.Person(try GitHubActor(&reader))
        case "bodyHTML": comment.html = try reader.html()
        case "createdAt", "submittedAt": comment.at = try reader.time()
        case "url": comment.url = try reader.string().flatMap(PullText.url)
        case "isMinimized": comment.isMinimized = try reader.bool() ?? false
        default: return false
        }
        return true
    }

    private static func thread(_ reader: inout JSONReader) throws -> PullDetailsDraft.Thread {
        var thread = PullDetailsDraft.Thread()
        try reader.object { reader, name in
            switch name {
            case "id": thread.id = PullText.line(try reader.string())
            case "path": thread.path = try reader.string() ?? ""
            case "line": thread.line = try reader.lineNumber()
            case "startLine": thread.startLine = try reader.lineNumber()
            case "diffSide": thread.isOnOldFile = try reader.string() == "LEFT"
            case "isResolved": thread.isResolved = try reader.bool() ?? false
            case "isOutdated": thread.isOutdated = try reader.bool() ?? false
            case "comments": try reader.nodes { thread.comments.append(try threadComment(&$0)) }
            default: break
            }
        }
        return thread
    }

    private static func threadComment(_ reader: inout JSONReader) throws -> PullDetailsDraft.Comment {
        var comment = PullDetailsDraft.Comment()
        try reader.object { reader, name in
            switch name {
            case "state": comment.isPending = try reader.string() == "PENDING"
            case "diffHunk": comment.diffHunk = try reader.string(atMost: PullFileParser.maximumPatchBytes)
            case "pullRequestReview": comment.review = try reader.string(of: "id").map { PullText.line($0) }
            default: _ = try read(name, &reader, into: &comment)
            }
        }
        return comment
    }
}

// Checks

extension PullDetailsParser {
    private static func head(_ reader: inout JSONReader, _ draft: inout PullDetailsDraft) throws {
        try reader.object { reader, name in
            guard name == "commit" else { return }
            try reader.object { reader, name in
                guard name == "statusCheckRollup" else { return }
                try reader.object { reader, name in
                    if name == "contexts" { try reader.nodes { draft.checks += try check(&$0) } }
                }
            }
        }
    }

    /// A check run, or a commit status.
    private static func check(_ reader: inout JSONReader) throws -> [PullDetails.Check] {
        var check = PullCheckDraft()
        try reader.object { reader, name in
            switch name {
            case "name", "context": check.name = try reader.string()
            case "status": check.status = try reader.string()
            case "conclusion", "state": check.result = try reader.string()
            case "startedAt": check.startedAt = try reader.time()
            case "completedAt", "createdAt": check.endedAt = try reader.time()
            case "detailsUrl", "targetUrl": check.url = try reader.string()
            case "isRequired": check.isRequired = try reader.bool()
            case "checkSuite":
                try reader.object { reader, name in
                    guard name == "workflowRun" else { return }
                    try reader.object { reader, name in
                        if name == "workflow" { check.workflow = try reader.string(of: "name") }
                    }
                }
            default: break
            }
        }
        return check.check
    }
}

/// A check run or a commit status, as GraphQL and REST name its states.
struct PullCheckDraft {
    var name: String?
    var workflow: String?
    /// Of a check run: "COMPLETED", "IN_PROGRESS" and others. Nil for a commit status.
    var status: String?
    /// The conclusion of a check run, or the state of a commit status.
    var result: String?
    var startedAt: Date?
    var endedAt: Date?
    var url: String?
    var isRequired: Bool?

    /// Empty without a name.
    var check: [PullDetails.Check] {
        let parts = [workflow, name].map { PullText.line($0, maximum: 200) }.filter { !$0.isWhitespace }
        guard !parts.isEmpty, name != nil else { return [] }
        let state = state
        return [
            PullDetails.Check(
                name: parts.joined(separator: " / "), state: state, startedAt: startedAt,
                finishedAt: state == .running ? nil : endedAt, url: url.flatMap(PullText.url),
                isRequired: isRequired)
        ]
    }

    private var state: PullDetails.Check.State {
        if let status, status.uppercased() != "COMPLETED" { return .running }
        return switch result?.uppercased() {
        case "SUCCESS": .passed
        case "NEUTRAL", "SKIPPED": .skipped
        case nil, "PENDING", "EXPECTED": .running
        default: .failed
        }
    }
}

// The timeline

extension PullDetailsParser {
    /// Returns an empty array for an unknown kind, and for entries without a date.
    private static func event(_ reader: inout JSONReader) throws -> [PullDetailsDraft.Event] {
        var kind: String?
        var comment = PullDetailsDraft.Comment()
        var (state, before, after): (String?, String?, String?) = (nil, nil, nil)
        var actor: PullDetails.Person?
        var reviewers: [PullDetails.Person] = []
        var commit: (commit: PullDetails.Commit, at: Date)?
        try reader.object { reader, name in
            switch name {
            case "__typename": kind = try reader.string()
            case "state": state = try reader.string()
            case "actor": actor = PullDetails.Person(try GitHubActor(&reader))
            case "requestedReviewer": reviewers = try reviewer(&reader)
            case "beforeCommit": before = PullText.sha(try reader.string(of: "oid"))
            case "afterCommit", "commit": after = PullText.sha(try reader.string(of: "oid"))
            case "previousTitle": before = try reader.string(atMost: 65_536)
            case "currentTitle": after = try reader.string(atMost: 65_536)
            case "pushed": commit = try self.commit(&reader)
            default: _ = try read(name, &reader, into: &comment)
            }
        }
        switch kind {
        case "IssueComment": return [.comment(comment)]
        case "PullRequestReview": return verdict(state).map { [.review(comment, $0)] } ?? []
        case "PullRequestCommit": return commit.map { [.commit($0.commit, at: $0.at)] } ?? []
        default: break
        }
        guard let at = comment.at, let event = event(kind, actor, reviewers, before, after) else { return [] }
        return [.other(PullDetails.Entry(at: at, event: event))]
    }

    private static func event(
        _ kind: String?, _ actor: PullDetails.Person?, _ reviewers: [PullDetails.Person], _ before: String?,
        _ after: String?
    ) -> PullDetails.Event? {
        switch kind {
        case "HeadRefForcePushedEvent": return .forcePush(by: actor, before: before ?? "", after: after ?? "")
        // GitHub hides a team from tokens that may not see it.
        case "ReviewRequestedEvent":
            return .reviewRequested(by: actor, reviewer: reviewers.first?.login ?? hiddenTeam)
        case "ReviewRequestRemovedEvent":
            return .reviewRequestRemoved(by: actor, reviewer: reviewers.first?.login ?? hiddenTeam)
        case "RenamedTitleEvent":
            return .renamed(
                by: actor, from: PullText.line(before, maximum: 1_024),
                to: PullText.line(after, maximum: 1_024))
        case "ReadyForReviewEvent": return .readyForReview(by: actor)
        case "ConvertToDraftEvent": return .convertedToDraft(by: actor)
        case "ClosedEvent": return .closed(by: actor)
        case "ReopenedEvent": return .reopened(by: actor)
        case "MergedEvent": return .merged(by: actor, commit: after)
        default: return nil
        }
    }

    private static let hiddenTeam = "a team"

    private static func commit(_ reader: inout JSONReader) throws -> (commit: PullDetails.Commit, at: Date)? {
        var (sha, at, headline, author, login): (String?, Date?, String?, String?, String?) =
            (nil, nil, nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "oid": sha = PullText.sha(try reader.string())
            case "committedDate": at = try reader.time()
            case "messageHeadline": headline = try reader.string(atMost: 65_536)
            case "author":
                try reader.object { reader, name in
                    switch name {
                    case "name": author = try reader.string()
                    case "user": login = try reader.string(of: "login")
                    default: break
                    }
                }
            default: break
            }
        }
        guard let sha, let at else { return nil }
        return (
            PullDetails.Commit(
                sha: sha, headline: PullText.line(headline), author: PullText.line(login ?? author)), at
        )
    }
}

extension JSONReader {
    /// Reads HTML that GitHub rendered. Returns nil if it is too long.
    mutating func html() throws -> String? { try string(atMost: PullMarkup.maximumSourceBytes) }

    mutating func lineNumber() throws -> Int? {
        try int().flatMap { (1...10_000_000).contains($0) ? $0 : nil }
    }
}
