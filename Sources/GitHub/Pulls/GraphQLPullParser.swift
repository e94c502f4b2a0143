import Foundation
import TextFormats

/// Reads a pull request as GraphQL tells of it.
enum GraphQLPullParser {
    /// Nil for what is no pull request. Throws `ValidationError`, and `JSONReader.Malformed` for what is no JSON.
    static func read(_ reader: inout JSONReader, now: Date) throws -> FetchedPull? {
        guard let draft = try fields(&reader) else { throw ValidationError(field: "node", why: "is null") }
        if draft.isEmpty || !draft.isPull || draft.url?.containsBytes("/issues/") == true { return nil }
        return try draft.facts(hasDetail: true, now: now)
    }

    /// As much of a pull request as there is; nil for null.
    static func fields(_ reader: inout JSONReader) throws -> PullBuilder? {
        var draft = PullBuilder()
        let isObject = try reader.object { reader, name in
            draft.isEmpty = false
            if try !plain(name, &reader, &draft) { try connection(name, &reader, &draft) }
        }
        return isObject ? draft : nil
    }

    /// Where an item's title is still read, in bytes; it is cut then.
    static let maximumTitleBytes = 65_536

    private static func plain(
        _ name: String, _ reader: inout JSONReader, _ draft: inout PullBuilder
    ) throws -> Bool {
        switch name {
        case "__typename": draft.isPull = try reader.string() == "PullRequest"
        case "id": draft.id = try reader.string()
        case "number": draft.number = try reader.int()
        case "title": draft.title = try reader.string(atMost: maximumTitleBytes)
        case "url": draft.url = try reader.string()
        case "createdAt": draft.createdAt = try time(&reader)
        case "updatedAt": draft.updatedAt = try time(&reader)
        case "state": draft.state = try reader.string()
        case "isDraft", "draft": draft.isDraft = try reader.bool()
        case "additions": draft.additions = try reader.count()
        case "deletions": draft.deletions = try reader.count()
        case "changedFiles": draft.changedFiles = try reader.count()
        case "reviewDecision": draft.reviewDecision = try reader.string()
        case "mergeable": draft.mergeable = try reader.string()
        case "totalCommentsCount": draft.allComments = try reader.count()
        case "headRefOid": draft.head = try reader.string()
        case "isInMergeQueue": draft.isInMergeQueue = try reader.bool() ?? false
        case "autoMergeRequest": draft.hasAutoMerge = try reader.object { _, _ in }
        default: return false
        }
        return true
    }

    private static func connection(
        _ name: String, _ reader: inout JSONReader, _ draft: inout PullBuilder
    ) throws {
        switch name {
        case "author": (draft.author, draft.isBot, draft.avatar) = try actor(&reader)
        case "repository": try repository(&reader, &draft)
        case "labels": try reader.nodes { draft.labels += try label(&$0) }
        case "comments":
            draft.comments = try reader.nodes { draft.words += try word(&$0) }
            draft.hasEarlierWords = (draft.comments ?? 0) > draft.words.count
        case "reviewThreads":
            draft.threadCount = try reader.nodes { if try thread(&$0).isOpen { draft.unresolved += 1 } }
        case "threads":
            try reader.nodes {
                let thread = try thread(&$0)
                draft.reviewsInThreads.formUnion(thread.reviews)
                if thread.isOpen, !thread.words.isEmpty { draft.threads.append(thread.words) }
            }
        case "reviews": try reader.nodes { draft.reviews += try PullReviews.review(&$0) }
        case "latestOpinionatedReviews": try reader.nodes { draft.opinions += try PullReviews.review(&$0) }
        case "viewerLatestReview": draft.ownReview = try PullReviews.review(&reader).first
        case "reviewRequests": try PullReviews.requests(&reader, &draft)
        case "timelineItems": try reader.nodes { try PullTimeline.event(&$0, &draft) }
        case "statusCheckRollup": try PullChecks.rollup(&reader, &draft)
        case "commits": try reader.nodes { try PullChecks.commit(&$0, &draft) }
        default: break
        }
    }

    static func time(_ reader: inout JSONReader) throws -> Date? {
        try reader.string().flatMap(ISO8601.parse)
    }

    static func actor(_ reader: inout JSONReader) throws -> (login: String?, isBot: Bool, avatar: String?) {
        var (login, avatar): (String?, String?) = (nil, nil)
        var isBot = false
        try reader.object { reader, name in
            switch name {
            case "login": login = try reader.string()
            case "__typename": isBot = try reader.string() == "Bot"
            case "avatarUrl": avatar = try reader.string()
            default: break
            }
        }
        return (login, isBot, avatar)
    }

    private static func repository(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        var (full, owner, plain): (String?, String?, String?) = (nil, nil, nil)
        try reader.object { reader, name in
            switch name {
            case "nameWithOwner": full = try reader.string()
            case "name": plain = try reader.string()
            case "owner": owner = try actor(&reader).login
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

    /// Nil when it has no name; an invalid colour is left out.
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

    /// None when it has no time; a comment without an author is a ghost's.
    static func word(_ reader: inout JSONReader) throws -> [FetchedPull.Comment] {
        var reviews: Set<String> = []
        return try word(&reader, &reviews)
    }

    /// - Parameter reviews: takes the id of the review that it belongs to
    private static func word(_ reader: inout JSONReader, _ reviews: inout Set<String>) throws
        -> [FetchedPull.Comment]
    {
        var author: (login: String?, isBot: Bool, avatar: String?) = (nil, false, nil)
        var (made, published): (Date?, Date?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "author": author = try actor(&reader)
            case "createdAt": made = try time(&reader)
            case "publishedAt": published = try time(&reader)
            case "pullRequestReview":
                try reader.object { if $1 == "id", let id = try $0.string() { reviews.insert(id) } }
            default: break
            }
        }
        guard let at = published ?? made else { return [] }
        return [FetchedPull.Comment(login: name(author), isBot: author.isBot, at: at)]
    }

    /// Of somebody who said something: a ghost where there is none, or none that could be.
    static func name(_ author: (login: String?, isBot: Bool, avatar: String?)) -> String {
        author.login.flatMap { $0.utf8.count <= ValidationError.maximumTextBytes ? $0 : nil } ?? "ghost"
    }

    /// - Returns: also the ids of the reviews that its comments belong to
    private static func thread(_ reader: inout JSONReader) throws -> (
        isOpen: Bool, words: [FetchedPull.Comment], reviews: Set<String>
    ) {
        var isResolved: Bool?
        var words: [FetchedPull.Comment] = []
        var reviews: Set<String> = []
        try reader.object { reader, name in
            switch name {
            case "isResolved": isResolved = try reader.bool()
            case "comments": try reader.nodes { words += try word(&$0, &reviews) }
            default: break
            }
        }
        return (isResolved == false, words, reviews)
    }
}
