import Foundation
import GitHub
import RoostWeb
import TextFormats

struct ItemJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, host, key, repositoryOwner, repositoryName, repositoryFullName, number, title, authorLogin
        case authorAvatarURL, htmlURL, createdAt, updatedAt, relativeUpdateTime, state, isDraft, labels,
            additions
        case deletions, changedFiles, checks, reviewDecision, mergeable, comments, unresolvedThreads
        case isRequestedDirectly, requestedTeams, isFromBot, reasons, waitingSince, pressure
    }

    private let item: InboxItem
    private let choices: PullPreferences
    private let now: Date

    init(_ item: InboxItem, in inbox: Inbox) {
        self.item = item
        (choices, now) = (inbox.choices, inbox.now)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let pull = item.pull
        try values.encode(pull.id, forKey: .id)
        try values.encode(item.key.host, forKey: .host)
        try values.encode(item.key.description, forKey: .key)
        try values.encode(pull.repositoryOwner, forKey: .repositoryOwner)
        try values.encode(pull.repositoryName, forKey: .repositoryName)
        try values.encode(pull.repositoryFullName, forKey: .repositoryFullName)
        try values.encode(pull.number, forKey: .number)
        try values.encode(pull.title, forKey: .title)
        try values.encode(pull.authorLogin, forKey: .authorLogin)
        try values.encodeIfPresent(pull.authorAvatarURL, forKey: .authorAvatarURL)
        try values.encode(pull.htmlURL, forKey: .htmlURL)
        try values.encodeIfPresent(pull.createdAt.map(ISO8601.seconds), forKey: .createdAt)
        try values.encode(ISO8601.seconds(pull.updatedAt), forKey: .updatedAt)
        try values.encode(RelativeTime.longAgo(pull.updatedAt, now: now), forKey: .relativeUpdateTime)
        try values.encode(item.reasons.map(\.label), forKey: .reasons)
        try values.encode(ISO8601.seconds(item.waitingSince), forKey: .waitingSince)
        try values.encode(item.pressure(choices, at: now).rawValue, forKey: .pressure)
        try encodeDetails(of: pull, into: &values)
    }

    private func encodeDetails(
        of pull: PullRequest, into values: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try values.encodeIfPresent(pull.state, forKey: .state)
        try values.encodeIfPresent(pull.isDraft, forKey: .isDraft)
        try values.encode(pull.labels, forKey: .labels)
        try values.encodeIfPresent(pull.additions, forKey: .additions)
        try values.encodeIfPresent(pull.deletions, forKey: .deletions)
        try values.encodeIfPresent(pull.changedFiles, forKey: .changedFiles)
        try values.encodeIfPresent(pull.checks, forKey: .checks)
        try values.encodeIfPresent(pull.reviewDecision, forKey: .reviewDecision)
        try values.encodeIfPresent(pull.mergeable, forKey: .mergeable)
        try values.encodeIfPresent(pull.comments, forKey: .comments)
        try values.encodeIfPresent(pull.unresolvedThreads, forKey: .unresolvedThreads)
        try values.encodeIfPresent(pull.isRequestedDirectly, forKey: .isRequestedDirectly)
        try values.encode(pull.requestedTeams, forKey: .requestedTeams)
        try values.encode(pull.isFromBot, forKey: .isFromBot)
    }
}
