import Accounts
import Foundation
import HTTPServer
import RoostSupport

/// A route with who may use it.
struct SiteRoute: Sendable {
    let audience: Audience
    /// The kind of form that a write takes from a browser; nil where none is asked for.
    let scope: FormToken.Scope?
    let route: Route

    var method: HTTPServer.Method { route.method }
    var pattern: String { route.pattern }

    /// Made by `RouteGuard` alone, so that no route goes unchecked.
    fileprivate init(_ audience: Audience, scope: FormToken.Scope? = nil, _ route: Route) {
        self.audience = audience
        self.scope = scope
        self.route = route
    }
}

/// Makes routes that know who asks; the audience of each is checked here and nowhere else.
struct RouteGuard: Sendable {
    /// A handler that knows its visitor.
    typealias Handling = @Sendable (Request, User) async throws -> HandlerResult
    /// A handler that knows the visitor's session as well.
    typealias PersonHandling = @Sendable (Request, Person) async throws -> HandlerResult

    static let bodyLimit = 65_536
    /// A form with the longest password, every byte of it percent-encoded, and little more.
    private static let strangersLimit = 16_384

    let site: WebContext

    /// A route that is open to everyone.
    func everyone(
        _ method: HTTPServer.Method, _ pattern: String, scope: FormToken.Scope? = nil,
        _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        route(
            .everyone, scope, method, pattern, bodyLimit: method.isSafe ? 0 : Self.strangersLimit,
            .async(handle))
    }

    /// The static files, open to everyone.
    func files(_ files: StaticFiles) -> [SiteRoute] { files.routes.map { SiteRoute(.everyone, $0) } }

    /// A form that is open to everyone; its token must have been made for this browser.
    func form(
        _ pattern: String, _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        everyone(.post, pattern, scope: .account) { request in
            try site.refuseForgery(request, site.visitor(of: request), scope: .account)
            return try await handle(request)
        }
    }

    /// What a secret link opens: the handler looks at the link.
    func link(_ method: HTTPServer.Method, _ pattern: String, _ handler: Handler) -> SiteRoute {
        route(
            .link, nil, method, pattern, bodyLimit: method.isSafe ? 0 : Self.strangersLimit, handler)
    }

    /// A route of the JSON API, a form or a fragment, for users.
    func member(
        _ method: HTTPServer.Method, _ pattern: String, scope: FormToken.Scope = .reader,
        bodyLimit: Int = bodyLimit, _ handle: @escaping Handling
    ) -> SiteRoute {
        route(
            .member, scope, method, pattern, bodyLimit: bodyLimit,
            .async { try await handle($0, try user(of: $0, for: .member, scope)) })
    }

    /// A page for users, answered from the cache while it stays the same.
    ///
    /// - Parameters:
    ///   - topics: of all that the page shows; those of the layout are added
    ///   - want: called for each request, cached or not, so that upstreams are asked for what is on screen
    func page(
        _ pattern: String, topics: @escaping @Sendable (Request, User) -> [String],
        want: @escaping @Sendable (User) -> Void = { _ in },
        _ handle: @escaping @Sendable (Request, User) async throws -> RenderedPage
    ) -> SiteRoute {
        route(
            .member, .reader, .get, pattern,
            .async { request in
                let visitor = try admit(request, for: .member, .reader)
                guard let user = visitor.user else { throw Self.stranger }
                want(user)
                let stamp = site.stamp(topics(request, user) + site.frameTopics(for: user))
                return try await answer(key(request, reader: visitor.reader, user), stamp) {
                    try await handle(request, user)
                }
            })
    }

