/// Searches the simulated repositories.
///
/// Source: docs.github.com, "Searching for repositories".
struct SimulatedRepositorySearch {
    let moment: RepositoryMoment
    let caller: GitHubCaller

    /// Returns all results in order. GitHub returns at most 1,000.
    ///
    /// - Parameters:
    ///   - sort: "stars", "forks", "updated"; the query's own `sort:` has priority
    ///   - order: "asc" or "desc"
    /// - Throws: `SimulatedPullSearch.Failure`
    func results(_ text: String, sort: String? = nil, order: String? = nil) throws(SimulatedPullSearch
        .Failure)
        -> [RepositorySnapshot]
    {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .missing }
        // At most 256 characters and five operators (docs.github.com, "Troubleshooting search queries").
        guard text.count <= 256 else { throw .tooLong }
        guard SearchQuery.operators(text) <= 5 else { throw .tooManyOperators }
        let query = SearchQuery(text, names: SearchQuery.repositoryNames)
        for qualifier in query.qualifiers where ["created", "pushed"].contains(qualifier.name) {
            if let wrong = SearchRange(qualifier.value).wrongDate { throw .wrongDate(wrong) }
        }
        let owners = query.qualifiers.filter { ["user", "org", "repo"].contains($0.name) && !$0.isNegated }
        guard owners.isEmpty || owners.contains(where: exists) else { throw .unknownNames }
        let match = RepositoryMatch(query: query, viewer: caller.login, moment: moment)
        let found = moment.all.filter { $0.isVisible(to: caller) && match.matches($0) }
        let requestedSort = query.values("sort").last?.split(separator: "-").map(String.init) ?? []
        let isAscending = (requestedSort.count > 1 ? requestedSort[1] : order) == "asc"
        let sorted = ranked(found, by: requestedSort.first ?? sort, match)
        return isAscending && (requestedSort.first ?? sort) != nil ? sorted.reversed() : sorted
    }

    private func exists(_ qualifier: SearchQuery.Qualifier) -> Bool {
        if qualifier.name == "repo" { return moment.found(qualifier.value)?.isVisible(to: caller) ?? false }
        let login = qualifier.value
        return login == "@me" || moment.catalogue.owner(login) != nil || SimulatedCast.person(login) != nil
    }

    private func ranked(
        _ found: [RepositorySnapshot], by sort: String?, _ match: RepositoryMatch
    ) -> [RepositorySnapshot] {
        let weighed = found.map { (one: $0, weight: weight($0, sort, match)) }
        return weighed.sorted { ($0.weight, $1.one.number) > ($1.weight, $0.one.number) }.map(\.one)
    }

    private func weight(_ one: RepositorySnapshot, _ sort: String?, _ match: RepositoryMatch) -> Int {
        switch sort {
        case "stars": one.stars
        case "forks": one.entry.growth.forks
        case "updated": one.pushedAt ?? one.createdAt
        // Best match: matches in the name first, then by stars.
        default: (match.hasName(one) ? 1_000_000_000 : 0) + one.stars
        }
    }
}

extension SearchQuery {
    static func operators(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).count { ["AND", "OR", "NOT"].contains($0) }
    }

    static let repositoryNames: Set = [
        "language", "stars", "forks", "topic", "topics", "user", "org", "repo", "created", "pushed",
        "archived", "fork", "license", "in", "is", "size", "sort", "mirror", "template", "followers",
    ]
}
