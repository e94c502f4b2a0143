import Foundation
import TextFormats

enum GraphQLPullParser {
    /// Returns nil for a node that isn't a pull request. Throws `ValidationError` and `JSONReader.Malformed`.
    static func read(_ reader: inout JSONReader, now: Date) throws -> FetchedPull? {
        guard let draft = try fields(&reader) else { throw ValidationError(field: "node", why: "is null") }
        if draft.isEmpty || !draft.isPull || draft.url?.containsBytes("/issues/") == true { return nil }
        return try draft.facts(hasDetail: true, now: now)
    }

    /// Reads the fields that are present. Returns nil for null.
    static func fields(_ reader: inout JSONReader) throws -> PullBuilder? {
        var draft = PullBuilder()
        let isObject = try reader.object { reader, name in
            draft.isEmpty = false
            if try !draft.read(name, &reader) { try member(name, &reader, &draft) }
        }
        return isObject ? draft : nil
    }

    /// Reads a member of a pull request that `PullBuilder.read` does not know.
    static func member(
        _ name: String, _ reader: inout JSONReader, _ draft: inout PullBuilder
    ) throws {
        switch name {
        case "__typename": draft.isPull = try reader.string() == "PullRequest"
        case "id": draft.id = try reader.string()
        case "url": draft.url = try reader.string()
        case "additions": draft.additions = try reader.count()
        case "deletions": draft.deletions = try reader.count()
        case "changedFiles": draft.changedFiles = try reader.count()
        case "reviewDecision": draft.reviewDecision = try reader.string()
        case "mergeable": draft.mergeable = try reader.string()
        case "totalCommentsCount": draft.totalCommentCount = try reader.count()
        case "headRefOid": draft.activity.head = try reader.string()
        case "isInMergeQueue": draft.activity.isInMergeQueue = try reader.bool() ?? false
        case "autoMergeRequest": draft.activity.hasAutoMerge = try reader.object { _, _ in }
        case "repository": try repository(&reader, &draft)
        case "labels": try reader.nodes { draft.labels += try label(&$0) }
        case "comments":
            draft.commentCount = try reader.nodes { draft.activity.comments += try comment(&$0) }
            draft.activity.hasEarlierComments = (draft.commentCount ?? 0) > draft.activity.comments.count
        case "reviewThreads":
            draft.threadCount = try reader.nodes { if try thread(&$0).isOpen { draft.unresolved += 1 } }
        case "threads":
            try reader.nodes {
                let thread = try thread(&$0)
                draft.activity.reviewsInThreads.formUnion(thread.reviews)
                if thread.isOpen, !thread.comments.isEmpty { draft.activity.threads.append(thread.comments) }
            }
        case "reviews": try reader.nodes { draft.activity.reviews += try review(&$0) }
        case "latestOpinionatedReviews":
            try reader.nodes { draft.activity.opinions += try review(&$0) }
        case "viewerLatestReview": draft.activity.ownReview = try review(&reader).first
        case "reviewRequests": try requests(&reader, &draft.activity)
        case "timelineItems": try reader.nodes { try event(&$0, &draft.activity) }
        case "statusCheckRollup": try rollup(&reader, &draft)
        case "commits": try reader.nodes { try commit(&$0, &draft) }
        default: break
        }
    }

