import Foundation
import TextFormats

/// Reads what happened to a pull request, as far as it decides whose turn it is.
enum PullTimeline {
    /// One event; other kinds are passed over.
    static func event(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        var (type, at): (String?, Date?) = (nil, nil)
        var reviewers: [FetchedPull.Reviewer] = []
        var (assignee, reviewed): (String?, String?) = (nil, nil)
        var state: FetchedPull.Review.State?
        var isByPush = false
        try reader.object { reader, name in
            switch name {
            case "__typename": type = try reader.string()
            case "createdAt": at = try GraphQLPullParser.time(&reader)
            case "requestedReviewer": reviewers = try PullReviews.reviewer(&reader)
            case "assignee": assignee = try GraphQLPullParser.actor(&reader).login
            case "previousReviewState": state = try reader.string().flatMap(FetchedPull.Review.State.init)
            case "pullRequestCommit": isByPush = try reader.object { _, _ in }
            case "review":
                try reader.object { if $1 == "author" { reviewed = try GraphQLPullParser.actor(&$0).login } }
            default: break
            }
        }
        guard let at else { return }
        draft.requests += reviewers.prefix(1).map { FetchedPull.Request(reviewer: $0, at: at) }
        if let assignee { draft.assignments.append(.init(login: assignee, at: at)) }
        if let reviewed, let state {
            draft.dismissals.append(.init(login: reviewed, state: state, at: at, isByPush: isByPush))
        }
        if type == "ReadyForReviewEvent" { draft.readyAt = max(draft.readyAt ?? at, at) }
    }
}
