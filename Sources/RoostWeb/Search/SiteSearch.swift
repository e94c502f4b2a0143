import Accounts
import RoostSupport

/// The matches of one kind.
struct SearchGroup: Sendable {
    let source: SearchSource
    let results: [SearchResult]
}

/// Searches all features at once, in one transaction.
struct SiteSearch: Sendable {
    /// Results of each kind.
    static let limit = 5
    static let maximumLimit = 20
    private static let pages = "pages"
    static let commands = "commands"

    let sources: [SearchSource]

    init(site: WebContext) {
        let features = site.features
        let pages = SearchSource(Self.pages, "Pages and settings", icon: "home") { _, query, user in
            query.isEmpty ? [] : Self.pages(features, query, user)
        }
        let commands = SearchSource(Self.commands, "Commands", icon: "command") { _, query, user in
            features.searchCommands.lazy
                .filter { !$0.isForOwners || user.role == .owner }
                .filter { query.matches([$0.name, $0.otherWords]) }
                .prefix(query.limit).map { SearchResult($0.name, at: $0.address, command: $0) }
        }
        sources = features.searchSources(in: site) + [pages, commands]
    }

    /// Returns the kinds with matches, those with the best match first. Throws database errors.
    ///
    /// - Parameter kinds: the kinds to search, or nil for all
    func groups(
        _ reads: Reads, _ query: SearchQuery, for user: User, kinds: Set<String>? = nil
    ) throws -> [SearchGroup] {
        let rank = SearchRank(query.text)
        let found = try sources.filter { kinds?.contains($0.kind) ?? true }.compactMap {
            source -> (group: SearchGroup, rank: Int)? in
            let results = try source.find(reads, query, user).prefix(query.limit)
                .map { (result: $0, rank: rank.rank(of: $0.title)) }
            guard let best = results.map(\.rank).min() else { return nil }
            // Swift's sort is stable.
            let sorted = query.isEmpty ? results : results.sorted { $0.rank < $1.rank }
            return (SearchGroup(source: source, results: sorted.map(\.result)), best)
        }
        return found.sorted { $0.rank < $1.rank }.map(\.group)
    }

    private static func pages(
        _ features: SiteFeatures, _ query: SearchQuery, _ user: User
    ) -> [SearchResult] {
        let tabs = features.settingsTabs.filter { !$0.isForOwners || user.role == .owner }
        let pages =
            features.navigationEntries.filter { $0.address != SearchController.path }
            .map { SearchResult($0.name, at: $0.address) }
            + tabs.map { SearchResult($0.name, detail: "Settings", at: $0.address) }
        return pages.filter { query.matches([$0.title, $0.detail]) }
    }
}
