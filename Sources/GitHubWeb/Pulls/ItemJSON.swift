import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// A pull request of the inbox. Unknown fields are omitted.
struct ItemJSON: Codable {
    private let id, host, key, repositoryOwner, repositoryName, repositoryFullName: String
    private let number: Int
    private let title, authorLogin: String
    private let authorAvatarURL: String?
    private let htmlURL: String
    private let createdAt: JSONTime?
    private let updatedAt: JSONTime
    private let relativeUpdateTime: String
    private let reasons: [String]
    private let waitingSince: JSONTime
    private let pressure: InboxItem.Pressure
    private let state: PullRequest.State?
    private let isDraft: Bool?
    private let labels: [PullRequest.Label]
    private let additions, deletions, changedFiles: Int?
    private let checks: PullRequest.Checks?
    private let reviewDecision: PullRequest.ReviewDecision?
    private let mergeable: PullRequest.Mergeable?
    private let comments, unresolvedThreads: Int?
    private let isRequestedDirectly: Bool?
    private let requestedTeams: [String]
    private let isFromBot: Bool

    init(_ item: InboxItem, in inbox: Inbox) {
        let pull = item.pull
        (id, host, key) = (pull.id, item.key.host, item.key.description)
        (repositoryOwner, repositoryName) = (pull.repositoryOwner, pull.repositoryName)
        (repositoryFullName, number, title) = (pull.repositoryFullName, pull.number, pull.title)
        (authorLogin, authorAvatarURL, htmlURL) = (pull.authorLogin, pull.authorAvatarURL, pull.htmlURL)
        (createdAt, updatedAt) = (pull.createdAt.map(JSONTime.init), JSONTime(pull.updatedAt))
        relativeUpdateTime = RelativeTime.longAgo(pull.updatedAt, now: inbox.now)
        (reasons, waitingSince) = (item.reasons.map(\.label), JSONTime(item.waitingSince))
        pressure = item.pressure(inbox.choices, at: inbox.now)
        (state, isDraft, labels) = (pull.state, pull.isDraft, pull.labels)
        (additions, deletions, changedFiles) = (pull.additions, pull.deletions, pull.changedFiles)
        (checks, reviewDecision, mergeable) = (pull.checks, pull.reviewDecision, pull.mergeable)
        (comments, unresolvedThreads) = (pull.comments, pull.unresolvedThreads)
        (isRequestedDirectly, requestedTeams) = (pull.isRequestedDirectly, pull.requestedTeams)
        isFromBot = pull.isFromBot
    }
}
