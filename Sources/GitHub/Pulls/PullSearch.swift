/// What one search of the inbox is for; its results say how a pull request concerns the reader.
package enum PullSearch: Hashable, Sendable {
    /// A review is asked for, by name or through a team, until it is given.
    case asked
    /// By name only; where GraphQL says who is asked, as it does unless it withholds the lists, there is no need to ask.
    case askedByName
    /// Through one team; likewise.
    case team(String)
    /// Somebody else's, assigned to the reader.
    case assigned
    case reviewed, commented, yours, mentions
    case own(Int64)

    /// In GitHub's search language.
    package var words: String {
        let open = "is:open is:pr archived:false"
        return switch self {
        case .asked: "\(open) review-requested:@me"
        case .askedByName: "\(open) user-review-requested:@me"
        case .team(let name): "\(open) team-review-requested:\(name)"
        case .assigned: "\(open) assignee:@me -author:@me"
        case .reviewed: "\(open) reviewed-by:@me -author:@me"
        case .commented: "\(open) commenter:@me -author:@me"
        case .yours: "\(open) author:@me"
        case .mentions: "\(open) mentions:@me"
        case .own: ""
        }
    }

    /// Its name in a GraphQL request.
    package var alias: String {
        switch self {
        case .asked: "asked"
        case .askedByName: "askedByName"
        case .team: "team"
        case .assigned: "assigned"
        case .reviewed: "reviewed"
        case .commented: "commented"
        case .yours: "yours"
        case .mentions: "mentions"
        case .own(let id): "own\(id)"
        }
    }

    /// What GraphQL is asked for, in this order.
    package static let standard: [PullSearch] = [
        .asked, .assigned, .reviewed, .commented, .yours, .mentions,
    ]

    /// Whether the words on the code are needed, to see whether somebody answered. Of a reviewer they may be all he
    /// said, and GitHub does not promise that `commenter:` finds those.
    var includesThreads: Bool { self == .commented || self == .reviewed || self == .yours }
}

/// One search with its words.
struct PullSearchQuery: Hashable, Sendable {
    package let search: PullSearch
    package let words: String

    package init(_ search: PullSearch) {
        self.search = search
        words = search.words
    }

    /// An own section's: `is:pr` is added where the query does not say it.
    package init(_ section: OwnSection) {
        search = .own(section.id)
        let terms = section.query.lowercased().words
        let saysPull = terms.contains { ["is:pr", "type:pr", "is:pull-request"].contains($0) }
        words = saysPull ? section.query : "is:pr \(section.query)"
    }
}