    private static func repository(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        var (full, owner, plain): (String?, String?, String?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "nameWithOwner": full = try reader.string()
            case "name": plain = try reader.string()
            case "owner": owner = try reader.string(of: "login")
            case "viewerPermission": draft.permission = try reader.string()
            default: break
            }
        }
        if let full {
            draft.repository = full
        } else if let owner, let plain {
            draft.repository = "\(owner)/\(plain)"
        }
    }

    /// Returns an empty array for a label without a name. Drops an invalid colour.
    static func label(_ reader: inout JSONReader) throws -> [PullRequest.Label] {
        var (text, color): (String?, String?) = (nil, nil)
        let isObject = try reader.object { reader, name in
            switch name {
            case "name": text = try reader.string()
            case "color": color = try reader.string()
            default: break
            }
        }
        guard isObject, let text, !text.sanitized.isWhitespace,
            text.utf8.count <= ValidationError.maximumTextBytes
        else {
            return []
        }
        let isColor = color?.utf8.count == 6 && color?.allSatisfy(\.isHexDigit) == true
        return [PullRequest.Label(name: text, color: isColor ? color : nil)]
    }

    /// Returns an empty array for a comment without a date. A missing author becomes GitHub's "ghost".
    static func comment(_ reader: inout JSONReader) throws -> [FetchedPull.Comment] {
        var reviews: Set<String> = []
        return try comment(&reader, &reviews)
    }

    private static func comment(_ reader: inout JSONReader, _ reviews: inout Set<String>) throws
        -> [FetchedPull.Comment]
    {
        var author = GitHubActor()
        var (created, published): (Date?, Date?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "author": author = try GitHubActor(&reader)
            case "createdAt": created = try reader.time()
            case "publishedAt": published = try reader.time()
            case "pullRequestReview":
                if let id = try reader.string(of: "id") { reviews.insert(id) }
            default: break
            }
        }
        guard let at = published ?? created else { return [] }
        return [FetchedPull.Comment(login: author.name, isBot: author.isBot, at: at)]
    }

    /// `reviews` has the ids of the comments' reviews.
    private static func thread(_ reader: inout JSONReader) throws -> (
        isOpen: Bool, comments: [FetchedPull.Comment], reviews: Set<String>
    ) {
        var isResolved: Bool?
        var comments: [FetchedPull.Comment] = []
        var reviews: Set<String> = []
        try reader.object { reader, name in
            switch name {
            case "isResolved": isResolved = try reader.bool()
            case "comments": try reader.nodes { comments += try comment(&$0, &reviews) }
            default: break
            }
        }
        return (isResolved == false, comments, reviews)
    }
}

// Reviews

extension GraphQLPullParser {
    /// Returns an empty array for a review that is pending or has an unknown state.
    fileprivate static func review(_ reader: inout JSONReader) throws -> [FetchedPull.Review] {
        var author = GitHubActor()
        var state: FetchedPull.Review.State?
        var (submitted, created): (Date?, Date?) = (nil, nil)
        var (head, id): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "id": id = try reader.string()
            case "author": author = try GitHubActor(&reader)
            case "state": state = try reader.string().flatMap(FetchedPull.Review.State.init)
            case "submittedAt": submitted = try reader.time()
            case "publishedAt", "createdAt", "updatedAt":
                created = try reader.time() ?? created
            case "commit": head = try reader.string(of: "oid")
            default: break
            }
        }
        guard let state, state != .pending, let at = submitted ?? created else { return [] }
        let comment = FetchedPull.Comment(login: author.name, isBot: author.isBot, at: at)
        return [FetchedPull.Review(comment: comment, state: state, head: head, id: id)]
    }

    fileprivate static func requests(_ reader: inout JSONReader, _ activity: inout FetchedPull.Activity)
        throws
    {
        var reviewers: [FetchedPull.Reviewer] = []
        let count = try reader.nodes { node in
            try node.object { if $1 == "requestedReviewer" { reviewers += try reviewer(&$0) } }
        }
        if count != nil { activity.reviewers = reviewers }
    }

    /// A hidden reviewer (`null`) is a team that the token may not see.
    fileprivate static func reviewer(_ reader: inout JSONReader) throws -> [FetchedPull.Reviewer] {
        if try reader.isNull() { return [.team(nil)] }
        var (type, login, team): (String?, String?, String?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "__typename": type = try reader.string()
            case "login": login = try reader.string()
            case "combinedSlug": team = try reader.string()
            default: break
            }
        }
        if let team { return [.team(team)] }
        if type == "Team" { return [.team(nil)] }
        return login.map { [.user($0)] } ?? []
    }
}

// Checks

