package import Accounts
import Foundation
package import HTMLTemplates
package import HTTPServer
package import RoostSupport

package struct SiteRoute: Sendable {
    package let audience: Audience
    /// The kind of form token that a browser's write needs, or nil if it needs none.
    package let scope: FormToken.Scope?
    /// The area of tokens that the route belongs to.
    package let tokenArea: TokenArea?
    /// What a token must be allowed to do.
    package var tokenAccess: APIToken.Access { isAct ? .act : .needed(for: method) }
    private let isAct: Bool
    /// True if the route itself compares `If-Match` with the version that it changes.
    let checksVersion: Bool
    /// Makes the answer of a route that is read from one moment; nil for other routes.
    fileprivate(set) var reading: RouteGuard.Reading<User>?
    /// What a route of the API takes in its query, and the rest of its description.
    fileprivate(set) var query: [APIParameter] = []
    fileprivate(set) var api = APIOperation.undescribed
    package let route: Route

    package var method: HTTPServer.Method { route.method }
    package var pattern: String { route.pattern }

    /// Only `RouteGuard` makes routes, so none goes unchecked.
    fileprivate init(
        _ audience: Audience, scope: FormToken.Scope? = nil, area: TokenArea? = nil,
        isAct: Bool = false, checksVersion: Bool = false, _ route: Route
    ) {
        self.audience = audience
        self.scope = scope
        tokenArea = area
        self.isAct = isAct
        self.checksVersion = checksVersion
        self.route = route
    }
}

extension SiteRoute {
    /// The same route with another handler, which must call the route's own.
    func handled(by handler: @escaping Route.AsyncHandler) -> SiteRoute {
        var other = SiteRoute(
            audience, scope: scope, area: tokenArea, isAct: isAct, checksVersion: checksVersion,
            route.handled(by: handler))
        other.reading = reading
        return other.described(api, query: query)
    }

    fileprivate func described(_ api: APIOperation, query: [APIParameter] = []) -> SiteRoute {
        var other = self
        (other.query, other.api) = (query, api)
        return other
    }
}

