import Foundation
import RoostSupport
import TextFormats

/// Collects a pull request's fields, and then validates them together.
struct PullBuilder {
    var id: String?
    var number: Int?
    var title: String?
    var url: String?
    var repository: String?
    var author = GitHubActor()
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
    var commentCount: Int?
    var totalCommentCount: Int?
    var threadCount: Int?
    var unresolved = 0
    /// False for an issue. `isEmpty` stays true for a node of another type.
    var isPull = true
    var isEmpty = true

    var permission: String?
    var activity = FetchedPull.Activity()

    /// In bytes. A longer title is rejected.
    private static let maximumTitleBytes = 65_536
    /// In bytes. GitHub's ids have about 20.
    private static let nodeIdLength = 1...200

    /// Reads a member that has the same meaning in REST and GraphQL. Returns false for any other.
    mutating func read(_ member: String, _ reader: inout JSONReader) throws -> Bool {
        switch member {
        case "number": number = try reader.int()
        case "title": title = try reader.string(atMost: Self.maximumTitleBytes)
        case "created_at", "createdAt": createdAt = try reader.time()
        case "updated_at", "updatedAt": updatedAt = try reader.time()
        case "state": state = try reader.string()
        case "draft", "isDraft": isDraft = try reader.bool()
        case "user", "author": author = try GitHubActor(&reader)
        default: return false
        }
        return true
    }

    /// Throws `ValidationError` if a required field is missing or a state is unknown.
    func facts(hasDetail: Bool, now: Date) throws -> FetchedPull {
        guard let number else { throw ValidationError(field: "number", why: "is missing") }
        guard let title else { throw ValidationError(field: "title", why: "is missing") }
        guard let updatedAt else {
            throw ValidationError(field: "updatedAt", why: "is missing or not a time")
        }
        let url = try Self.checked(url)
        let (owner, name) = try Self.parts(of: repository ?? Self.repository(in: url))
        var pull = try PullRequest(
            repositoryOwner: owner, repositoryName: name, number: number, title: title,
            authorLogin: author.login ?? "ghost", authorAvatarURL: author.avatarURL, updatedAt: updatedAt,
            htmlURL: url,
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
        pull.comments = totalCommentCount ?? commentCount
        pull.unresolvedThreads = threadCount.map { _ in unresolved }
        pull.isFromBot = author.isBot || BotLogins.contains(pull.authorLogin)
        var facts = FetchedPull(pull: pull, activity: activity, hasDetail: hasDetail)
        facts.nodeId = id.flatMap { Self.nodeIdLength.contains($0.utf8.count) ? $0 : nil }
        facts.permission = try permission.map(Self.permission)
        facts.futureDateCount =
            [createdAt, updatedAt].count { $0.map { ClockSkew.clamped($0, now: now).wasAhead } ?? false }
        return facts
    }

    private static func checked(_ url: String?) throws -> String {
        // Addresses have no white space or control characters, even if browsers accept them.
        guard let url, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ValidationError(field: "htmlURL", why: "is missing or not a URL")
        }
        return url
    }

    /// "owner/name" from `https://github.com/owner/name/pull/7`.
    private static func repository(in url: String) -> String {
        url.splitBytes(at: "/").dropFirst(2).prefix(2).joined(separator: "/")
    }

    private static func parts(of fullName: String) throws -> (owner: String, name: String) {
        let parts = fullName.splitBytes(at: "/", omittingEmptySubsequences: false)
        // Browsers resolve "." and "..", encoded or not, so a link would lead elsewhere.
        guard parts.count == 2, !parts.contains("."), !parts.contains(".."),
            fullName.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw ValidationError(field: "repository", why: "is not of the form owner/name")
        }
        return (String(parts[0]), String(parts[1]))
    }

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

    /// REST only has "open" and "closed", with the merge date in a separate field.
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

enum BotLogins {
    private static let suffixes = ["[bot]", "-bot"]
    /// Well-known bots without such a suffix. Users can add others in their inbox settings.
    private static let logins: Set = [
        "codecov-commenter", "googlebot", "k8s-ci-robot", "openshift-ci-robot", "rustbot",
    ]

    static func contains(_ login: String) -> Bool {
        let login = login.lowercased()
        return suffixes.contains { login.hasSuffix($0) } || logins.contains(login)
    }
}
