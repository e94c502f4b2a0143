package import Accounts
package import Foundation
package import HTTPServer
package import RoostSupport

/// A feature of the site, listed in `Features.swift`. Every requirement has a default.
package protocol Feature: Sendable {
    func routes(_ guarded: RouteGuard) -> [SiteRoute]
    var navigationEntries: [NavigationEntry] { get }
    var settingsTabs: [SettingsTab] { get }
    /// What other apps on the device may share with this feature. The first feature with one receives it.
    var shareTarget: ShareTarget? { get }
    /// The first path segments that a secret follows. The rest of such a path is never logged.
    var secretPathPrefixes: [String] { get }
    /// The first path segments, other than `api`, that only programs use. Their errors are JSON, as the API's.
    var programPathPrefixes: [String] { get }
    /// The area that a token may be limited to, with all routes and topics of this feature. Without one, limited tokens
    /// may not use the feature.
    var tokenArea: TokenArea? { get }
    var tileKind: TileKind? { get }
    /// Returns nil if the feature has nothing to show yet, not even how to begin.
    func tile(_ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope) throws -> HomeTile?
    /// What changed in this feature since then, most important first, at most `TodayLine.limit` lines.
    func today(_ reads: Reads, for user: User, in site: WebContext, since: Date) throws -> [TodayLine]
    /// The first step for a new user, for a feature without a tile.
    func firstStep(_ reads: Reads, for user: User, in site: WebContext) throws -> FirstStep?
    func tileTopics(for user: User) -> [String]
    /// The topics behind this name, or nil if the name is not this feature's or not allowed for this user.
    func topics(named name: String, for user: User) -> [String]?
    func pollExtension(in site: WebContext) -> (any PollExtension)?
    /// Called with each topic name that a page of this user watches. Refreshes what is on screen from upstreams.
    func requestRefresh(of name: String, for user: User)
    /// What the search of everything finds in this feature, in the order of its groups.
    func searchSources(in site: WebContext) -> [SearchSource]
    var searchCommands: [SearchCommand] { get }
    /// What outgoing webhooks can be notified of.
    var webhookEvents: [WebhookEvent] { get }
    var sources: [String: SourceHealth] { get }
    /// The work of this feature that waits for its turn, for the status page. Throws database errors.
    func queues(_ reads: Reads) throws -> [QueueHealth]
    /// Metrics of what is in memory.
    var metrics: [MetricFamily] { get }
    /// Metrics of what is in the database. Reading them must be quick even with many rows.
    func metrics(_ reads: Reads) throws -> [MetricFamily]
}

extension Feature {
    package func routes(_ guarded: RouteGuard) -> [SiteRoute] { [] }
    package var navigationEntries: [NavigationEntry] { [] }
    package var settingsTabs: [SettingsTab] { [] }
    package var shareTarget: ShareTarget? { nil }
    package var secretPathPrefixes: [String] { [] }
    package var programPathPrefixes: [String] { [] }
    package var tokenArea: TokenArea? { nil }
    package var tileKind: TileKind? { nil }
    package func tile(
        _ reads: Reads, for user: User, in site: WebContext, _ scope: TileScope
    ) throws -> HomeTile? { nil }
    package func today(
        _ reads: Reads, for user: User, in site: WebContext, since: Date
    ) throws -> [TodayLine] { [] }
    package func firstStep(_ reads: Reads, for user: User, in site: WebContext) throws -> FirstStep? { nil }
    package func tileTopics(for user: User) -> [String] { [] }
    package func topics(named name: String, for user: User) -> [String]? { nil }
    package func pollExtension(in site: WebContext) -> (any PollExtension)? { nil }
    package func requestRefresh(of name: String, for user: User) {}
    package func searchSources(in site: WebContext) -> [SearchSource] { [] }
    package var searchCommands: [SearchCommand] { [] }
    package var webhookEvents: [WebhookEvent] { [] }
    package var sources: [String: SourceHealth] { [:] }
    package func queues(_ reads: Reads) throws -> [QueueHealth] { [] }
    package var metrics: [MetricFamily] { [] }
    package func metrics(_ reads: Reads) throws -> [MetricFamily] { [] }
}

/// A part of Roost that a token may be limited to.
package struct TokenArea: Sendable, Equatable {
    /// As in the scope "chat:read".
    package let key: String
    /// The name on pages.
    package let name: String
    /// True if some of its routes act on another server, which takes a scope of its own, such as "pulls:act".
    package let hasActs: Bool

    package init(_ key: String, name: String, hasActs: Bool = false) {
        self.key = key
        self.name = name
        self.hasActs = hasActs
    }
}

/// What a feature adds to the long poll.
package protocol PollExtension: Sendable {
    /// Returns whether this user may watch the named topic; if not, the poll continues without it. Returns nil if only
    /// the database can answer, which makes the poll call `admits`.
    func mayWatch(_ name: String, _ user: User) -> Bool?
    /// Returns the same from the database.
    func admits(_ name: String, for user: User) async throws -> Bool
    /// Called at the start of each poll of this user, with the page's names of the topics.
    func polled(_ request: Request, topics: [String], by user: User)
    /// Returns additional content for the answer. It must not block: one change answers a thousand polls in sequence.
    func news(for request: Request, changed: [String], of user: User) -> PollContent?
}

/// Content of a poll's answer, in addition to the names of the changed topics.
package struct PollContent: Sendable {
    /// The name of the answer's field.
    package let name: String
    /// Equal for users who get the same content, which is then encoded once.
    package let key: String
    package let json: @Sendable () -> [UInt8]

    package init(name: String, key: String, json: @escaping @Sendable () -> [UInt8]) {
        self.name = name
        self.key = key
        self.json = json
    }
}