/// Makes routes whose handlers get the visitor. Only this type checks audiences.
package struct RouteGuard: Sendable {
    package typealias Handling = @Sendable (Request, User) async throws -> HandlerResult
    package typealias PersonHandling = @Sendable (Request, Person) async throws -> HandlerResult
    /// Makes an answer of what it reads, all from one moment.
    package typealias Reading<Reader> = @Sendable (Reads, Request, Reader) throws -> HandlerResult

    package static let bodyLimit = 65_536
    /// Fits a form with the longest password, every byte percent-encoded, and little more.
    private static let anonymousBodyLimit = 16_384

    package let site: WebContext
    private let cache = ResponseCache()
    private var tokenArea: TokenArea?
    private var isAct = false
    /// True for polls, which check each topic's area.
    private var isForAllTokens = false

    init(site: WebContext) { self.site = site }

    /// Makes routes that belong to this area of tokens.
    func limited(to area: TokenArea?) -> RouteGuard {
        var other = self
        other.tokenArea = area
        return other
    }

    /// Makes routes that act on another server in the user's name. Tokens need the area's scope for that.
    package var acting: RouteGuard {
        var other = self
        other.isAct = true
        return other
    }

    package func everyone(
        _ method: HTTPServer.Method, _ pattern: String, scope: FormToken.Scope? = nil,
        api: APIOperation = .undescribed,
        _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        let accepted = Self.query([], of: pattern)
        return route(
            .everyone, scope, method, pattern, bodyLimit: method.isSafe ? 0 : Self.anonymousBodyLimit,
            .async { request in
                if let accepted { try request.query.refuse(allBut: accepted) }
                return try await handle(request)
            }
        ).described(api)
    }

    /// Returns the parameters that a route of the API accepts; nil for pages, which ignore unknown ones.
    private static func query(_ parameters: [APIParameter], of pattern: String) -> [String]? {
        pattern.hasPrefix("/api/") ? parameters.map(\.name) : nil
    }

    package func files(_ files: StaticFiles) -> [SiteRoute] { files.routes.map { SiteRoute(.everyone, $0) } }

    /// A form that is open to everyone. Its token must be made for this browser.
    package func form(
        _ pattern: String, _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        everyone(.post, pattern, scope: .account) { request in
            try site.visitors.refuseForgery(request, site.visitors.visitor(of: request), scope: .account)
            return try await handle(request)
        }
    }

    /// A route for a secret link. The handler checks the link.
    package func link(_ method: HTTPServer.Method, _ pattern: String, _ handler: Handler) -> SiteRoute {
        route(
            .link, nil, method, pattern, bodyLimit: method.isSafe ? 0 : Self.anonymousBodyLimit, handler)
    }

    /// A route of the JSON API, a form or a fragment, for users.
    ///
    /// - Parameters:
    ///   - query: the parameters that a route of the API takes; pages ignore unknown ones
    ///   - checksVersion: whether the handler compares `If-Match` itself, to answer with both versions
    ///   - api: what a route of the API takes and answers
    package func member(
        _ method: HTTPServer.Method, _ pattern: String, query: [APIParameter] = [],
        scope: FormToken.Scope = .reader, bodyLimit: Int = bodyLimit, checksVersion: Bool = false,
        api: APIOperation = .undescribed,
        _ handle: @escaping Handling
    ) -> SiteRoute {
        let accepted = Self.query(query, of: pattern)
        return route(
            .member, scope, method, pattern, bodyLimit: bodyLimit, checksVersion: checksVersion,
            .async { request in
                var request = request
                let user = try user(of: &request, for: .member, scope)
                guard let accepted else { return try await handle(request, user) }
                try request.query.refuse(allBut: accepted)
                guard method == .post else { return try await handle(request, user) }
                return try await site.repeated.answer(request, user, without: api.secret, handle)
            }
        ).described(api, query: query)
    }

    /// A route of the JSON API or a page for users, whose answer is read from one moment.
    package func member(
        _ method: HTTPServer.Method, _ pattern: String, query: [APIParameter] = [],
        api: APIOperation = .undescribed, _ answer: @escaping Reading<User>
    ) -> SiteRoute {
        var made = member(method, pattern, query: query, api: api, reading(answer))
        made.reading = answer
        return made
    }

    /// A part of a page for users, read from one moment. Its ETag is the version of its topics.
    ///
    /// - Parameter variant: what else of the request the part depends on, for the ETag
    package func fragment<View: HTMLView & SendableMetatype>(
        _ pattern: String, topics: @escaping @Sendable (Request, User) -> [String],
        variant: @escaping @Sendable (Request) -> String = { _ in "" },
        _ read: @escaping @Sendable (Reads, Request, User) throws -> View
    ) -> SiteRoute where View.Context == TemplateContext {
        member(.get, pattern) { request, user in
            let version = site.tag(of: topics(request, user), for: user) + variant(request)
            let view = try await site.database.read { try read($0, request, user) }
            return .response(site.fragment(view, version: version, for: request))
        }
    }

    /// A count of the navigation; empty for zero.
    func count(_ count: NavigationEntry.Count) -> SiteRoute {
        member(.get, count.address) { request, user in
            let tag = site.tag(of: site.features.topics(named: count.topic, for: user) ?? [], for: user)
            let waiting = try await site.database.read { try count.waiting($0, user) }
            var response = Response.html(waiting > 0 ? "\(waiting)" : "")
            response["Cache-Control"] = "private, no-cache"
            response.etag = "W/\"\(tag)-\(waiting)\""
            return .response(response)
        }
    }

    /// A cached page for users. Everything that it shows is read in `read`, from one moment.
    ///
    /// - Parameters:
    ///   - topics: of everything that the page shows; those of the layout are added
    ///   - refresh: called for each request, cached or not, to refresh what is on screen from upstreams
    package func page<View: PageView & SendableMetatype>(
        _ pattern: String, topics: @escaping @Sendable (Request, User) -> [String],
        refresh: @escaping @Sendable (User) -> Void = { _ in },
        _ read: @escaping @Sendable (Reads, Request, User) throws -> View
    ) -> SiteRoute {
        page(pattern, topics: topics, refresh: refresh) { request, user in
            site.rendered(try await site.database.read { try read($0, request, user) })
        }
    }

    /// A cached page for users that may take long to render, or a file or redirect in place of a page.
    package func page(
        _ pattern: String, topics: @escaping @Sendable (Request, User) -> [String],
        refresh: @escaping @Sendable (User) -> Void = { _ in },
        _ handle: @escaping @Sendable (Request, User) async throws -> RenderedPage
    ) -> SiteRoute {
        route(
            .member, .reader, .get, pattern,
            .async { request in
                var request = request
                let visitor = try admit(&request, for: .member, .reader)
                guard let user = visitor.user else { throw Self.notSignedIn }
                refresh(user)
                let stamp = stamp(topics(request, user) + site.features.frameTopics(for: user))
                return try await answer(key(request, reader: visitor.reader, user), stamp) {
                    try await handle(request, user)
                }
            })
    }

    package func linkedPage(_ pattern: String, _ page: some LinkedPage) -> SiteRoute {
        route(
            page.audience, nil, .get, pattern, bodyLimit: 0,
            .async { request in
                guard let content = try await page.content(for: request) else {
                    return try await page.refuse(request)
                }
                page.refresh(content, for: request)
                let key = key(request, reader: page.settings(of: content), part: page.part)
                return try await answer(key, stamp(page.topics(of: content))) {
                    try await site.database.read { try page.render($0, content, for: request) }
                }
            })
    }

    private func stamp(_ topics: [String]) -> ResponseCache.Stamp {
        ResponseCache.Stamp(
            version: site.feed.version(of: topics),
            second: Int(site.clock.now().timeIntervalSince1970.rounded(.down)))
    }

    private func answer(
        _ key: ResponseCache.Key, _ stamp: ResponseCache.Stamp, _ render: () async throws -> RenderedPage
    ) async throws -> HandlerResult {
        if let page = cache.page(key, stamp) { return .prepared(page) }
        let page = try await render()
        let setsCookie = page.response.headers.contains { $0.0.lowercased() == "set-cookie" }
        guard page.isRepeatable, page.response.status == 200, !setsCookie else { return page.answer }
        return .prepared(cache.store(page.response, key, stamp))
    }

    private func key(
        _ request: Request, reader: String, _ user: User? = nil, part: String? = nil
    ) -> ResponseCache.Key {
        ResponseCache.Key(
            reader: reader, user: user, host: request.headers["Host"] ?? "", target: part ?? request.target,
            theme: request.theme, formats: .current, hidesFirstSteps: request.hidesFirstSteps)
    }

    package func person(
        _ method: HTTPServer.Method, _ pattern: String, scope: FormToken.Scope = .account,
        bodyLimit: Int = bodyLimit, api: APIOperation = .undescribed, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        guarded(.person, scope, method, pattern, [], bodyLimit, handle).described(api)
    }

    package func person(
        _ method: HTTPServer.Method, _ pattern: String, _ answer: @escaping Reading<Person>
    ) -> SiteRoute { person(method, pattern, reading(answer)) }

    package func owner(
        _ method: HTTPServer.Method, _ pattern: String, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        guarded(.owner, .owner, method, pattern, [], Self.bodyLimit, handle)
    }

    package func owner(
        _ method: HTTPServer.Method, _ pattern: String, _ answer: @escaping Reading<Person>
    ) -> SiteRoute { owner(method, pattern, reading(answer)) }

    /// A route of the JSON API for owners, in a browser or with a token.
    package func ownerOrToken(
        _ method: HTTPServer.Method, _ pattern: String, query: [APIParameter] = [], api: APIOperation,
        _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        guarded(.ownerOrToken, .owner, method, pattern, query, Self.bodyLimit) { request, owner in
            guard method == .post else { return try await handle(request, owner) }
            return try await site.repeated.answer(request, owner.user) { request, _ in
                try await handle(request, owner)
            }
        }.described(api, query: query)
    }

    package func ownerOrToken(
        _ method: HTTPServer.Method, _ pattern: String, query: [APIParameter] = [], api: APIOperation,
        _ answer: @escaping Reading<Person>
    ) -> SiteRoute { ownerOrToken(method, pattern, query: query, api: api, reading(answer)) }

    private func reading<Reader: Sendable>(
        _ answer: @escaping Reading<Reader>
    ) -> @Sendable (Request, Reader) async throws -> HandlerResult {
        { request, reader in try await site.database.read { try answer($0, request, reader) } }
    }

    /// - Parameter allowsMetricsTokens: whether tokens with the scope `metrics` may use it too
    package func monitor(
        _ pattern: String, allowsMetricsTokens: Bool = true, api: APIOperation = .undescribed,
        _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        let accepted = Self.query([], of: pattern)
        return route(
            .monitor, nil, .get, pattern,
            .async { request in
                var request = request
                if case .metrics = try admit(&request, for: .monitor, .reader), !allowsMetricsTokens {
                    throw Self.metricsOnly
                }
                if let accepted { try request.query.refuse(allBut: accepted) }
                return try await handle(request)
            }
        ).described(api)
    }

    /// - Parameter query: all that the route takes in its query, if it is one of the API
    package func poll(
        _ pattern: String, query: [APIParameter], api: APIOperation = .undescribed,
        _ handle: @escaping @Sendable (Request, Visitor, Responder) throws -> Void
    ) -> SiteRoute {
        let accepted = Self.query(query, of: pattern)
        var open = self
        open.isForAllTokens = true
        return route(
            .member, nil, .get, pattern,
            .deferred { [open] request, responder in
                var request = request
                do {
                    let visitor = try open.admit(&request, for: .member, .reader)
                    if let accepted { try request.query.refuse(allBut: accepted) }
                    try handle(request, visitor, responder)
                } catch {
                    responder.respond(site.answer(Failure(error), to: request))
                }
            }
        ).described(api, query: query)
    }

    private func guarded(
        _ audience: Audience, _ scope: FormToken.Scope, _ method: HTTPServer.Method, _ pattern: String,
        _ query: [APIParameter], _ bodyLimit: Int, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        let accepted = Self.query(query, of: pattern)
        return route(
            audience, scope, method, pattern, bodyLimit: bodyLimit,
            .async { request in
                var request = request
                let visitor = try admit(&request, for: audience, scope)
                guard let user = visitor.user else { throw Self.notSignedIn }
                if let accepted { try request.query.refuse(allBut: accepted) }
                var found: (session: Session, secret: String)?
                if case .session(let session, _, let secret) = visitor { found = (session, secret) }
                return try await handle(
                    request,
                    Person(
                        user: user, session: found?.session, secret: found?.secret,
                        origin: site.visitors.origin(of: request)))
            })
    }

    /// Makes every route except those of static files. The body of a request that is not allowed is never read.
    private func route(
        _ audience: Audience, _ scope: FormToken.Scope?, _ method: HTTPServer.Method, _ pattern: String,
        bodyLimit: Int = bodyLimit, checksVersion: Bool = false, _ handler: Handler
    ) -> SiteRoute {
        let admission = BodyAdmission { try check($0, for: audience) }
        return SiteRoute(
            audience, scope: scope, area: tokenArea, isAct: isAct, checksVersion: checksVersion,
            Route(
                method, pattern, bodyLimit: bodyLimit, admission: admission,
                checked(
                    handler, mayDownload: method.isSafe && audience != .everyone && audience != .link,
                    isFormatted: audience != .everyone && audience != .link && !pattern.hasPrefix("/api/"))))
    }

    /// Turns errors into a page with the navigation's counts.
    ///
    /// - Parameters:
    ///   - mayDownload: whether the answer may be a user's file
    ///   - isFormatted: whether the answer, and that to an error, is in the user's formats
    private func checked(_ handler: Handler, mayDownload: Bool, isFormatted: Bool) -> Handler {
        guard case .async(let handle) = handler else { return handler }
        let checked = checked(handle, mayDownload: mayDownload)
        guard isFormatted else { return .async(checked) }
        return .async { request in
            var request = request
            let visitor = site.visitors.visitor(of: request)
            request.context = visitor
            let formats = site.formats(of: visitor, request)
            guard formats != .standard else { return try await checked(request) }
            return try await formats.use { [request] in try await checked(request) }
        }
    }

    private func checked(
        _ handle: @escaping @Sendable (Request) async throws -> HandlerResult, mayDownload: Bool
    ) -> @Sendable (Request) async throws -> HandlerResult {
        { request in
            do {
                let answer = try await handle(request)
                if mayDownload { try refuseLinkedDownload(answer, to: request) }
                return answer
            } catch  where error is RoostError || error is any ShownError {
                return .response(await site.answerWithCounts(Failure(error), to: request))
            }
        }
    }

    /// Throws `RoostError.notAllowed` for a user's file that another site links to.
    ///
    /// A download does not navigate the window, so the site that opened it could detect whether someone is signed in.
    private func refuseLinkedDownload(_ answer: HandlerResult, to request: Request) throws {
        guard case .response(let response) = answer,
            response["Content-Disposition"]?.hasPrefix("attachment") == true,
            let source = request.headers["Sec-Fetch-Site"], source != "same-origin", source != "none"
        else { return }
        throw RoostError.notAllowed("Another web site linked to this file. Open Roost and download it there.")
    }

    /// Throws if the request is rejected. Runs before its body is read.
    private func check(_ request: Request, for audience: Audience) throws {
        switch audience {
        case .everyone, .link: try site.visitors.refuseCrossSite(request)
        case .member, .person, .owner, .ownerOrToken, .monitor: _ = try visitor(of: request, for: audience)
        }
    }

    private func user(
        of request: inout Request, for audience: Audience, _ scope: FormToken.Scope
    ) throws -> User {
        guard let user = try admit(&request, for: audience, scope).user else { throw Self.notSignedIn }
        return user
    }

    /// Checks the visitor again after the body, and keeps it with the request: a session can end during an upload.
    private func admit(
        _ request: inout Request, for audience: Audience, _ scope: FormToken.Scope
    ) throws -> Visitor {
        let visitor = try visitor(of: request, for: audience)
        request.context = visitor
        try site.visitors.refuseForgery(request, visitor, scope: scope)
        return visitor
    }

    /// Checks only the headers, because a form's token may be in the body.
    private func visitor(of request: Request, for audience: Audience) throws -> Visitor {
        let visitor = site.visitors.visitor(of: request)
        if audience == .monitor, visitor.mayMonitor { return visitor }
        if case .metrics = visitor {
            throw audience == .monitor ? RoostError.notAllowed("Only owners can do this.") : Self.metricsOnly
        }
        guard let user = visitor.user else { throw Self.notSignedIn }
        if case .bearer(_, let token) = visitor { try check(token, for: request) }
        let isToken = visitor.isBearer
        switch audience {
        case .everyone, .link, .member: break
        case .person where isToken, .owner where isToken:
            throw RoostError.notAllowed("Tokens can’t manage accounts. Sign in with a browser.")
        case .owner where user.role != .owner, .ownerOrToken where user.role != .owner, .monitor:
            throw RoostError.notAllowed("Only owners can do this.")
        case .person, .owner, .ownerOrToken: break
        }
        try site.visitors.refuseCrossSite(request, visitor)
        return visitor
    }

    /// Throws `RoostError.notAllowed`, which names the scope that the token lacks.
    private func check(_ token: APIToken, for request: Request) throws {
        let access = isAct ? .act : APIToken.Access.needed(for: request.method)
        guard !isForAllTokens, !token.allows(access, in: tokenArea?.key) else { return }
        throw RoostError.notAllowed(Self.missingScope(access, in: tokenArea))
    }

    static func missingScope(_ access: APIToken.Access, in area: TokenArea?) -> String {
        let own = area.map { "“\($0.key):\(access.rawValue)”" }
        let all = [access == .act ? nil : "“\(access.rawValue)”", own].compactMap(\.self)
        return "This token lacks the scope \(all.joined(separator: " or "))."
    }

    private static let metricsOnly = RoostError.notAllowed(
        "This token can only read /metrics and /healthz.")
    private static let notSignedIn = RoostError.unknownVisitor("Only users of this Roost can see this.")
}

extension Query {
    fileprivate func refuse(allBut names: [String]) throws {
        // Compares bytes, because comparing a name of many accents as a String takes long.
        if let name = pairs.map(\.name).first(where: { name in
            !names.contains { $0.utf8.elementsEqual(name.utf8) }
        }) {
            throw RoostError.invalid(field: name, why: "“\(name)” isn’t a parameter of this address.")
        }
    }
}

extension APIToken.Access {
    fileprivate static func needed(for method: HTTPServer.Method) -> APIToken.Access {
        method.isSafe ? .read : .write
    }
}

extension HTTPServer.Method {
    /// True if the method changes nothing (RFC 9110, section 9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}