extension GraphQLPullParser {
    /// The overall state. Counts are requested at the commit, because `contexts` next to `state` changes `state`.
    fileprivate static func rollup(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            switch name {
            case "state": draft.checksState = try reader.string() ?? draft.checksState
            case "contexts": try contexts(&reader, &draft)
            default: break
            }
        }
    }

    fileprivate static func commit(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            guard name == "commit" else { return }
            try reader.object { reader, name in
                switch name {
                case "oid": draft.activity.head = try draft.activity.head ?? reader.string()
                case "committedDate": draft.activity.committedAt = try reader.time()
                case "statusCheckRollup": try rollup(&reader, &draft)
                case "checkSuites": try reader.nodes { try ended(&$0, at: "updatedAt", &draft) }
                case "status":
                    try reader.object { reader, name in
                        guard name == "contexts" else { return }
                        try reader.list { try ended(&$0, at: "createdAt", &draft) }
                    }
                default: break
                }
            }
        }
    }

    /// Records the end of a check suite or commit status. Ignores suites without a conclusion: GitHub creates one for
    /// every app, whether it checks anything or not.
    ///
    /// - Parameter field: the field with the date of the last change
    private static func ended(_ reader: inout JSONReader, at field: String, _ draft: inout PullBuilder) throws
    {
        var (result, at): (String?, Date?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "conclusion", "state": result = try reader.string()
            case field: at = try reader.time()
            default: break
            }
        }
        guard let result, let at, !["PENDING", "EXPECTED"].contains(result) else { return }
        draft.activity.checksEndedAt = max(draft.activity.checksEndedAt ?? at, at)
        guard failures.contains(result) else { return }
        draft.activity.checksFailedAt = min(draft.activity.checksFailedAt ?? at, at)
    }

    private static let failures: Set = [
        "FAILURE", "ERROR", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED", "STARTUP_FAILURE", "STALE",
    ]

    private static func contexts(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            guard name == "checkRunCountsByState" || name == "statusContextCountsByState" else { return }
            try reader.list { item in
                var (state, count): (String?, Int?) = (nil, nil)
                try item.object { reader, name in
                    switch name {
                    case "state": state = try reader.string()
                    case "count": count = try reader.count()
                    default: break
                    }
                }
                if let state, let count { add(count, state, to: &draft) }
            }
        }
    }

    /// Neutral and skipped checks don't block merging, so they count as passed.
    private static func add(_ count: Int, _ state: String, to draft: inout PullBuilder) {
        var counts = draft.counts ?? (0, 0, 0)
        switch state {
        case "SUCCESS", "NEUTRAL", "SKIPPED", "COMPLETED": counts.passed &+= count
        case _ where failures.contains(state): counts.failed &+= count
        default: counts.running &+= count
        }
        draft.counts = counts
    }
}

// The timeline

extension GraphQLPullParser {
    fileprivate static func event(_ reader: inout JSONReader, _ activity: inout FetchedPull.Activity) throws {
        var (type, at): (String?, Date?) = (nil, nil)
        var reviewers: [FetchedPull.Reviewer] = []
        var (assignee, reviewed): (String?, String?) = (nil, nil)
        var state: FetchedPull.Review.State?
        var isByPush = false
        try reader.object { reader, name in
            switch name {
            case "__typename": type = try reader.string()
            case "createdAt": at = try reader.time()
            case "requestedReviewer": reviewers = try reviewer(&reader)
            case "assignee": assignee = try reader.string(of: "login")
            case "previousReviewState": state = try reader.string().flatMap(FetchedPull.Review.State.init)
            case "pullRequestCommit": isByPush = try reader.object { _, _ in }
            case "review":
                try reader.object { if $1 == "author" { reviewed = try $0.string(of: "login") } }
            default: break
            }
        }
        guard let at else { return }
        activity.requests += reviewers.prefix(1).map { FetchedPull.Request(reviewer: $0, at: at) }
        if let assignee { activity.assignments.append(.init(login: assignee, at: at)) }
        if let reviewed, let state {
            activity.dismissals.append(.init(login: reviewed, state: state, at: at, isByPush: isByPush))
        }
        if type == "ReadyForReviewEvent" { activity.readyAt = max(activity.readyAt ?? at, at) }
    }
}
