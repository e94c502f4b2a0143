import Foundation
import TextFormats

/// Reads a pull request as REST's search for issues tells of it: without checks, reviews and size.
enum RESTPullParser {
    /// Nil for an issue. Throws `ValidationError`, and `JSONReader.Malformed` for what is no JSON.
    static func read(_ reader: inout JSONReader, now: Date) throws -> FetchedPull? {
        var draft = PullBuilder()
        draft.isPull = false
        let isObject = try reader.object { try member($1, &$0, &draft) }
        guard isObject else { throw ValidationError(field: "item", why: "is no object") }
        guard draft.isPull || draft.url?.containsBytes("/pull/") == true else {
            if draft.url?.containsBytes("/issues/") == true { return nil }
            throw ValidationError(field: "htmlURL", why: "is missing or no address")
        }
        return try draft.facts(hasDetail: false, now: now)
    }

    private static func member(
        _ name: String, _ reader: inout JSONReader, _ draft: inout PullBuilder
    ) throws {
        switch name {
        case "node_id": draft.id = try reader.string()
        case "number": draft.number = try reader.int()
        case "title": draft.title = try reader.string(atMost: GraphQLPullParser.maximumTitleBytes)
        case "html_url": draft.url = try reader.string()
        case "repository_url": draft.repository = try reader.string().flatMap(repository)
        case "created_at": draft.createdAt = try GraphQLPullParser.time(&reader)
        case "updated_at": draft.updatedAt = try GraphQLPullParser.time(&reader)
        case "state": draft.state = try reader.string()
        case "draft": draft.isDraft = try reader.bool()
        case "comments": draft.comments = try reader.count()
        case "labels":
            try reader.list {
                if draft.labels.count < JSONReader.maximumNodes {
                    draft.labels += try GraphQLPullParser.label(&$0)
                }
            }
        case "pull_request":
            draft.isPull = try reader.object { if $1 == "merged_at" { draft.isMerged = try !$0.isNull() } }
        case "user": try user(&reader, &draft)
        default: break
        }
    }

    private static func user(_ reader: inout JSONReader, _ draft: inout PullBuilder) throws {
        try reader.object { reader, name in
            switch name {
            case "login": draft.author = try reader.string()
            case "avatar_url": draft.avatar = try reader.string()
            case "type": draft.isBot = try reader.string() == "Bot"
            default: break
            }
        }
    }

    /// "owner/name" of `https://api.github.com/repos/owner/name`, as the mission has it.
    private static func repository(_ url: String) -> String? {
        let parts = url.splitBytes(at: "/")
        guard parts.count >= 3, parts[parts.count - 3] == "repos" else { return nil }
        return parts.suffix(2).joined(separator: "/")
    }
}
