package import Accounts
package import Foundation
package import RoostSupport

/// All features of the site, in the order of the navigation.
package struct SiteFeatures: Sendable {
    let navigationEntries: [NavigationEntry]
    let settingsTabs: [SettingsTab]
    private let programPathPrefixes: Set<String>
    private let all: [any Feature]

    package init(_ all: [any Feature]) {
        self.all = all
        navigationEntries = all.flatMap(\.navigationEntries)
        settingsTabs = all.flatMap(\.settingsTabs)
        programPathPrefixes = Set(all.flatMap(\.programPathPrefixes))
    }

    /// The first path segments that a secret follows.
    package var secretPathPrefixes: Set<String> { Set(all.flatMap(\.secretPathPrefixes)) }

    /// True for a path that only programs use, other than the API's.
    func isForPrograms(_ path: String) -> Bool {
        programPathPrefixes.contains {
            path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }.elementsEqual($0.utf8)
        }
    }

    var shareTarget: ShareTarget? { all.lazy.compactMap(\.shareTarget).first }

    package var sources: [String: SourceHealth] {
        all.reduce(into: [:]) { sources, feature in sources.merge(feature.sources) { first, _ in first } }
    }

    /// Throws database errors.
    package func queues(_ reads: Reads) throws -> [QueueHealth] { try all.flatMap { try $0.queues(reads) } }

    var metrics: [MetricFamily] { all.flatMap(\.metrics) }

    func metrics(_ reads: Reads) throws -> [MetricFamily] { try all.flatMap { try $0.metrics(reads) } }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        all.flatMap { $0.routes(guarded.limited(to: $0.tokenArea)) }
            + navigationEntries.compactMap(\.count).map(guarded.count)
    }

    func pollExtensions(in site: WebContext) -> [any PollExtension] {
        all.compactMap { $0.pollExtension(in: site) }
    }

    var searchCommands: [SearchCommand] { all.flatMap(\.searchCommands) }

    func searchSources(in site: WebContext) -> [SearchSource] { all.flatMap { $0.searchSources(in: site) } }

    /// The areas that tokens may be limited to, in the order of the navigation.
    package var tokenAreas: [TokenArea] {
        all.compactMap(\.tokenArea).reduce(into: []) { areas, area in
            if !areas.contains(area) { areas.append(area) }
        }
    }

    // MARK: Topics

    /// The area of the feature with this topic.
    func tokenArea(ofTopic name: String, for user: User) -> TokenArea? {
        all.lazy.first { $0.topics(named: name, for: user) != nil }?.tokenArea
    }

    /// The topics behind this name, or nil if no feature has the name or this user may not watch them.
    func topics(named name: String, for user: User) -> [String]? {
        all.lazy.compactMap { $0.topics(named: name, for: user) }.first
    }

    /// The topics of the navigation's counts.
    func frameTopics(for user: User) -> [String] {
        navigationEntries.compactMap(\.count).flatMap { topics(named: $0.topic, for: user) ?? [] }
    }

    /// - Parameter keys: of the features' tiles, or nil for all features
    package func tileTopics(for user: User, of keys: Set<String>? = nil) -> [String] {
        features(keys).flatMap { $0.tileTopics(for: user) }
    }

    private func features(_ keys: Set<String>?) -> [any Feature] {
        guard let keys else { return all }
        return all.filter { $0.tileKind.map { keys.contains($0.key) } ?? false }
    }

    /// Refreshes from upstreams what a user sees under these topic names.
    package func requestRefresh(of names: [String], for user: User) {
        for name in names {
            for feature in all { feature.requestRefresh(of: name, for: user) }
        }
    }

    // MARK: Content

    /// The kinds of tiles, in the order of the navigation.
    package var tileKinds: [TileKind] { all.compactMap(\.tileKind) }

    /// Returns the user's tile of this kind, or one that says so if it cannot be read: a failure of one feature leaves
    /// the others in sight. Hidden tiles are never read.
    package func tile(
        _ kind: TileKind, _ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope
    ) throws -> HomeTile? {
        guard let feature = all.first(where: { $0.tileKind == kind }) else { return nil }
        do {
            return try feature.tile(reads, for: user, in: site, scope)
        } catch let error as CancellationError {
            throw error
        } catch {
            site.health.report(error)
            // The page's name of a feature's topic is the feature's key.
            return HomeTile(
                kind, topics: [kind.key], FailedTileView(name: kind.name),
                sentences: ["“\(kind.name)” couldn’t be loaded."])
        }
    }

    /// What changed since then in each feature, most important first.
    ///
    /// - Parameter keys: of the features' tiles, or nil for all features
    package func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date, of keys: Set<String>? = nil
    ) throws -> [[TodayLine]] {
        try features(keys).map { try $0.today(reads, for: user, in: site, since: since) }
    }

    /// The first steps of features without a tile.
    package func firstSteps(_ reads: Reads, for user: User, in site: WebContext) throws -> [FirstStep] {
        try all.compactMap { try $0.firstStep(reads, for: user, in: site) }
    }

    /// The navigation's counts by address. Throws database errors.
    ///
    /// - Parameter existing: counts that the page has already read
    func counts(_ reads: Reads, for user: User, existing: [String: Int]) throws -> [String: Int] {
        var counts = existing
        for entry in navigationEntries where counts[entry.address] == nil {
            counts[entry.address] = try entry.count?.waiting(reads, user)
        }
        return counts
    }

    /// The last known counts, for pages that must not wait for the database.
    func lastCounts(for user: User) -> [String: Int] {
        navigationEntries.reduce(into: [:]) { counts, entry in
            counts[entry.address] = entry.count?.lastWaiting(user)
        }
    }
}
