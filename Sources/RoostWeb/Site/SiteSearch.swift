import Accounts
import RoostSupport

/// The matches of one kind.
struct SearchGroup: Sendable {
    let kind: SearchKind
    let results: [SearchResult]
}

/// Searches all features at once, in one transaction.
struct SiteSearch: Sendable {
    /// Results of each kind.
    static let limit = 5
    static let maximumLimit = 20
    /// Forms and links for browsers, which the JSON API leaves out.
    static let commands = "commands"
    private static let pagesKind = "pages"

    private let sources: [SearchSource]
    var kinds: [SearchKind] { sources.flatMap(\.kinds) }

    init(site: WebContext) {
        let features = site.features
        let pages = SearchSource(SearchKind(Self.pagesKind, "Pages and settings", icon: "home")) {
            _, query, user in
            query.isEmpty ? [] : Self.pages(features, query, user)
        }
        let commands = SearchSource(SearchKind(Self.commands, "Commands", icon: "command")) {
            _, query, user in
            features.searchCommands.lazy
                .filter { !$0.isForOwners || user.role == .owner }
                .filter { query.isEmpty ? $0.isOffered : query.matches([$0.name, $0.otherWords]) }
                .prefix(query.limit).map { SearchResult($0.name, at: $0.address, command: $0) }
        }
        sources = features.searchSources(in: site) + [pages, commands]
    }

    /// Returns the kinds with matches, those with the best match first. Among equal ones, Roost's own few pages and
    /// commands come before the thousands of coins. Throws database errors.
    ///
    /// - Parameter wanted: the kinds to search, or nil for all
    func groups(
        _ reads: Reads, _ query: SiteSearchQuery, for user: User, kinds wanted: Set<String>? = nil
    ) throws -> [SearchGroup] {
        let rank = SearchRank(query.text)
        var matches: [(kind: SearchKind, results: [SearchResult])] = []
        for source in sources where source.kinds.contains(where: { wanted?.contains($0.id) ?? true }) {
            for (kind, results) in zip(source.kinds, try source.find(reads, query, user))
            where wanted?.contains(kind.id) ?? true {
                matches.append((kind, Array(results.prefix(query.limit))))
            }
        }
        Self.removeRepeated(from: &matches)
        var found: [(group: SearchGroup, rank: Int)] = []
        for (kind, results) in matches {
            let ranked = results.map { (result: $0, rank: rank.rank(of: $0)) }
            guard let best = ranked.map(\.rank).min() else { continue }
            // Swift's sort is stable.
            let sorted = ranked.sorted { $0.rank < $1.rank }
            found.append((SearchGroup(kind: kind, results: sorted.map(\.result)), best))
        }
        if !query.isEmpty {
            let own = found.filter { [Self.pagesKind, Self.commands].contains($0.group.kind.id) }
            found.removeAll { [Self.pagesKind, Self.commands].contains($0.group.kind.id) }
            found = own + found
        }
        return found.sorted { $0.rank < $1.rank }.map(\.group)
    }

    /// Keeps a result of two kinds in the later one: a bookmarked repository is a bookmark.
    private static func removeRepeated(from matches: inout [(kind: SearchKind, results: [SearchResult])]) {
        var seen: Set<[String]> = []
        for index in matches.indices.reversed() {
            let later = seen
            matches[index].results.removeAll { later.contains([$0.title, $0.address]) }
            seen.formUnion(matches[index].results.map { [$0.title, $0.address] })
        }
    }

    private static func pages(
        _ features: SiteFeatures, _ query: SiteSearchQuery, _ user: User
    ) -> [SearchResult] {
        let tabs = features.settingsTabs.filter { $0.group != .owner || user.role == .owner }
        let pages =
            features.navigationEntries.filter { $0.address != SearchController.path }
            .map { SearchResult($0.name, at: $0.address) }
            + tabs.map { SearchResult($0.name, detail: "Settings", at: $0.address) }
        return pages.filter { query.matches([$0.title, $0.detail]) }
    }
}
