import Foundation
import TextFormats

extension JSONReader {
    /// The most nodes that GitHub's GraphQL returns of a connection at once.
    static let maximumNodes = 100

    /// Calls `item` for each of a GraphQL connection's `nodes` or `edges`. Returns `totalCount`, or else the number of
    /// items; nil for null.
    @discardableResult
    mutating func nodes(_ item: (inout JSONReader) throws -> Void) throws -> Int? {
        var total: Int?
        var count = 0
        let isObject = try object { reader, name in
            switch name {
            case "totalCount": total = try reader.count()
            case "nodes":
                try reader.list {
                    count += 1
                    if count <= Self.maximumNodes { try item(&$0) }
                }
            case "edges":
                try reader.list { edge in
                    count += 1
                    guard count <= Self.maximumNodes else { return }
                    try edge.object { if $1 == "node" { try item(&$0) } }
                }
            default: break
            }
        }
        return isObject ? total ?? count : nil
    }

    /// Reads one text of an object.
    mutating func string(of member: String) throws -> String? {
        var text: String?
        try object { if $1 == member { text = try $0.string() } }
        return text
    }

    mutating func time() throws -> Date? { try string().flatMap(ISO8601.parse) }
}

/// A user, organisation or bot, in the form that REST and GraphQL share.
struct GitHubActor {
    private(set) var login: String?
    private(set) var type: String?
    private(set) var avatarURL: String?

    var isBot: Bool { type == "Bot" }

    /// GitHub shows deleted users as "ghost".
    var name: String {
        login.flatMap { $0.utf8.count <= ValidationError.maximumTextBytes ? $0 : nil } ?? "ghost"
    }

    init() {}

    init(_ reader: inout JSONReader) throws {
        try reader.object { reader, name in
            switch name {
            case "login": login = try reader.string()
            case "__typename", "type": type = try reader.string()
            case "avatarUrl", "avatar_url": avatarURL = try reader.string()
            default: break
            }
        }
    }
}
