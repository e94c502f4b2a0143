import Accounts
import HTTPServer
import RoostServices

/// A feature of Roost's pages, registered in `Features.swift`. Whatever it does not have, it leaves out.
protocol Feature: Sendable {
    /// Its routes, each with its audience.
    func routes(_ guarded: RouteGuard) -> [SiteRoute]
    /// Its links in the navigation, in order.
    var places: [NavigationPlace] { get }
    /// Its tabs in the settings, in order.
    var settingsTabs: [SettingsTab] { get }
    /// The first path segments of its addresses with a secret: what follows them is never logged.
    var secretWords: [String] { get }
    /// Its tile on this user's home page; nil for none.
    func tile(for user: User, in site: WebContext) async throws -> HomeTile?
    /// What a new user does first with a feature that has no tile; nil for nothing.
    func firstStep(for user: User, in site: WebContext) async throws -> FirstStep?
    /// The topics of all that the tile shows.
    func tileTopics(for user: User) -> [String]
    /// The topics that pages call by this name; nil if the name is not this feature's, or not for this user.
    func topics(named name: String, for user: User) -> [String]?
    /// Whether this user may watch the topic of this name: a poll goes on without it if not. Nil where only the disk
    /// says so; `admits` is asked then.
    func mayWatch(_ name: String, _ user: User, in services: Services) -> Bool?
    /// The same, as the disk says it.
    func admits(_ name: String, for user: User, in services: Services) async throws -> Bool
    /// Called as each poll of this user begins, with the topics as the page names them.
    func polled(_ request: Request, topics: [String], by user: User, in services: Services)
    /// What the answer to a poll carries besides the names of its topics that changed; nil for nothing. It must not
    /// wait: a change answers a thousand polls one after another.
    func news(for request: Request, changed: [String], of user: User, in site: WebContext) -> PollContent?
    /// Called with each topic name that a page of this user watches: asks upstreams for what is on screen.
    func want(_ name: String, for user: User, in services: Services)
    /// The state of its upstreams, by their names in `/healthz`.
    func sources(in services: Services) -> [String: SourceHealth]
    /// Its lines in `/metrics`, in Prometheus' text format.
    func metrics(in services: Services) -> [String]
}

extension Feature {
    func routes(_ guarded: RouteGuard) -> [SiteRoute] { [] }
    var places: [NavigationPlace] { [] }
    var settingsTabs: [SettingsTab] { [] }
    var secretWords: [String] { [] }
    func tile(for user: User, in site: WebContext) async throws -> HomeTile? { nil }
    func firstStep(for user: User, in site: WebContext) async throws -> FirstStep? { nil }
    func tileTopics(for user: User) -> [String] { [] }
    func topics(named name: String, for user: User) -> [String]? { nil }
    func mayWatch(_ name: String, _ user: User, in services: Services) -> Bool? { true }
    func admits(_ name: String, for user: User, in services: Services) async throws -> Bool { true }
    func polled(_ request: Request, topics: [String], by user: User, in services: Services) {}
    func news(for request: Request, changed: [String], of user: User, in site: WebContext) -> PollContent? {
        nil
    }
    func want(_ name: String, for user: User, in services: Services) {}
    func sources(in services: Services) -> [String: SourceHealth] { [:] }
    func metrics(in services: Services) -> [String] { [] }
}

/// What a poll's answer carries besides the names of the topics that changed.
struct PollContent: Sendable {
    /// Of the answer's field.
    let name: String
    /// Equal for two users who are told the same: it is written once for both.
    let key: String
    let json: @Sendable () -> [UInt8]
}