    /// A page, or a part of one, behind a secret link or cookie, answered from the cache while it stays the same.
    ///
    /// - Parameters:
    ///   - audience: everyone, where others are answered `otherwise`
    ///   - part: the name of a part that is the same at every address with these settings; nil for a page
    ///   - read: what the secret opens, as the disk has it; nil or an error if that is nothing
    ///   - want: called for each request, cached or not
    ///   - settings: of what the link opens, all that its page shows
    ///   - topics: of all that the page shows besides
    ///   - otherwise: answers where there is nothing to open
    func linkedPage<Holder: Sendable>(
        _ pattern: String, for audience: Audience = .link, part: String? = nil,
        read: @escaping @Sendable (Request) async throws -> Holder?,
        want: @escaping @Sendable (Request, Holder) -> Void,
        settings: @escaping @Sendable (Holder) -> String, topics: @escaping @Sendable (Holder) -> [String],
        otherwise: @escaping @Sendable (Request) async throws -> HandlerResult,
        _ handle: @escaping @Sendable (Request, Holder) async throws -> RenderedPage
    ) -> SiteRoute {
        route(
            audience, nil, .get, pattern, bodyLimit: 0,
            .async { request in
                guard let holder = try await read(request) else { return try await otherwise(request) }
                want(request, holder)
                let stamp = site.stamp(topics(holder))
                return try await answer(key(request, reader: settings(holder), part: part), stamp) {
                    try await handle(request, holder)
                }
            })
    }

    /// The page as it is stored, or rendered and stored if it may be.
    private func answer(
        _ key: ResponseCache.Key, _ stamp: ResponseCache.Stamp, _ render: () async throws -> RenderedPage
    ) async throws -> HandlerResult {
        if let page = site.cache.page(key, stamp) { return .prepared(page) }
        let page = try await render()
        let sets = page.response.headers.contains { $0.0.lowercased() == "set-cookie" }
        guard page.isRepeatable, page.response.status == 200, !sets else { return page.answer }
        return .prepared(site.cache.keep(page.response, key, stamp))
    }

    private func key(
        _ request: Request, reader: String, _ user: User? = nil, part: String? = nil
    ) -> ResponseCache.Key {
        ResponseCache.Key(
            reader: reader, user: user, host: request.headers["Host"] ?? "", target: part ?? request.target,
            theme: request.theme, hidesFirstSteps: request.hidesFirstSteps)
    }

    /// A page for users in a browser.
    func person(
        _ method: HTTPServer.Method, _ pattern: String, scope: FormToken.Scope = .account,
        bodyLimit: Int = bodyLimit, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        guarded(.person, scope, method, pattern, bodyLimit, handle)
    }

    /// A page for owners in a browser.
    func owner(
        _ method: HTTPServer.Method, _ pattern: String, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        guarded(.owner, .owner, method, pattern, Self.bodyLimit, handle)
    }

    /// A route for monitoring, for owners and their programs.
    func monitor(
        _ pattern: String, _ handle: @escaping @Sendable (Request) async throws -> HandlerResult
    ) -> SiteRoute {
        route(
            .monitor, nil, .get, pattern,
            .async { request in
                _ = try admit(request, for: .monitor, .reader)
                return try await handle(request)
            })
    }

    /// A long poll.
    func poll(
        _ pattern: String, _ handle: @escaping @Sendable (Request, Visitor, Responder) throws -> Void
    ) -> SiteRoute {
        route(
            .member, nil, .get, pattern,
            .deferred { request, responder in
                do {
                    try handle(request, try admit(request, for: .member, .reader), responder)
                } catch {
                    responder.respond(site.answer(Failure(error), to: request))
                }
            })
    }

    private func guarded(
        _ audience: Audience, _ scope: FormToken.Scope, _ method: HTTPServer.Method, _ pattern: String,
        _ bodyLimit: Int, _ handle: @escaping PersonHandling
    ) -> SiteRoute {
        route(
            audience, scope, method, pattern, bodyLimit: bodyLimit,
            .async { request in
                let visitor = try admit(request, for: audience, scope)
                guard let user = visitor.user else { throw Self.stranger }
                var found: (session: Session, secret: String)?
                if case .session(let session, _, let secret) = visitor { found = (session, secret) }
                return try await handle(
                    request,
                    Person(
                        user: user, session: found?.session, secret: found?.secret,
                        origin: site.origin(of: request)))
            })
    }

