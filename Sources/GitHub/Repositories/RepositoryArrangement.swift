import RoostSupport

/// By what a list of repositories is grouped.
package enum GroupingOption: String, Codable, Sendable, CaseIterable {
    case ownerType, forkStatus, language, starCount, none
}

/// In which order the rows of a group stand.
package enum RepositorySort: String, Codable, Sendable, CaseIterable {
    /// The list's own: GitHub's, or the latest bookmark first.
    case listed
    case name, stars, forks, pushed
}

/// Some rows under one head.
package struct RepositoryGroup<Item: RepositoryListable>: Sendable {
    /// Stands in addresses and choices: "language-swift", "stars-1000"; "all" of the only one where nothing
    /// is grouped.
    package let id: String
    /// "Swift", "1,000 stars and more", "Language not known yet".
    package let title: String
    package var items: [Item]

    package init(id: String, title: String, items: [Item]) {
        self.id = id
        self.title = title
        self.items = items
    }
}

/// How a list is shown: pure, without a server.
package struct RepositoryArrangement: Equatable, Hashable, Sendable {
    package var grouping: GroupingOption
    package var sort: RepositorySort
    /// Words that all have to be in name, description, language, topics, tags or notes, in any case of
    /// letters.
    package var text: String

    package init(grouping: GroupingOption = .none, sort: RepositorySort = .listed, text: String = "") {
        self.grouping = grouping
        self.sort = sort
        self.text = text
    }

    /// The rows that fit, sorted, in their groups; an empty group is not there. Throws `CancellationError`.
    package func groups<Item: RepositoryListable>(of items: [Item]) throws -> [RepositoryGroup<Item>] {
        let fitting = sorted(try filtered(items))
        try Task.checkCancellation()
        guard !fitting.isEmpty else { return [] }
        var heads: [RepositoryGroupHead] = []
        var places: [String: Int] = [:]
        var members: [[Item]] = []
        for item in fitting {
            let head = RepositoryGroupHead(of: item, by: grouping)
            if let place = places[head.id] {
                members[place].append(item)
            } else {
                places[head.id] = heads.count
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

    /// The rows that have all the words, in their order. Throws `CancellationError`.
    func filtered<Item: RepositoryListable>(_ items: [Item]) throws -> [Item] {
        let filter = TextFilter(text)
        guard !filter.isEmpty else { return items }
        return try items.filter { item in
            try Task.checkCancellation()
            return filter.fits(item.searchTexts)
        }
    }

    /// The rows in their order, those that it says nothing of last; equal ones stay as they stood.
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
