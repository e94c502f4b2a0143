import Foundation
import TextFormats

/// Reads reviews and requests for them.
enum PullReviews {
    /// None for one that is not handed in yet, or of a state that nobody knows.
    static func review(_ reader: inout JSONReader) throws -> [FetchedPull.Review] {
        var author: (login: String?, isBot: Bool, avatar: String?) = (nil, false, nil)
        var state: FetchedPull.Review.State?
        var (submitted, made): (Date?, Date?) = (nil, nil)
        var (head, id): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "id": id = try reader.string()
            case "author": author = try GraphQLPullParser.actor(&reader)
            case "state": state = try reader.string().flatMap(FetchedPull.Review.State.init)
            case "submittedAt": submitted = try GraphQLPullParser.time(&reader)
            case "publishedAt", "createdAt", "updatedAt": made = try GraphQLPullParser.time(&reader) ?? made
            case "commit": try reader.object { if $1 == "oid" { head = try $0.string() } }
            default: break
            }
        }
        guard let state, state != .pending, let at = submitted ?? made else { return [] }
        let word = FetchedPull.Comment(login: GraphQLPullParser.name(author), isBot: author.isBot, at: at)
        return [FetchedPull.Review(word: word, state: state, head: head, id: id)]
    }

    static func requests(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        var reviewers: [FetchedPull.Reviewer] = []
        let isThere = try reader.nodes { node in
            try node.object { if $1 == "requestedReviewer" { reviewers += try reviewer(&$0) } }
        }
        if isThere != nil { draft.reviewers = reviewers }
    }

    /// A reviewer that GitHub hides (`null`) is a team that the token may not see.
    static func reviewer(_ reader: inout JSONReader) throws -> [FetchedPull.Reviewer] {
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

/// Accounts that are machines although GitHub calls them users.
enum BotLogins {
    private static let suffixes = ["[bot]", "-bot"]
    /// Well-known ones whose names do not show it. Users list further ones in their inbox settings.
    private static let known: Set = [
        "codecov-commenter", "googlebot", "k8s-ci-robot", "openshift-ci-robot", "rustbot",
    ]

    static func contains(_ login: String) -> Bool {
        let login = login.lowercased()
        return suffixes.contains { login.hasSuffix($0) } || known.contains(login)
    }
}
