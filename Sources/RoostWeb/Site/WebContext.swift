package import Accounts
import Foundation
package import HTMLTemplates
package import HTTPServer
package import RoostSupport
package import TextFormats

/// The services and settings that every page and API route uses.
package struct WebContext: Sendable {
    package struct Configuration: Sendable {
        package var publicFolder: String
        /// The program's version; pages offer to reload when it changes.
        package var version: String
        package var publicURL: PublicURL?
        package var trustedProxies: [AddressRange] = []
        /// Further names that Roost answers to, in lower case.
        package var hostNames: Set<String> = []
        package var isTLS = false
        /// Treats anyone on this machine as the first owner. For the demo only.
        package var opensToThisMachine = false

        package init(publicFolder: String, version: String) {
            self.publicFolder = publicFolder
            self.version = version
        }
    }

    package let identity: AccountServices
    package let feed: ChangeFeed
    package let database: Database
    package let clock: WallClock
    package let health: SiteHealth
    package let features: SiteFeatures
    package let assets: SiteAssets
    package let visitors: Visitors
    package let links: BaseURL
    let repeated: RepeatedRequests
    let programVersion: String
    /// The next page shows a notice, even if it is loaded late; its undo works longer.
    package let flash = FlashStore<NoticeView>(lifetime: .seconds(3_600))

    /// Throws if the static files cannot be read.
    package init(
        _ configuration: Configuration, features: [any Feature], identity: AccountServices,
        feed: ChangeFeed, database: Database, health: SiteHealth, clock: WallClock
    ) throws {
        self.identity = identity
        self.feed = feed
        self.database = database
        self.health = health
        self.clock = clock
        repeated = RepeatedRequests(database: database, clock: clock)
        self.features = SiteFeatures(features)
        assets = try SiteAssets(folder: configuration.publicFolder, programVersion: configuration.version)
        visitors = Visitors(identity, configuration)
        programVersion = configuration.version
        links = BaseURL(publicURL: configuration.publicURL, isTLS: configuration.isTLS)
    }

    /// Ends the work that continues without its client. Call it once the server has stopped.
    package func stop() async { await repeated.stop() }

    /// Returns the layout of a page for this user. Throws database errors.
    ///
    /// - Parameters:
    ///   - currentEntry: the address of the navigation entry to mark; nil marks none
    ///   - counts: counts of navigation entries that the page has already read, by address
    package func layout(
        _ reads: Reads, for user: User, _ request: Request, currentEntry: String?,
        scope: FormToken.Scope = .reader, notice: NoticeView? = nil, counts existing: [String: Int] = [:]
    ) throws -> LayoutView {
        frame(
            for: user, request, currentEntry: currentEntry, scope: scope, notice: notice,
            // The next poll reports all changes that the page may miss.
            cursor: feed.cursor(at: reads.feedPosition),
            counts: try features.counts(reads, for: user, existing: existing))
    }

    /// Returns the layout of an error page. It does not use the database, which may be the problem.
    func errorLayout(for user: User, _ request: Request) -> LayoutView {
        frame(
            for: user, request, currentEntry: nil, scope: .reader, notice: nil, cursor: feed.cursor,
            counts: features.lastCounts(for: user))
    }

    private func frame(
        for user: User, _ request: Request, currentEntry: String?, scope: FormToken.Scope,
        notice: NoticeView?, cursor: String, counts: [String: Int]
    ) -> LayoutView {
        LayoutView(
            assets: assets.address, version: assets.version, cursor: cursor, now: clock.now(),
            path: request.path, theme: request.theme,
            formToken: visitors.formToken(for: request, scope: scope),
            person: person(user),
            navigation: NavigationItem.all(
                features.navigationEntries, current: currentEntry, counts: counts),
            settingsTabs: features.settingsTabs,
            notice: notice ?? flash.notice(of: request, for: user.userId),
            warning: user.role == .owner ? health.warning : nil)
    }

    /// Returns the formats of this visitor. Without a choice of their own, the time zone is that of their browser.
    func formats(of visitor: Visitor, _ request: Request) -> Formats {
        guard let user = visitor.user else { return .standard }
        return Formats(
            identity.accounts.formats(of: user.userId), browserZone: request.cookies[Request.zoneCookie])
    }

    package func link(to path: String, for request: Request) -> SharedLink {
        links.link(to: path, for: visitors.caller(of: request))
    }

    /// Returns a page as a response. With `hasForms`, its policy allows forms that post to Roost.
    package func html(_ page: some WholePage, status: Int = 200, hasForms: Bool = true) -> Response {
        var response = Response.html(bytes(of: page), status: status)
        if hasForms { response[RequestFilter.policyHeader] = RequestFilter.policyWithForms }
        // Not even the Back button may show a stored page: after a sign-out, the next person could see it.
        response["Cache-Control"] = "no-store"
        return response
    }

    /// Returns a page that is read from one moment, as a response.
    package func html<Page: WholePage>(_ page: (Reads) throws -> Page) async throws -> Response {
        html(try await database.read(page))
    }

    /// Returns the bytes of a page, with preload links for the modules of its scripts.
    package func bytes<Page: WholePage>(of page: Page) -> [UInt8] {
        var context = page.context
        context.modules = assets.imports.modules(of: Page.layoutScripts + Page.scripts)
        return page.html(in: context, capacity: page.expectedBytes)
    }

    /// Returns a page that may be cached unless it shows a notice.
    package func rendered(_ page: some PageView) -> RenderedPage {
        RenderedPage(response: html(page), isRepeatable: page.layout.notice == nil)
    }

    /// Returns a part of a page. Its ETag depends on the data, not the bytes, so that a growing age is not a change.
    package func fragment<View: HTMLView>(
        _ view: View, version: String, scope: FormToken.Scope = .reader, for request: Request
    ) -> Response where View.Context == TemplateContext {
        var response = Response.html(view.html(in: templateContext(for: request, scope: scope)))
        response["Cache-Control"] = "private, no-cache"
        // A new session's forms need its own token: an older copy in the browser has one that is refused.
        response.etag = "W/\"\(version)\(visitors.formTag(for: request))\""
        return response
    }

    func templateContext(for request: Request, scope: FormToken.Scope = .reader) -> TemplateContext {
        TemplateContext(
            assets: assets.address, formToken: visitors.formToken(for: request, scope: scope))
    }

    package var routes: [SiteRoute] {
        let guarded = RouteGuard(site: self)
        let description = OpenAPIController(site: self)
        let routes =
            features.routes(guarded) + SearchController(site: self).routes(guarded)
            + ChangesController(site: self).routes(guarded) + HealthController(site: self).routes(guarded)
            + ManifestController(site: self).routes(guarded)
            + description.routes(guarded) + guarded.files(assets.files)
        description.describe(routes)
        return EditConditions(site: self).applied(to: routes)
    }

    /// "TOPICSVERSION-ASSETS-USER", and the reader's formats. Includes the user, because the topics of two users may have
    /// the same version.
    package func tag(of topics: [String], for user: User? = nil) -> String {
        let owner = user.map { "-\($0.userId)" } ?? ""
        return
            "\(feed.versionName(of: topics))-\(assets.files.version.prefix(8))\(owner)\(Formats.current.tag)"
    }
}
