import RoostServices

/// A part of Roost's pages as it registers itself in `Features.swift`. What a feature does not have, it leaves out.
protocol Feature: Sendable {
    /// Its addresses, each with who may use it.
    func routes(_ guarded: RouteGuard) -> [SiteRoute]
    /// Its places in the navigation, in their order there.
    var places: [NavigationPlace] { get }
    /// Its tabs among the settings, in their order there.
    var settingsTabs: [SettingsTab] { get }
    /// The first parts of its addresses in which a secret follows: no log has what stands behind them.
    var secretWords: [String] { get }
    /// What it shows this user on the home page; nil for nothing.
    func tile(for user: User, in site: WebContext) async throws -> HomeTile?
    /// The topics of all that this tile shows.
    func tileTopics(for user: User) -> [String]
    /// The topics behind a page's name for them; nil for a name that is not this feature's, or not for this user.
    func topics(named name: String, for user: User) -> [String]?
    /// Told of each name that a page of this user waits for: what is on screen has upstreams asked.
    func want(_ name: String, for user: User, in services: Services)
    /// How its upstreams fare, by the names that `/healthz` has for them.
    func sources(in services: Services) -> [String: SourceHealth]
    /// Its lines of `/metrics`, in Prometheus' text format.
    func metrics(in services: Services) -> [String]
}

extension Feature {
    func routes(_ guarded: RouteGuard) -> [SiteRoute] { [] }
    var places: [NavigationPlace] { [] }
    var settingsTabs: [SettingsTab] { [] }
    var secretWords: [String] { [] }
    func tile(for user: User, in site: WebContext) async throws -> HomeTile? { nil }
    func tileTopics(for user: User) -> [String] { [] }
    func topics(named name: String, for user: User) -> [String]? { nil }
    func want(_ name: String, for user: User, in services: Services) {}
    func sources(in services: Services) -> [String: SourceHealth] { [:] }
    func metrics(in services: Services) -> [String] { [] }
}
