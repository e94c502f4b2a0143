import RoostSupport

package enum GroupingOption: String, Codable, Sendable, CaseIterable {
    case ownerType, forkStatus, language, starCount, none
}

package enum RepositorySort: String, Codable, Sendable, CaseIterable {
    /// The list's own order: GitHub's, or the latest bookmark first.
    case listed
    case name, stars, forks, pushed
}

package struct RepositoryGroup<Item: RepositoryListable>: Sendable {
    /// Used in URLs and settings: "language-swift", "stars-1000", or "all" without grouping.
    package let id: String
    /// "Swift", "1,000 stars and more", "Language not known yet".
    package let title: String
    package var items: [Item]
}

package struct RepositoryArrangement: Equatable, Hashable, Sendable {
    package var grouping: GroupingOption
    package var sort: RepositorySort
    /// Words that must all occur in name, description, language, topics, tags or notes; case-insensitive.
    package var text: String

    package init(grouping: GroupingOption = .none, sort: RepositorySort = .listed, text: String = "") {
        self.grouping = grouping
        self.sort = sort
        self.text = text
    }

    /// Returns the matching rows, sorted, in nonempty groups. Throws `CancellationError`.
    package func groups<Item: RepositoryListable>(of items: [Item]) throws -> [RepositoryGroup<Item>] {
        let matching = sorted(try filtered(items))
        try Task.checkCancellation()
        guard !matching.isEmpty else { return [] }
        var heads: [RepositoryGroupHead] = []
        var indexes: [String: Int] = [:]
        var members: [[Item]] = []
        for item in matching {
            let head = RepositoryGroupHead(of: item, by: grouping)
            if let index = indexes[head.id] {
                members[index].append(item)
            } else {
                indexes[head.id] = heads.count
                heads.append(head)
                members.append([item])
            }
        }
        let order = heads.indices.sorted { left, right in
            RepositoryGroupHead.precedes(
                (heads[left], members[left].count), (heads[right], members[right].count))
        }
        return order.map { RepositoryGroup(id: heads[$0].id, title: heads[$0].title, items: members[$0]) }
    }

    /// Throws `CancellationError`.
    func filtered<Item: RepositoryListable>(_ items: [Item]) throws -> [Item] {
        let filter = TextFilter(text)
        guard !filter.isEmpty else { return items }
        return try items.filter { item in
            try Task.checkCancellation()
            return filter.matches(item.searchTexts)
        }
    }

    /// Sorts rows stably, those without a value last.
    package func sorted<Item: RepositoryListable>(_ items: [Item]) -> [Item] {
        switch sort {
        case .listed: items
        case .name:
            Self.ordered(items.map { ($0, $0.fullName.lowercased()) }, by: <)
        case .stars: Self.ordered(items.map { ($0, $0.facts?.stars) }, by: >)
        case .forks: Self.ordered(items.map { ($0, $0.facts?.forks) }, by: >)
        case .pushed: Self.ordered(items.map { ($0, $0.facts?.pushedAt) }, by: >)
        }
    }

    private static func ordered<Item, Value: Equatable>(
        _ items: [(item: Item, value: Value?)], by precedes: (Value, Value) -> Bool
    ) -> [Item] {
        items.enumerated().sorted { left, right in
            switch (left.element.value, right.element.value) {
            case (let one?, let other?) where one != other: precedes(one, other)
            case (_?, nil): true
            case (nil, _?): false
            default: left.offset < right.offset
            }
        }.map(\.element.item)
    }
}

struct RepositoryGroupHead: Equatable, Hashable, Sendable {
    package let id: String
    package let title: String
    /// The order of groups. Groups of equal rank, such as languages, are ordered by size.
    package let rank: Int

    /// The lower bounds of all groups but the lowest.
    static let bands = [100_000, 10_000, 1_000, 100, 10]

    private init(_ id: String, _ title: String, _ rank: Int = 0) {
        self.id = id
        self.title = title
        self.rank = rank
    }

    package init(of item: some RepositoryListable, by grouping: GroupingOption) {
        self =
            switch grouping {
            case .none: Self.all
            case .ownerType: Self.owner(item.ownerType)
            case .forkStatus: Self.fork(item.isFork)
            case .language: Self.language(isKnown: item.facts != nil, item.facts?.language)
            case .starCount: Self.stars(item.facts?.stars)
            }
    }

    static func precedes(
        _ left: (head: Self, count: Int), _ right: (head: Self, count: Int)
    ) -> Bool {
        if left.head.rank != right.head.rank { return left.head.rank < right.head.rank }
        if left.count != right.count { return left.count > right.count }
        return left.head.id < right.head.id
    }

    static let all = Self("all", "")

    static func owner(_ kind: Owner.Kind?) -> Self {
        switch kind {
        case .user: Self("owner-user", "People", 0)
        case .organization: Self("owner-organization", "Organisations", 1)
        case nil: Self("owner-unknown", "Owner not known yet", 2)
        }
    }

    static func fork(_ isFork: Bool?) -> Self {
        switch isFork {
        case false: Self("fork-no", "Not a fork", 0)
        case true: Self("fork-yes", "Forks", 1)
        case nil: Self("fork-unknown", "Not known yet", 2)
        }
    }

    /// Ids of languages start with "language-", so that none equals "no-language".
    static func language(isKnown: Bool, _ language: String?) -> Self {
        guard isKnown else { return Self("unknown-language", "Language not known yet", 2) }
        guard let language else { return Self("no-language", "No language", 1) }
        return Self("language-" + slug(language), language)
    }

    static func stars(_ stars: Int?) -> Self {
        guard let stars else { return Self("stars-unknown", "Stars not known yet", bands.count + 1) }
        guard let index = bands.firstIndex(where: { stars >= $0 }) else {
            return Self("stars-0", "Fewer than 10 stars", bands.count)
        }
        return Self("stars-\(bands[index])", "\(grouped(bands[index])) stars or more", index)
    }

    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(number / 1_000),000"
    }

    /// Keeps letters and digits, in lower case. Other bytes become `_2b`, so that C, C++ and C# differ.
    private static func slug(_ text: String) -> String {
        var slug = ""
        for byte in text.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                slug.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                slug += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return slug
    }
}
