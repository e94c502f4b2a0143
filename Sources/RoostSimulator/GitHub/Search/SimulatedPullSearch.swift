struct SimulatedPullSearch {
    let moment: GitHubMoment
    let caller: GitHubCaller

    enum Failure: Error, Equatable {
        case missing
        case tooLong
        case unknownNames
        case wrongDate(String)
        case tooManyOperators
    }

    /// Returns all results in order. GitHub returns at most 1,000.
    ///
    /// - Parameters:
    ///   - sort: "created", "updated", "comments"; the query's own `sort:` has priority
    ///   - order: "asc" or "desc"
    /// - Throws: `Failure`
    func results(_ text: String, sort: String? = nil, order: String? = nil) throws -> [SimulatedPull] {
        guard text.contains(where: { !$0.isWhitespace }) else { throw Failure.missing }
        // At most 256 characters (docs.github.com, "Troubleshooting search queries").
        guard text.count <= 256 else { throw Failure.tooLong }
        let query = SearchQuery(text)
        guard names(query).allSatisfy({ $0 }) else { throw Failure.unknownNames }
        for qualifier in query.qualifiers
        where ["created", "updated", "closed", "merged"].contains(qualifier.name) {
            if let wrong = SearchRange(qualifier.value).wrongDate { throw Failure.wrongDate(wrong) }
        }
        let match = PullMatch(query: query, viewer: caller.login, now: moment.now)
        let found = moment.pulls.filter { caller.canSee($0.repository) && match.matches($0) }
        let requestedSort = query.values("sort").last?.split(separator: "-").map(String.init) ?? []
        let isAscending = (requestedSort.count > 1 ? requestedSort[1] : order) == "asc"
        let sorted = found.sorted(by: before(requestedSort.first ?? sort))
        return isAscending ? sorted.reversed() : sorted
    }

    private func before(_ sort: String?) -> (SimulatedPull, SimulatedPull) -> Bool {
        switch sort {
        case "updated": { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
        case "comments": { ($0.commentCount, $0.id) > ($1.commentCount, $1.id) }
        default: { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
        }
    }

    private func names(_ query: SearchQuery) -> [Bool] {
        query.qualifiers.filter { !$0.isNegated }.compactMap { qualifier in
            switch qualifier.name {
            case "author", "assignee", "review-requested", "reviewed-by", "commenter", "mentions", "involves":
                let name =
                    qualifier.value.hasPrefix("app/") ? String(qualifier.value.dropFirst(4)) : qualifier.value
                return name == "@me" ? caller.login != nil : SimulatedCast.person(name) != nil
            case "repo": return SimulatedRepository.named(qualifier.value).map(caller.canSee) ?? false
            case "org", "user":
                return qualifier.value == "@me"
                    || SimulatedRepository.ownerNames.contains(qualifier.value.lowercased())
                    || SimulatedCast.person(qualifier.value) != nil
            default: return nil
            }
        }
    }
}
