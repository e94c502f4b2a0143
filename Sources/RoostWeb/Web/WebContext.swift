import Accounts
import Foundation
import HTMLTemplates
import HTTPServer
import Logging
import RoostServices
import RoostSupport

/// What every page and every API route works with.
package struct WebContext: Sendable {
    /// Folders, addresses and the version of the program.
    package struct Configuration: Sendable {
        var publicFolder: String
        /// The program's version; pages offer to reload when it changes.
        var version: String
        /// Where the server listens; links for other machines are made of it.
        var listen = "127.0.0.1:0"
        /// The public address, behind a reverse proxy or with a name of its own.
        package var publicURL: PublicURL?
        /// Proxies whose forwarding headers are believed.
        package var trustedProxies: [AddressRange] = []
        /// The server itself speaks TLS.
        var isTLS = false
        /// Anybody on this machine is the first owner: for the demo only.
        package var opensToThisMachine = false

        package init(publicFolder: String, version: String) {
            self.publicFolder = publicFolder
            self.version = version
        }
    }

    let services: Services
    let features: [any Feature]
    let places: [NavigationPlace]
    let settingsTabs: [SettingsTab]
    let files: StaticFiles
    let imports: ScriptImports
    let assets: String
    let version: String
    /// Finds the client of a request, behind proxies or not.
    let forwarding: Forwarding
    let links: BaseURL
    let cache = ResponseCache()
    let filter: RequestFilter
    let opensToThisMachine: Bool
    /// As long as what was done can be undone.
    let flash = FlashStore<NoticeView>(lifetime: .seconds(3_600))
    let newSecrets = FlashStore<NewSecret>(lifetime: .seconds(300))
    let metrics = Metrics()
    let log: Logger

    /// Throws if the static files cannot be read.
    init(
        _ configuration: Configuration, services: Services, features: [any Feature], log: Logger
    ) throws {
        self.services = services
        self.features = features
        places = features.flatMap(\.places)
        settingsTabs = features.flatMap(\.settingsTabs)
        self.log = log
        forwarding = Forwarding(trusted: configuration.trustedProxies, publicURL: configuration.publicURL)
        filter = RequestFilter(forwarding: forwarding, publicURL: configuration.publicURL)
        opensToThisMachine = configuration.opensToThisMachine
        links = BaseURL(publicURL: configuration.publicURL, isTLS: configuration.isTLS)
        var imports = ScriptImports()
        files = try StaticFiles(directory: configuration.publicFolder) { name, content in
            guard name.hasSuffix(".js") else { return content }
            if ClassicScript.names.contains(name) {
                let script = try ClassicScript.joined(name, in: configuration.publicFolder)
                return Array(CommentStripper.slim(script).utf8)
            }
            let script = String(decoding: content, as: UTF8.self)
            imports.read(name, script)
            return Array(CommentStripper.slim(script).utf8)
        }
        self.imports = imports
        assets = "/static/" + files.version
        version = configuration.version + "-" + files.version
    }

    /// The layout of a page for this user. Throws what the database throws.
    ///
    /// - Parameters:
    ///   - scope: the kind of action that the page's own forms do
    ///   - cursor: the feed's before the page's data was read; nil: none was read yet
    ///   - counts: what waits at places, by their addresses, where the page has read that already
    func layout(
        for user: User, _ request: Request, place: String?, scope: FormToken.Scope = .reader,
        notice: NoticeView? = nil, cursor: String? = nil, counts known: [String: Int] = [:]
    ) async throws -> LayoutView {
        // Taken before the figures are read: what changes meanwhile is heard of.
        let cursor = cursor ?? services.feed.cursor
        var counts = known
        for place in places where counts[place.address] == nil {
            counts[place.address] = try await place.count?.waiting(services, user)
        }
        return frame(
            for: user, request, place: place, scope: scope, notice: notice, cursor: cursor, counts: counts)
    }

    /// The frame of an error's page: it does not wait for the disk, which may be the trouble.
    func errorLayout(for user: User, _ request: Request) -> LayoutView {
        let counts = places.reduce(into: [:]) { counts, place in
            counts[place.address] = place.count?.lastWaiting(services, user)
        }
        return frame(
            for: user, request, place: nil, scope: .reader, notice: nil, cursor: services.feed.cursor,
            counts: counts)
    }

    private func frame(
        for user: User, _ request: Request, place: String?, scope: FormToken.Scope, notice: NoticeView?,
        cursor: String, counts: [String: Int]
    ) -> LayoutView {
        LayoutView(
            assets: assets, version: version, cursor: cursor, now: services.clock.now(),
            path: request.path, theme: request.theme, formToken: formToken(for: request, scope: scope),
            person: person(user),
            navigation: NavigationItem.all(places, current: place, counts: counts),
            settingsTabs: settingsTabs,
            notice: notice ?? flash.notice(of: request, for: user.userId),
            warning: user.role == .owner && services.health.isDamaged ? RoostError.damagedDatabase : nil)
    }

    /// A link for somebody else.
    func link(to path: String, for request: Request) -> SharedLink {
        links.link(to: path, for: forwarding.caller(of: request))
    }

    /// A page as a response; with `hasForms`, its policy allows forms to be sent to Roost.
    func html(_ page: some WholePage, status: Int = 200, hasForms: Bool = true) -> Response {
        var response = Response.html(bytes(of: page), status: status)
        if hasForms { response[RequestFilter.policyHeader] = RequestFilter.policyWithForms }
        // Not even for the button "Back": the next person at the browser would see it after a sign-out.
        response["Cache-Control"] = "no-store"
        return response
    }

    /// The bytes of a page, with preload links for the modules of its scripts.
    func bytes(of page: some WholePage) -> [UInt8] {
        var bytes = page.html(in: page.context, capacity: page.expectedBytes)
        imports.preload(in: &bytes, assets: assets)
        return bytes
    }

    /// A page that may be cached unless it shows a notice.
    func rendered(_ page: some PageView, status: Int = 200) -> RenderedPage {
        RenderedPage(response: html(page, status: status), isRepeatable: page.layout.notice == nil)
    }

    /// A part of a page. Its ETag names the data, not the bytes, so that a growing age is no change.
    func fragment<View: HTMLView>(
        _ view: View, version: String, scope: FormToken.Scope = .reader, for request: Request
    ) -> Response where View.Context == TemplateContext {
        let context = TemplateContext(assets: assets, formToken: formToken(for: request, scope: scope))
        var response = Response.html(view.html(in: context))
        response["Cache-Control"] = "private, no-cache"
        response.etag = "W/\"\(version)\""
        return response
    }

    /// All routes of Roost, each with its audience.
    var routes: [SiteRoute] {
        let guarded = RouteGuard(site: self)
        return features.flatMap { $0.routes(guarded) } + ChangesController(site: self).routes(guarded)
            + HealthController(site: self).routes(guarded) + guarded.files(files)
    }

    /// The topics that pages call by this name; nil for one that this user may not watch.
    func topics(named name: String, for user: User) -> [String]? {
        features.lazy.compactMap { $0.topics(named: name, for: user) }.first
    }

    /// The topics that the layout of a page depends on.
    func frameTopics(for user: User) -> [String] {
        places.compactMap(\.count).flatMap { topics(named: $0.topic, for: user) ?? [] }
    }

    /// The validity of a page that shows these topics, now.
    func stamp(_ topics: [String]) -> ResponseCache.Stamp {
        ResponseCache.Stamp(
            version: services.feed.version(of: topics),
            second: Int(services.clock.now().timeIntervalSince1970.rounded(.down)))
    }

    /// "TOPICSVERSION-ASSETS-USER": with the user, since the topics of two users may have the same version.
    func tag(of topics: [String], for user: User? = nil) -> String {
        let owner = user.map { "-\($0.userId)" } ?? ""
        return "\(services.feed.versionName(of: topics))-\(files.version.prefix(8))\(owner)"
    }
}