    /// Makes every route except those of files; the body of a request that is not allowed is never read. What changes nothing reads
    /// all that it shows together.
    private func route(
        _ audience: Audience, _ scope: FormToken.Scope?, _ method: HTTPServer.Method, _ pattern: String,
        bodyLimit: Int = bodyLimit, _ handler: Handler
    ) -> SiteRoute {
        let admission = BodyAdmission { try check($0, for: audience) }
        return SiteRoute(
            audience, scope: scope,
            Route(
                method, pattern, bodyLimit: bodyLimit, admission: admission,
                withErrorPages(method.isSafe ? readingTogether(handler, for: audience) : handler)))
    }

    /// Shows what a handler throws in words, as a page with the navigation's counts.
    private func withErrorPages(_ handler: Handler) -> Handler {
        guard case .async(let handle) = handler else { return handler }
        return .async { request in
            do { return try await handle(request) } catch
                where error is RoostError || error is any ShownError
            {
                return .response(await site.answerWithCounts(Failure(error), to: request))
            }
        }
    }

    private func readingTogether(_ handler: Handler, for audience: Audience) -> Handler {
        guard case .async(let handle) = handler else { return handler }
        let reads = site.services.reads
        return .async { request in
            let answer = try await reads.sharing { try await handle(request) }
            if audience != .everyone, audience != .link { try refuseLinkedDownload(answer, to: request) }
            return answer
        }
    }

    /// Throws `RoostError.notAllowed` for a user's file to which another site has led.
    ///
    /// A window does not navigate for a download: the site that opened it could tell from that whether someone is
    /// signed in.
    private func refuseLinkedDownload(_ answer: HandlerResult, to request: Request) throws {
        guard case .response(let response) = answer,
            response["Content-Disposition"]?.hasPrefix("attachment") == true,
            let source = request.headers["Sec-Fetch-Site"], source != "same-origin", source != "none"
        else { return }
        throw RoostError.notAllowed("Another web site led here. Open Roost, and download the file there.")
    }

    /// Throws if the request is refused, before its body is read.
    private func check(_ request: Request, for audience: Audience) throws {
        switch audience {
        case .everyone, .link: try site.refuseCrossSite(request)
        case .member, .person, .owner, .monitor: _ = try visitor(of: request, for: audience)
        }
    }

    private func user(
        of request: Request, for audience: Audience, _ scope: FormToken.Scope
    ) throws -> User {
        guard let user = try admit(request, for: audience, scope).user else { throw Self.stranger }
        return user
    }

    /// The visitor; throws if the request is refused.
    private func admit(
        _ request: Request, for audience: Audience, _ scope: FormToken.Scope
    ) throws -> Visitor {
        let visitor = try visitor(of: request, for: audience)
        try site.refuseForgery(request, visitor, scope: scope)
        return visitor
    }

    /// Checks the headers alone: a form's token may be in the body.
    private func visitor(of request: Request, for audience: Audience) throws -> Visitor {
        let visitor = site.visitor(of: request)
        if audience == .monitor, visitor.mayMonitor { return visitor }
        if case .metrics = visitor {
            throw RoostError.notAllowed(
                audience == .monitor
                    ? "Only an owner may do this." : "This token reads /metrics and /healthz only.")
        }
        guard let user = visitor.user else { throw Self.stranger }
        guard request.method.isSafe || visitor.mayWrite else {
            throw RoostError.notAllowed("This token may read, but not change anything.")
        }
        let isToken = visitor.isBearer
        switch audience {
        case .everyone, .link, .member: break
        case .person where isToken, .owner where isToken:
            throw RoostError.notAllowed("Tokens do not look after accounts: sign in with a browser.")
        case .owner where user.role != .owner, .monitor:
            throw RoostError.notAllowed("Only an owner may do this.")
        case .person, .owner: break
        }
        try site.refuseCrossSite(request, visitor)
        return visitor
    }

    private static let stranger = RoostError.unknownVisitor("Only a user of this Roost may see this.")
}

extension HTTPServer.Method {
    /// RFC 9110, section 9.2.1: changes nothing.
    var isSafe: Bool { self == .get || self == .head || self == .options }
}
