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
package struct RepositoryGroup<Item: RepositoryFacts>: Sendable {
    /// Stands in addresses and choices: "language-swift", "stars-1000"; "all" of the only one where nothing is grouped.
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
    /// Words that all have to be in name, description, language, topics, tags or notes, in any case of letters.
    package var text: String

    package init(grouping: GroupingOption = .none, sort: RepositorySort = .listed, text: String = "") {
        self.grouping = grouping
        self.sort = sort
        self.text = text
    }

    /// The rows that fit, sorted, in their groups; an empty group is not there.
    package func groups<Item: RepositoryFacts>(of items: [Item]) -> [RepositoryGroup<Item>] {
        [RepositoryGroup(id: "all", title: "", items: items)]
    }
}
