package import Accounts
package import HTTPServer
package import RoostSupport
package import TextFormats

/// Finds out who sends a request, and refuses what another site made their browser send.
package struct Visitors: Sendable {
    package let filter: RequestFilter
    private let identity: AccountServices
    /// Treats anyone on this machine as the first owner.
    private let opensToThisMachine: Bool

    init(_ identity: AccountServices, _ configuration: WebContext.Configuration) {
        self.identity = identity
        filter = RequestFilter(
            forwarding: Forwarding(
                trusted: configuration.trustedProxies, publicURL: configuration.publicURL,
                hostNames: configuration.hostNames),
            publicURL: configuration.publicURL)
        opensToThisMachine = configuration.opensToThisMachine
    }

    package func caller(of request: Request) -> ClientAddress { filter.forwarding.caller(of: request) }

    /// True for a host name at which this Roost can be reached.
    package func isOwnHost(_ host: String) -> Bool { filter.forwarding.isRebindingSafe(host) }

    package func isTrustedProxy(_ peer: IPAddress) -> Bool { filter.forwarding.isTrusted(peer) }

    /// Returns the visitor without waiting for the database.
    ///
    /// A request that was admitted has its visitor already.
    package func visitor(of request: Request) -> Visitor {
        if let visitor = request.context as? Visitor { return visitor }
        if let token = request.bearerToken {
            guard let (user, token) = identity.tokens.bearer(of: token) else { return .anonymous }
            return token.scope == .metrics ? .metrics(user) : .bearer(user, token)
        }
        let caller = caller(of: request)
        if let secret = request.cookies[SiteCookie.session.name(isSecure: caller.isSecure)],
            let (session, user) = identity.sessions.find(secret: secret, from: caller.address)
        {
            return .session(session, user, secret: secret)
        }
        if opensToThisMachine, caller.isOnThisMachine, let user = identity.accounts.firstOwner {
            return .local(user)
        }
        return .anonymous
    }

    /// Returns the request's origin for the throttle, the sessions list and the audit log.
    package func origin(of request: Request) -> ClientInfo {
        let caller = caller(of: request)
        return ClientInfo(
            address: caller.address, device: DeviceName.of(userAgent: request.headers["User-Agent"] ?? ""),
            isOnThisMachine: caller.isOnThisMachine,
            deviceSecrets: DeviceCookie(of: request, isSecure: caller.isSecure).secrets,
            linkCode: request.cookies[SiteCookie.link.name(isSecure: caller.isSecure)])
    }

    /// The form token for this visitor on a page of this kind, or nil if the browser's `Origin` header is proof enough.
    package func formToken(for request: Request, scope: FormToken.Scope) -> String? {
        formSecret(of: request, visitor(of: request)).map { FormToken(secret: $0, scope: scope).masked }
    }

    /// Differs between browsers whose form tokens differ, and is equal for equal ones; empty without a token.
    func formTag(for request: Request) -> String {
        formSecret(of: request, visitor(of: request)).map { "-" + FormToken.tag(ofSecret: $0) } ?? ""
    }

    /// Throws `RoostError.notAllowed` if the headers show that another site made the browser send this write.
    package func refuseCrossSite(_ request: Request, _ visitor: Visitor = .anonymous) throws {
        guard !request.method.isSafe, !visitor.isBearer, filter.isCrossSiteWrite(request) else { return }
        throw RoostError.notAllowed("Another web site tried to send this. Nothing was changed.")
    }

    /// Throws `RoostError.notAllowed` for a cross-site write, or one without a token for this kind of action.
    func refuseForgery(_ request: Request, _ visitor: Visitor, scope: FormToken.Scope) throws {
        guard !request.method.isSafe, !visitor.isBearer else { return }
        try refuseCrossSite(request, visitor)
        if case .local = visitor { return }
        let text = request.headers[FormToken.header] ?? (try? request.form()[FormToken.field]) ?? ""
        let secret = formSecret(of: request, visitor)
        let scopes = FormToken.Scope.allCases.filter { scope in
            secret.map { FormToken(secret: $0, scope: scope).accepts(text) } == true
        }
        guard let shown = scopes.first else {
            throw RoostError.notAllowed(
                "This form has expired, or cookies are off. Nothing was changed. Go back, reload the page and try again."
            )
        }
        guard scope.accepted.contains(shown) else {
            throw RoostError.notAllowed(
                "This came from the wrong page. Nothing was changed. Use the page made for it."
            )
        }
    }

    private func formSecret(of request: Request, _ visitor: Visitor) -> String? {
        switch visitor {
        case .session(_, _, let secret): secret
        case .bearer, .metrics, .local: nil
        case .anonymous: guestSecret(of: request)
        }
    }

    func guestSecret(of request: Request) -> String? {
        let isSecure = caller(of: request).isSecure
        return request.cookies[SiteCookie.guest.name(isSecure: isSecure)].flatMap {
            (22...64).contains($0.utf8.count) ? $0 : nil
        }
    }
}

extension Visitors {
    /// The session cookie's value, valid or not.
    package func sessionSecret(of request: Request) -> String? {
        request.cookies[SiteCookie.session.name(isSecure: caller(of: request).isSecure)]
    }

    /// Sets the cookies of a new session and its device, and removes the cookie of a join or reset link.
    package func setSession(
        _ newSession: SessionService.NewSession, in response: inout Response, for request: Request
    ) {
        let isSecure = caller(of: request).isSecure
        let device = DeviceCookie(of: request, isSecure: isSecure).adding(newSession.deviceSecret)
        response.headers.append(SiteCookie.session.header(newSession.secret, isSecure: isSecure))
        response.headers.append(SiteCookie.device.header(device.value, isSecure: isSecure))
        if request.cookies[SiteCookie.link.name(isSecure: isSecure)] != nil {
            response.headers.append(SiteCookie.link.header(nil, isSecure: isSecure))
        }
        response["Cache-Control"] = "no-store"
    }

    /// Removes the session's cookie, but keeps the device's for the next sign-in.
    package func endSession(in response: inout Response, for request: Request) {
        let isSecure = caller(of: request).isSecure
        response.headers.append(SiteCookie.session.header(nil, isSecure: isSecure))
        response["Cache-Control"] = "no-store"
    }

    /// Sets a cookie with the code of the open join or reset link.
    package func rememberLink(_ code: String, in response: inout Response, for request: Request) {
        guard let code = LinkCode(code) else { return }
        let isSecure = caller(of: request).isSecure
        response.headers.append(SiteCookie.link.header("\(code)", isSecure: isSecure))
    }

    package func signedInRedirect(
        _ newSession: SessionService.NewSession, to path: String, _ request: Request
    )
        -> HandlerResult
    {
        var response = Response.redirect(to: path)
        setSession(newSession, in: &response, for: request)
        return .response(response)
    }
}
