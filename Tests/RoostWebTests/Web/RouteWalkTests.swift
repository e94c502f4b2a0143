import Foundation
import GRDB
import Testing

@testable import Accounts
@testable import Chat
@testable import HTTPClient
@testable import HTTPServer
@testable import Market
@testable import Reading
@testable import RoostServices
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

/// Requests every route of Roost as each guest who may not use it.
@Suite struct RouteWalkTests {
    /// A server in which Grace has one item of every kind.
    private struct Walk {
        let testServer: TestServer
        let grace: Guest
        /// Values for a pattern's parameters: the first entry whose start matches.
        let things: [(start: String, values: [String])]

        /// A body that each route of the API accepts, by its method and pattern.
        let bodies: [String: String]

        func body(of route: SiteRoute) -> String? { bodies["\(route.method.rawValue) \(route.pattern)"] }

        /// Ada for what is for owners, else Grace.
        func guest(for route: SiteRoute) -> Guest {
            [.owner, .ownerOrToken, .monitor].contains(route.audience) ? testServer.ada : grace
        }

        /// The address of a route with Grace's items, or nil for an unknown parameter.
        func path(of route: SiteRoute) -> String? {
            guard route.pattern.contains("{") else { return route.pattern }
            guard let values = things.first(where: { route.pattern.hasPrefix($0.start) })?.values else {
                return nil
            }
            var rest = values[...]
            return route.pattern.split(separator: "/").map { part in
                part.hasPrefix("{") ? rest.popFirst() ?? "missing" : String(part)
            }
            .reduce("") { $0 + "/" + $1 }
        }

        /// Sends a request that the route would accept from the item's owner.
        func ask(
            _ route: SiteRoute, as guest: Guest, headers: [(String, String)] = []
        ) async throws -> ClientResponse {
            let address = try #require(path(of: route), "No values for the parameters of \(route.pattern)")
            let isForm = route.method == .post && !route.pattern.hasPrefix("/api/")
            let kind = isForm ? "application/x-www-form-urlencoded" : "application/json"
            let form =
                "direction=up&name=Mine&secondsPerPage=20&role=owner&sort=name&theme=dark&days=30&scope=read&uses=1&until=change&query=is:pr"
            let body = isForm ? form : body(of: route) ?? "{}"
            let query = route.pattern.hasSuffix("/changes") ? "?topics=prices&wait=0" : ""
            return try await testServer.send(
                route.method.rawValue, address + query, headers: headers + [("Content-Type", kind)],
                body: route.method == .get ? nil : body, as: guest)
        }

        /// The routes that need a session, a token or a link.
        var closed: [SiteRoute] { testServer.server.routes.filter { $0.audience != .everyone } }
    }

    private static func bodies(with ada: User, code: LinkCode) -> [String: String] {
        let (name, id) = (#""username": "linus", "password": "\#(TestServer.password)""#, UUID().uuidString)
        return [
            "POST /api/v1/users": #"{\#(name), "joinCode": "\#(code)"}"#,
            "POST /api/v1/sessions": #"{"username": "grace", "password": "\#(TestServer.password)"}"#,
            "POST /api/v1/github-accounts": #"{"token": "ghp_wrong"}"#,
            "PATCH /api/v1/formats": #"{"hours": "12"}"#,
            "PATCH /api/v1/home": #"{"hidden": ["pulls"]}"#,
            "POST /api/v1/watchlist": #"{"coinId": "solana"}"#,
            "PATCH /api/v1/watchlist": #"{"order": ["bitcoin"]}"#,
            "POST /api/v1/watchlists": #"{"name": "Also hers"}"#,
            "PATCH /api/v1/watchlists/{id}": #"{"name": "Still hers"}"#,
            "PUT /api/v1/coins/{coinId}/note": #"{"note": "Hers"}"#,
            "POST /api/v1/holdings": #"{"coinId": "bitcoin", "amount": "2"}"#,
            "PATCH /api/v1/holdings/{id}": #"{"amount": "3"}"#,
            "POST /api/v1/wallets": #"{"coinId": "bitcoin", "address": "bc1-also-hers"}"#,
            "PATCH /api/v1/wallets/{id}": #"{"label": "Hers"}"#,
            "POST /api/v1/displays": #"{"name": "Also hers"}"#,
            "POST /api/v1/displays/pair": #"{"code": "AAA-222"}"#,
            "PATCH /api/v1/displays/{id}": #"{"perPage": 4}"#,
            "POST /api/v1/displays/{id}/command": #"{"kind": "identify"}"#,
            "POST /api/v1/pulls/{owner}/{name}/{number}/acts": #"{"act": "comment", "body": "Hers"}"#,
            "POST /api/v1/pulls/sections": #"{"name": "Also hers", "query": "is:open"}"#,
            "PATCH /api/v1/pulls/sections/{id}": #"{"name": "Still hers"}"#,
            "PATCH /api/v1/bookmarks": #"{"fullNames": ["grace/kept"], "addTags": ["hers"]}"#,
            "PATCH /api/v1/articles": #"{"ids": ["1"], "isFavorite": true}"#,
            "POST /api/v1/articles/feeds": #"{"list": "archived"}"#,
            "POST /api/v1/conversations/{id}/webhooks": #"{"name": "Builds"}"#,
            "POST /api/v1/alerts": #"{"coinId": "bitcoin", "kind": "below", "threshold": "1"}"#,
            "PATCH /api/v1/alerts/{id}": #"{"threshold": "80000000"}"#,
            "POST /api/v1/pulls/{host}/{owner}/{name}/{number}/snooze": #"{"until": "change"}"#,
            "POST /api/v1/bookmarks": #"{"fullName": "no name"}"#,
            "PATCH /api/v1/bookmarks/{owner}/{name}": #"{"note": "Hers"}"#,
            "POST /api/v1/articles": #"{"url": "https://also-hers.example/"}"#,
            "PATCH /api/v1/articles/{id}": #"{"title": "Hers"}"#,
            "POST /api/v1/articles/{id}/new-text/use": "{}",
            "POST /api/v1/articles/{id}/new-text/keep-old": "{}",
            "POST /api/v1/articles/{id}/gist": "{}",
            "POST /api/v1/articles/{id}/highlights": #"{"start": 0, "end": 4, "quote": "Hers"}"#,
            "PATCH /api/v1/articles/{id}/highlights/{highlight}": #"{"note": "Hers"}"#,
            "POST /api/v1/gists": #"{"text": "It is hers too. Nobody else has it."}"#,
            "PATCH /api/v1/gists/{id}": #"{"title": "Still hers"}"#,
            "POST /api/v1/shared-items":
                #"{"with": "\#(ada.userId)", "url": "https://also-hers.example/"}"#,
            "POST /api/v1/conversations": #"{"participants": ["\#(ada.userId)"], "groupName": "Hers"}"#,
            "PATCH /api/v1/conversations/{id}": #"{"notify": "none"}"#,
            "POST /api/v1/conversations/{id}/members": #"{"userIds": ["\#(ada.userId)"]}"#,
            "PATCH /api/v1/conversations/{id}/members/{user}": #"{"isAdmin": true}"#,
            "POST /api/v1/conversations/{id}/messages": #"{"id": "\#(id)", "text": "Also hers"}"#,
            "PATCH /api/v1/conversations/{id}/messages/{seq}": #"{"text": "Still hers"}"#,
            "POST /api/v1/conversations/{id}/receipts": #"{"readSeq": 1}"#,
            "POST /api/v1/conversations/{id}/typing": #"{"isTyping": true}"#,
            "POST /api/v1/webhooks": #"{"url": "https://hers.example/", "events": ["alert.fired"]}"#,
            "PATCH /api/v1/webhooks/{id}": #"{"isOn": false}"#,
            "POST /api/v1/webhook-origins": #"{"origin": "https://also-hers.example"}"#,
            "PUT /api/v1/conversations/{id}/draft": #"{"text": "Hers"}"#,
        ]
    }

    private static func walk(_ test: (Walk) async throws -> Void) async throws {
        try await TestServer.with { testServer in
            let services = testServer.services
            let grace = try await Guest.signUp("grace", as: .member, services)
            try await services.market.watchlist.add("bitcoin", to: grace.user.userId)
            let list = try await services.market.watchlist.addList(name: "Hers", for: grace.user.userId).id
            let holding = try await services.market.watchlist.addHolding(
                NewHolding(coinId: "bitcoin", amount: 1), for: grace.user.userId
            ).id
            let display = try await services.market.displays.add("Grace’s wall", for: grace.user.userId)
            let wallet = try await services.market.watchlist.addWallet(
                NewWallet(coinId: "bitcoin", address: "bc1-hers"), for: grace.user.userId
            ).id
            let alert = try await services.market.alerts.add(
                NewAlert(coinId: "bitcoin", kind: .above, threshold: "90000000"), for: grace.user.userId)
            let token = try await services.identity.tokens.make(
                .init(name: "hers", scope: .write), for: grace.user)
            let session = try #require(
                try await services.identity.sessions.sessions(of: grace.user.userId).first)
            let link = try await services.identity.invitations.invite(
                note: "Hers", days: 1, uses: 1, by: testServer.owner, from: ClientInfo(address: "127.0.0.1"))
            let section = try await services.gitHub.pulls.addSection(
                name: "Hers", query: "is:open", for: grace.user.userId)
            let started = try await services.chat.conversations.start(
                with: [testServer.owner.userId], groupName: nil, id: nil, by: grace.user.userId)
            let chat = started.conversation.id
            let sent = try await services.chat.conversations.send(
                NewMessage(id: UUID().uuidString.lowercased(), text: "Hers"), to: chat,
                by: .user(grace.user.userId))
            let file = try await services.chat.files.upload(
                Array("Hers".utf8), name: "hers.txt", to: chat, by: grace.user.userId)
            let article = try await services.reading.articles.save(
                ArticleDraft(url: "https://hers.example/"), by: grace.user.userId
            ).item.id
            let gist = try await services.reading.gists.makeOfText(
                title: "Hers", text: "It is hers. Nobody else has it.", by: grace.user.userId
            ).id
            let shared = try await services.reading.sharedItems.share(
                .address("https://hers.example/", title: nil), with: testServer.owner.userId,
                by: grace.user.userId
            ).id
            try await services.webhooks.allow(
                "https://hers.example", by: "ada", from: ClientInfo(address: "127.0.0.1"))
            let webhook = try await services.webhooks.add(
                url: "https://hers.example/roost", events: ["alert.fired"], for: grace.user.userId
            ).webhook.id
            let feed = try await services.reading.feeds.add(ArticleFilter(), by: grace.user.userId).id
            let (reading, highlight) = ("\(article)", UUID().uuidString.lowercased())
            let (member, message) = ("\(grace.user.userId)", "\(sent.message.number)")
            let (code, displayed) = ("0000-0000-0000-0000", "not-her-display-link-00")
            try await test(
                Walk(
                    testServer: testServer, grace: grace,
                    things: [
                        ("/watchlist/lists/", ["\(list)"]), ("/coins/", ["no-such-coin", "1"]),
                        ("/watchlist/", ["bitcoin"]), ("/api/v1/watchlist/", ["bitcoin"]),
                        ("/alerts/", ["\(alert.id)"]), ("/api/v1/alerts/", ["\(alert.id)"]),
                        ("/api/v1/watchlists/", ["\(list)"]), ("/api/v1/holdings/", ["\(holding)"]),
                        ("/api/v1/coins/", ["no-such-coin"]),
                        ("/pulls/sections/", ["\(section.id)"]),
                        ("/api/v1/pulls/sections/", ["\(section.id)"]),
                        ("/api/v1/wallets/", ["\(wallet)"]),
                        ("/api/v1/displays/", ["\(display.display.id)"]),
                        ("/api/v1/articles/feeds/", ["\(feed)"]),
                        ("/pulls/{owner}/", ["apple", "swift-nio", "7"]),
                        ("/api/v1/pulls/{owner}/", ["apple", "swift-nio", "7"]),
                        ("/pulls/", ["github.com", "apple", "swift-nio", "7"]),
                        ("/api/v1/pulls/", ["github.com", "apple", "swift-nio", "7"]),
                        ("/repositories/", ["no%20name", "of%20any"]),
                        ("/api/v1/repositories/", ["no%20name", "of%20any"]),
                        ("/bookmarks/", ["grace", "kept"]), ("/api/v1/bookmarks/", ["grace", "kept"]),
                        ("/displays/", ["\(display.display.id)"]), ("/display/", [displayed]),
                        ("/chat/files/", [file.id]), ("/chat/{id}/members/", [chat, member]),
                        ("/chat/{id}/webhooks/", [chat, "1"]), ("/chat/", [chat, message]),
                        ("/api/v1/conversations/{id}/members/", [chat, member]),
                        ("/api/v1/conversations/", [chat, message, "%F0%9F%91%8D"]),
                        ("/reading/imports/", ["1"]), ("/api/v1/articles/imports/", ["1"]),
                        ("/reading/feeds/{token}", ["no-feed-has-this-secret.atom"]),
                        ("/today/feeds/{token}", ["1-no-feed-has-this-secret.atom"]),
                        ("/reading/feeds/", ["\(feed)"]), ("/reading/shared/", ["\(shared)"]),
                        ("/reading/undo/", ["nothing-of-hers"]), ("/reading/", [reading, highlight]),
                        ("/api/v1/articles/", [reading, highlight]), ("/gists/", ["\(gist)"]),
                        ("/api/v1/gists/", ["\(gist)"]), ("/api/v1/shared-items/", ["\(shared)"]),
                        ("/shared-gists/", ["no-gist-has-this-secret"]),
                        ("/hooks/", ["no-webhook-has-this-one"]),
                        ("/settings/sessions/", ["\(session.id)"]), ("/settings/tokens/", ["\(token.id)"]),
                        ("/settings/github/", ["1"]), ("/api/v1/github-accounts/", ["1"]),
                        ("/pictures/", [String(repeating: "0", count: 64)]),
                        ("/settings/webhooks/", ["\(webhook)", displayed]),
                        ("/api/v1/webhooks/", ["\(webhook)", displayed]), ("/members/webhooks/", ["1"]),
                        ("/api/v1/webhook-origins/", ["1"]),
                        ("/members/sessions/", ["\(session.id)"]), ("/members/invitations/", ["\(link.id)"]),
                        ("/members/", ["\(grace.user.userId)"]),
                        ("/avatars/", ["\(grace.user.userId)", "none"]),
                        ("/join/", [code]), ("/reset/", [code]), ("/static/", ["x", "y"]),
                    ], bodies: Self.bodies(with: testServer.owner, code: link.code)))
        }
    }

    @Test func `the test knows every parameter of every address`() async throws {
        try await Self.walk { walk in
            for route in walk.testServer.server.routes {
                #expect(walk.path(of: route) != nil, "\(route.pattern)")
            }
            #expect(walk.closed.count > 40)
            #expect(Set(walk.testServer.server.routes.map(\.audience)) == Set(Audience.allCases))
        }
    }

    @Test func `visitors are refused everywhere, and pages redirect them to the sign-in`() async throws {
        try await Self.walk { walk in
            for route in walk.closed {
                let answer = try await walk.ask(route, as: .anonymous)
                #expect(answer.status == (route.audience == .link ? 404 : 401), "\(route.pattern)")
                guard route.method == .get, route.audience != .link else { continue }
                let page = try await walk.ask(route, as: .anonymous, headers: [("Accept", "text/html")])
                let isJSON = route.pattern.hasPrefix("/api/") || route.pattern == "/changes"
                #expect(page.status == (isJSON ? 401 : 303), "\(route.pattern)")
                #expect(isJSON || page.headers["Location"]?.hasPrefix("/login") == true, "\(route.pattern)")
            }
        }
    }

    @Test func `a token of another Roost, a revoked token and a revoked session open nothing`() async throws {
        try await Self.walk { walk in
            let services = walk.testServer.services
            let revoked = try await Guest.bearer(walk.testServer.owner, .write, services)
            let last = try #require(
                try await services.identity.tokens.tokens(of: walk.testServer.owner.userId).last)
            try await services.identity.tokens.revoke(last.id, of: nil)
            let ended = try await Guest.signIn("ada", services)
            try await services.identity.sessions.signOut(
                ended.user, secret: try #require(ended.secret), from: ClientInfo(address: "127.0.0.1"))
            let foreign = ("Authorization", "Bearer roost_" + RoostSupport.Secret.make(bytes: 32))
            for route in walk.closed where route.audience != .link {
                for guest in [revoked, ended] {
                    let answer = try await walk.ask(route, as: guest)
                    #expect(answer.status == 401, "\(route.method) \(route.pattern)")
                }
                let answer = try await walk.ask(route, as: .anonymous, headers: [foreign])
                #expect(answer.status == 401, "\(route.method) \(route.pattern)")
            }
        }
    }

    @Test func `members cannot use what is for owners, and cannot find another member's data`() async throws {
        try await Self.walk { walk in
            _ = try await Guest.signUp("eve", as: .member, walk.testServer.services)
            for route in walk.closed {
                // A new session each time, because one of the routes signs out.
                let eve = try await Guest.signIn("eve", walk.testServer.services)
                let answer = try await walk.ask(route, as: eve)
                switch route.audience {
                case .owner, .ownerOrToken, .monitor:
                    #expect(answer.status == 403, "\(route.method) \(route.pattern)")
                case .member, .person:
                    guard route.pattern.contains("{") else { continue }
                    #expect(answer.status == 404, "\(route.method) \(route.pattern)")
                case .link: #expect(answer.status == 404, "\(route.pattern)")
                case .everyone: break
                }
            }
            let services = walk.testServer.services
            let grace = walk.grace.user.userId
            #expect(try await services.identity.accounts.user(grace) == walk.grace.user)
            #expect(try await services.identity.sessions.sessions(of: grace).count == 1)
            #expect(try await services.identity.tokens.tokens(of: grace).count == 1)
            #expect(try await services.market.displays.displays(of: grace).map(\.name) == ["Grace’s wall"])
            let coins = try await services.market.watchlist.coinIds(of: grace)
            #expect(coins == ["bitcoin"])
            #expect(try await services.market.alerts.alerts(of: grace).map(\.isArmed) == [true])
            #expect(
                try await services.market.watchlist.lists(of: grace).map(\.name) == ["Watchlist", "Hers"])
            #expect(try await services.market.watchlist.holdings(of: grace).map(\.amount) == [1])
        }
    }

    @Test func `nothing is changed without the form's own token`() async throws {
        try await Self.walk { walk in
            let other = try await Guest.signIn("ada", walk.testServer.services)
            let secret = try #require(walk.testServer.ada.secret)
            let cookie = ("Cookie", "roost_session=\(secret)")
            for route in walk.testServer.server.routes
            where route.method != .get && !route.pattern.hasPrefix("/api/v1/") && route.audience != .link {
                let strange = other.token(try #require(route.scope))
                for wrong in [[], strange, [(FormToken.header, "")], [(FormToken.header, "AAAA")]] {
                    let answer = try await walk.ask(route, as: .anonymous, headers: [cookie] + wrong)
                    #expect(answer.status == 403, "\(route.method) \(route.pattern)")
                }
            }
            #expect(
                try await walk.testServer.services.identity.sessions.sessions(
                    of: walk.testServer.owner.userId
                ).count
                    == 2)
        }
    }

    @Test func `no action accepts the form token of another scope`() async throws {
        try await Self.walk { walk in
            let services = walk.testServer.services
            let secret = try #require(walk.testServer.ada.secret)
            let cookie = ("Cookie", "roost_session=\(secret)")
            var refused = 0
            for route in walk.testServer.server.routes where route.method != .get {
                guard let scope = route.scope else { continue }
                for other in FormToken.Scope.allCases where !scope.accepted.contains(other) {
                    let answer = try await walk.ask(
                        route, as: .anonymous, headers: [cookie] + walk.testServer.ada.token(other))
                    #expect(answer.status == 403, "\(route.method) \(route.pattern) with \(other)")
                    #expect(!answer.headers.all("Set-Cookie").contains { $0.hasPrefix("roost_session") })
                    refused += 1
                }
            }
            #expect(refused > 40)
            let grace = walk.grace.user.userId
            #expect(try await services.identity.accounts.users.count == 2)
            #expect(try await services.identity.accounts.user(grace) == walk.grace.user)
            #expect(try await services.identity.sessions.sessions(of: grace).count == 1)
            #expect(
                try await services.identity.sessions.sessions(of: walk.testServer.owner.userId).count == 1)
            #expect(try await services.identity.tokens.tokens(of: grace).count == 1)
            #expect(try await services.identity.invitations.links().count == 1)
        }
    }

    @Test func `account actions accept no token of an ordinary page`() async throws {
        try await Self.walk { walk in
            for route in walk.testServer.server.routes where route.method != .get {
                let expectedScope: FormToken.Scope? =
                    switch route.audience {
                    case .owner, .ownerOrToken: .owner
                    case .person where route.pattern == "/logout": .reader
                    case .person where route.pattern == "/api/v1/sessions/current": .reader
                    case .person: .account
                    case .member where route.pattern.contains("github-accounts"): .account
                    case .member where route.pattern.hasPrefix("/api/v1/webhooks"): .account
                    case .member where route.pattern.hasSuffix("/acts"): .acts
                    case .member: .reader
                    case .everyone: route.pattern.hasPrefix("/api/") ? nil : .account
                    case .link, .monitor: nil
                    }
                #expect(route.scope == expectedScope, "\(route.method) \(route.pattern)")
            }
        }
    }

    @Test func `signing out and changing the theme accept every page's token`() async throws {
        try await Self.walk { walk in
            for scope in FormToken.Scope.allCases {
                let eve = try await Guest.signIn("grace", walk.testServer.services)
                let cookie = ("Cookie", "roost_session=\(try #require(eve.secret))")
                for path in ["/theme", "/logout"] {
                    let answer = try await walk.testServer.post(
                        path, form: "theme=dark", headers: [cookie] + eve.token(scope), as: .anonymous)
                    #expect(answer.status == 303, "\(path) with \(scope)")
                }
            }
        }
    }

    /// The `form-action` targets of a page's Content-Security-Policy.
    private static func formTargets(_ response: ClientResponse) -> String? {
        let policies = response.headers.all("Content-Security-Policy")
        guard policies.count == 1 else { return nil }
        let rules = policies[0].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard rules.contains("base-uri 'none'") else { return nil }
        return rules.first { $0.hasPrefix("form-action ") }.map { String($0.dropFirst("form-action ".count)) }
    }

    @Test func `pages with forms may send them to Roost only, and pages without forms nowhere`() async throws
    {
        try await Self.walk { walk in
            let services = walk.testServer.services
            let wall = try await services.market.displays.add("Hall", for: walk.testServer.owner.userId)
            var (open, closed) = (0, 0)
            let accept = [("Accept", "text/html")]
            func check(_ answer: ClientResponse, _ what: String) {
                guard answer.headers["Content-Type"]?.hasPrefix("text/html") == true else { return }
                let isPage = answer.text.contains("<!doctype html>")
                let hasForms = isPage && answer.text.contains("<form")
                if hasForms { open += 1 } else { closed += 1 }
                let targets = Self.formTargets(answer)
                let isWebFlow = what.contains("/settings/github")
                #expect(
                    targets == (hasForms ? "'self'" : "'none'")
                        || isWebFlow && targets?.hasPrefix("'self' http") == true, "\(what)")
            }
            // Leaves out the routes that end Ada's session.
            let ends = ["/logout", "/logout/everywhere", "/api/v1/sessions/current"]
            for route in walk.testServer.server.routes where !ends.contains(route.pattern) {
                for guest in [walk.testServer.ada, .anonymous] {
                    let answer = try await walk.ask(route, as: guest, headers: accept)
                    check(answer, "\(route.method) \(route.pattern)")
                }
            }
            for path in ["/nothing", "/join", "/login", "/display/" + wall.token] {
                for guest in [walk.testServer.ada, .anonymous] {
                    check(try await walk.testServer.send("GET", path, headers: accept, as: guest), path)
                }
            }
            #expect(open > 20 && closed > 10)
        }
    }

    @Test func `JSON writes with a session need the token in the header`() async throws {
        try await Self.walk { walk in
            let cookie = ("Cookie", "roost_session=\(try #require(walk.testServer.ada.secret))")
            for route in walk.closed where route.method != .get && route.pattern.hasPrefix("/api/v1/") {
                let answer = try await walk.ask(route, as: .anonymous, headers: [cookie])
                #expect(answer.status == 403, "\(route.method) \(route.pattern)")
            }
            let allowed = try await walk.testServer.json(
                "POST", "/api/v1/watchlist", #"{"coinId": "solana"}"#)
            #expect(allowed.status == 201)
        }
    }

    @Test func `a read token changes nothing, and no token manages accounts`()
        async throws
    {
        try await Self.walk { walk in
            let reader = try await Guest.bearer(walk.testServer.owner, .read, walk.testServer.services)
            let writer = try await Guest.bearer(walk.testServer.owner, .write, walk.testServer.services)
            for route in walk.closed where route.audience != .link {
                let isAccount = route.audience == .person || route.audience == .owner
                if route.method != .get || isAccount {
                    let answer = try await walk.ask(route, as: reader)
                    #expect(answer.status == 403, "\(route.method) \(route.pattern)")
                }
                guard isAccount else { continue }
                let answer = try await walk.ask(route, as: writer)
                #expect(answer.status == 403, "\(route.method) \(route.pattern)")
            }
        }
    }

    @Test func `a token for an area opens the area's routes and topics, and nothing else`() async throws {
        try await Self.walk { walk in
            let services = walk.testServer.services
            let reader = try await Guest.bearer(walk.grace.user, limitedTo: ["chat:read"], services)
            let writer = try await Guest.bearer(walk.grace.user, limitedTo: ["chat:write"], services)
            var (opened, refused) = (0, 0)
            for route in walk.closed
            where route.audience == .member && !["/changes", "/api/v1/changes"].contains(route.pattern) {
                for (guest, mayWrite) in [(reader, false), (writer, true)] {
                    let answer = try await walk.ask(route, as: guest)
                    let isMissing = answer.status == 403 && answer.text.contains("This token lacks the scope")
                    let mayUse = route.tokenArea?.key == "chat" && (mayWrite || route.method == .get)
                    #expect(isMissing == !mayUse, "\(route.method) \(route.pattern): \(answer.status)")
                    if mayUse { opened += 1 } else { refused += 1 }
                }
            }
            #expect(opened > 30 && refused > 200)
            let poll = "/api/v1/changes?wait=0&topics="
            #expect(try await walk.testServer.send("GET", poll + "chat", as: reader).status == 200)
            let other = try await walk.testServer.send("GET", poll + "chat,watchlist", as: reader)
            #expect(other.status == 403 && other.error("message")?.contains("“watchlist:read”") == true)
            let message = try await walk.testServer.json(
                "POST", "/api/v1/articles", #"{"url": "https://also-hers.example/"}"#, as: writer)
            #expect(message.error("message") == "This token lacks the scope “write” or “reading:write”.")
        }
    }

    @Test func `an owner's limited token does not read the metrics`() async throws {
        try await TestServer.with { server async throws in
            let token = try await Guest.bearer(server.owner, limitedTo: ["account:write"], server.services)
            #expect(try await server.send("GET", "/metrics", as: token).status == 403)
            #expect(try await server.send("GET", "/healthz", as: token).object["sources"] == nil)
            #expect(try await server.send("GET", "/api/v1/me", as: token).status == 200)
        }
    }

    @Test func `a monitoring token reads the metrics and the health, and nothing else`() async throws {
        try await Self.walk { walk in
            let services = walk.testServer.services
            let monitor = try await Guest.bearer(walk.testServer.owner, .metrics, services)
            for route in walk.testServer.server.routes {
                let answer = try await walk.ask(route, as: monitor)
                switch route.audience {
                case .monitor:
                    // The state of the server is for owners themselves.
                    let isStatus = route.pattern == "/api/v1/status"
                    #expect(answer.status == (isStatus ? 403 : 200), "\(route.pattern)")
                case .member, .person, .owner, .ownerOrToken:
                    #expect(answer.status == 403, "\(route.method) \(route.pattern)")
                    #expect(answer.error("code") == "notAllowed" || !route.pattern.hasPrefix("/api/"))
                case .link: #expect(answer.status == 404, "\(route.pattern)")
                // Public routes answer as they do without a token.
                case .everyone: #expect(!answer.text.contains(">ada<"), "\(route.pattern)")
                }
            }
            let health = try await walk.testServer.send("GET", "/healthz", as: monitor)
            #expect(health.object["sources"] != nil && health.object["version"] != nil)
            #expect(try await services.market.displays.displays(of: walk.testServer.owner.userId).isEmpty)
        }
    }

    @Test func `metrics are closed to tokens of members and of former owners`() async throws {
        try await Self.walk { walk in
            let (server, services) = (walk.testServer, walk.testServer.services)
            let eve = try await Guest.signUp("eve", as: .owner, services)
            var guests = [eve]
            for scope in APIToken.Scope.allCases {
                guests.append(try await .bearer(eve.user, scope, services))
            }
            for guest in guests {
                #expect(try await server.send("GET", "/metrics", as: guest).status == 200)
            }
            try await services.identity.accounts.setRole(
                .member, of: eve.user.userId, by: nil, from: ClientInfo(address: "127.0.0.1"))
            for scope in [APIToken.Scope.read, .write] {
                guests.append(try await .bearer(walk.grace.user, scope, services))
            }
            for guest in guests {
                let metrics = try await server.send("GET", "/metrics", as: guest)
                #expect(metrics.status == 403 && !metrics.text.contains("roost_requests_total"))
            }
            await #expect(throws: RoostError.self) {
                try await Guest.bearer(walk.grace.user, .metrics, services)
            }
        }
    }

    /// Ends of routes of the API that take a form or no body. A highlight is looked up before the body is read, and Grace
    /// has none.
    private static let withoutJSON = [
        "/mute", "/done", "/fetch", "/accept", "/{emoji}", "/import", "/files", "/{highlight}", "/link",
        "/sign-out", "/renew", "/stars", "/feed", "/test", "/send",
    ]

    private static func takesJSON(_ route: SiteRoute) -> Bool {
        route.pattern.hasPrefix("/api/v1/") && [.post, .put, .patch].contains(route.method)
            && !withoutJSON.contains { route.pattern.hasSuffix($0) }
    }

    @Test(arguments: [
        ("application/json", "{", 400, "malformed", "The body isn’t a JSON object."),
        ("application/json", "[]", 400, "malformed", "The body isn’t a JSON object."),
        (
            "text/plain", "{}", 415, "unsupportedMediaType",
            "This address doesn't accept the request's content type."
        ),
    ])
    func `a broken body gets the same error from every route of the API`(
        type: String, body: String, status: Int, code: String, message: String
    ) async throws {
        try await Self.walk { walk in
            let routes = walk.testServer.server.routes.filter(Self.takesJSON)
            for route in routes {
                let answer = try await walk.testServer.send(
                    route.method.rawValue, try #require(walk.path(of: route)),
                    headers: [("Content-Type", type)], body: body, as: walk.guest(for: route))
                let what = "\(route.method) \(route.pattern): \(answer.text)"
                #expect(answer.status == status && answer.error("code") == code, "\(what)")
                #expect(answer.error("message") == message && answer.error("field") == nil, "\(what)")
            }
            #expect(routes.count > 25)
        }
    }

    @Test func `an unknown field gets the same error from every route of the API`() async throws {
        try await Self.walk { walk in
            for route in walk.testServer.server.routes where Self.takesJSON(route) {
                let body = try #require(walk.body(of: route), "No body for \(route.method) \(route.pattern)")
                let answer = try await walk.testServer.json(
                    route.method.rawValue, try #require(walk.path(of: route)),
                    #"{"nonsense": 1"# + (body == "{}" ? "}" : ", \(body.dropFirst())"),
                    as: walk.guest(for: route))
                let what = "\(route.method) \(route.pattern): \(answer.text)"
                #expect(answer.status == 422 && answer.error("code") == "invalid", "\(what)")
                #expect(answer.error("field") == "nonsense", "\(what)")
                #expect(answer.error("message") == "“nonsense” isn’t a field of this request.", "\(what)")
            }
        }
    }

    /// Grace's body has no name that GitHub allows, and her conversation is no group: they are refused before.
    private static let refusedAnyway = ["POST /api/v1/bookmarks", "PATCH /api/v1/conversations/{id}"]

    /// Values beyond each limit of a member of a body.
    private static func refused(by schema: JSONValue) -> [Any] {
        let schema = schema["anyOf"]?.items.first ?? schema
        func number(_ keyword: String, of part: JSONValue?) -> Int? { part?[keyword]?.number }
        func text(_ length: Int) -> String { String(repeating: "a", count: length) }
        var values: [Any] = []
        if let least = number("minLength", of: schema), least > 0 { values.append(text(least - 1)) }
        if let most = number("maxLength", of: schema) { values.append(text(most + 1)) }
        if let least = number("minimum", of: schema) { values.append(least - 1) }
        if let most = number("maximum", of: schema) { values.append(most + 1) }
        if let least = number("minItems", of: schema), least > 0 { values.append([String]()) }
        if let most = number("maxItems", of: schema) { values.append((0...most).map { "item-\($0)" }) }
        if let most = number("maxLength", of: schema["items"]) { values.append([text(most + 1)]) }
        if schema["enum"] != nil { values.append("no such choice") }
        if schema["items"]?["enum"] != nil { values.append(["no such choice"]) }
        return values
    }

    @Test func `each limit that the description states for a body is enforced`() async throws {
        try await Self.walk { walk in
            let server = walk.testServer
            let document = APIAnswers.document(of: server.server.routes)
            var checked = 0
            for route in server.server.routes where Self.takesJSON(route) {
                let (method, text) = (route.method.rawValue, try #require(walk.body(of: route)))
                guard !Self.refusedAnyway.contains("\(method) \(route.pattern)") else { continue }
                let operation = document.json["paths"]?[route.pattern]?[method.lowercased()]
                let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]
                let body = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                for member in schema?["properties"]?.members ?? [] {
                    for value in Self.refused(by: member.value) {
                        var wrong = try #require(body)
                        wrong[member.name] = value
                        let sent = try JSONSerialization.data(withJSONObject: wrong)
                        let answer = try await server.json(
                            method, try #require(walk.path(of: route)), String(decoding: sent, as: UTF8.self),
                            as: walk.guest(for: route))
                        let what = "\(method) \(route.pattern) with \(member.name) \("\(value)".prefix(80))"
                        #expect(answer.status == 422, "\(what): \(answer.status) \(answer.text.prefix(200))")
                        #expect(answer.error("field")?.hasPrefix(member.name) == true, "\(what)")
                        checked += 1
                    }
                }
            }
            #expect(checked > 100, "\(checked)")
        }
    }

    @Test func `an unknown parameter is refused by name by every route of the API`() async throws {
        try await Self.walk { walk in
            let routes = walk.testServer.server.routes.filter { $0.pattern.hasPrefix("/api/") }
            for route in routes {
                let answer = try await walk.testServer.send(
                    route.method.rawValue, "\(try #require(walk.path(of: route)))?favourite=1",
                    headers: [("Content-Type", "application/json")],
                    body: route.method == .get ? nil : walk.body(of: route) ?? "{}",
                    as: walk.guest(for: route))
                let what = "\(route.method) \(route.pattern): \(answer.text)"
                #expect(answer.status == 422 && answer.error("field") == "favourite", "\(what)")
                #expect(
                    answer.error("message") == "“favourite” isn’t a parameter of this address.", "\(what)")
            }
            #expect(routes.count > 90)
        }
    }

    @Test func `everything that can be edited refuses an edit of another version`() async throws {
        try await Self.walk { walk in
            let server = walk.testServer
            let routes = server.server.routes.filter { $0.pattern.hasPrefix("/api/") }
            let shown = Set(routes.filter { $0.method == .get }.map(\.pattern))
            var checked = 0
            for route in routes
            where [.patch, .put, .delete].contains(route.method) && shown.contains(route.pattern) {
                let current = try await server.send(
                    "GET", try #require(walk.path(of: route)), as: walk.guest(for: route))
                guard current.status == 200 else { continue }
                let what = "\(route.method) \(route.pattern)"
                let tag = try #require(current.headers["ETag"], "\(what)")
                let late = try await walk.ask(
                    route, as: walk.guest(for: route), headers: [("If-Match", "\"0\"")])
                if late.status == 409 {
                    #expect(late.object["yours"] != nil && late.object["current"] != nil, "\(what)")
                } else {
                    #expect(late.status == 412 && late.error("code") == "preconditionFailed", "\(what)")
                }
                #expect(late.error("field") == "If-Match", "\(what)")
                let edit = try await walk.ask(route, as: walk.guest(for: route), headers: [("If-Match", tag)])
                #expect(edit.error("field") != "If-Match", "\(what): \(edit.text)")
                checked += 1
            }
            #expect(checked > 15)
        }
    }

    @Test func `a missing field gets the same error from every route of the API`() async throws {
        try await Self.walk { walk in
            var missing = 0
            for route in walk.testServer.server.routes where Self.takesJSON(route) {
                let answer = try await walk.testServer.json(
                    route.method.rawValue, try #require(walk.path(of: route)), "{}",
                    as: walk.guest(for: route))
                let what = "\(route.method) \(route.pattern): \(answer.text)"
                #expect(answer.status != 400 && answer.status < 500, "\(what)")
                guard answer.status == 422 else { continue }
                let field = try #require(answer.error("field"), "\(what)")
                #expect(answer.error("code") == "invalid", "\(what)")
                if answer.error("message") == "“\(field)” is missing." { missing += 1 }
            }
            #expect(missing > 15)
        }
    }

    @Test func `what was made is found at the address in Location`() async throws {
        try await Self.walk { walk in
            var found: [String] = []
            // Signing in would end Grace's session.
            for route in walk.closed where route.method == .post && route.pattern.hasPrefix("/api/v1/") {
                let guest = walk.guest(for: route)
                let made = try await walk.ask(route, as: guest)
                guard made.status == 201 else { continue }
                let what = "\(route.pattern): \(made.text)"
                let address = try #require(made.headers["Location"], "\(what)")
                let answer = try await walk.testServer.send("GET", address, as: guest)
                #expect(answer.status == 200, "\(address) after \(what)")
                if let id = made.object["id"] as? String {
                    #expect(answer.object["id"] as? String == id, "\(address) after \(what)")
                }
                found.append(route.pattern)
            }
            // Grace talks with Ada already, so no conversation is new.
            #expect(
                found.sorted() == [
                    "/api/v1/alerts", "/api/v1/articles", "/api/v1/articles/feeds",
                    "/api/v1/conversations/{id}/messages", "/api/v1/conversations/{id}/webhooks",
                    "/api/v1/displays", "/api/v1/gists", "/api/v1/holdings", "/api/v1/pulls/sections",
                    "/api/v1/shared-items", "/api/v1/wallets", "/api/v1/watchlist", "/api/v1/watchlists",
                    "/api/v1/webhook-origins", "/api/v1/webhooks",
                ])
        }
    }

    @Test func `members know the others' names, and nothing else`() async throws {
        try await Self.walk { walk in
            let answer = try await walk.testServer.send("GET", "/api/v1/users", as: walk.grace)
            let people = try #require(answer.object["items"] as? [[String: Any]])
            #expect(people.compactMap { $0["username"] as? String }.sorted() == ["ada", "grace"])
            let fields = Set(people.flatMap(\.keys))
            #expect(fields.isSubset(of: ["userId", "username", "displayName", "avatarURL"]))
        }
    }

    /// Ends of routes of the API that succeed: they only keep something in memory, or Grace has nothing to change.
    private static let withoutWrites = [
        "/typing", "/github-accounts", "/command", "/api/v1/bookmarks", "/feed",
    ]

    @Test func `a full disk gets the same error from every route that writes`() async throws {
        try await Self.walk { walk in
            let ends = ["/logout", "/logout/everywhere", "/api/v1/sessions/current"]
            let routes = walk.testServer.server.routes.filter { $0.method != .get && $0.audience != .link }
                .sorted { !ends.contains($0.pattern) && ends.contains($1.pattern) }
            walk.testServer.services.database.pool.add(
                transactionObserver: FullDisk(), extent: .databaseLifetime)
            var (refused, refusedByAPI) = (0, 0)
            for route in routes {
                let answer = try await walk.ask(route, as: walk.guest(for: route))
                let what = "\(route.method) \(route.pattern): \(answer.status) \(answer.text.prefix(400))"
                let isAPI = route.pattern.hasPrefix("/api/v1/")
                #expect(answer.status < 500 || answer.status == 507, "\(what)")
                if isAPI, !Self.withoutWrites.contains(where: { route.pattern.hasSuffix($0) }) {
                    #expect(answer.status >= 400, "\(what)")
                }
                guard answer.status == 507 else { continue }
                refused += 1
                #expect(answer.text.contains(RoostError.fullStorage), "\(what)")
                guard isAPI else { continue }
                refusedByAPI += 1
                #expect(answer.error("code") == "storageFull" && answer.error("field") == nil, "\(what)")
                #expect(answer.error("message") == RoostError.fullStorage, "\(what)")
            }
            #expect(refused > 40 && refusedByAPI > 20, "\(refused), \(refusedByAPI)")
        }
    }

    @Test(arguments: [
        (
            "cursor=nonsense", "Load the list again.",
            [
                "/api/v1/alerts",
                "/api/v1/articles",
                "/api/v1/articles/categories",
                "/api/v1/articles/export/parts",
                "/api/v1/articles/feeds",
                "/api/v1/articles/sites",
                "/api/v1/articles/tags",
                "/api/v1/articles/{id}/highlights",
                "/api/v1/bookmarks",
                "/api/v1/conversations",
                "/api/v1/conversations/search",
                "/api/v1/conversations/{id}/members",
                "/api/v1/conversations/{id}/messages",
                "/api/v1/conversations/{id}/messages/{seq}/receipts",
                "/api/v1/conversations/{id}/typing",
                "/api/v1/conversations/{id}/webhooks",
                "/api/v1/displays",
                "/api/v1/gists",
                "/api/v1/github-accounts",
                "/api/v1/holdings",
                "/api/v1/presence",
                "/api/v1/pulls/sections",
                "/api/v1/pulls/{owner}/{name}/{number}/files",
                "/api/v1/repositories",
                "/api/v1/shared-items",
                "/api/v1/users",
                "/api/v1/wallets",
                "/api/v1/watchlist",
                "/api/v1/watchlists",
                "/api/v1/webhook-origins",
                "/api/v1/webhooks",
                "/api/v1/webhooks/{id}/deliveries",
            ]
        ),
        (
            "limit=0", "“limit” must be a whole number above 0.",
            [
                "/api/v1/alerts",
                "/api/v1/articles",
                "/api/v1/articles/categories",
                "/api/v1/articles/export/parts",
                "/api/v1/articles/feeds",
                "/api/v1/articles/sites",
                "/api/v1/articles/tags",
                "/api/v1/articles/{id}/highlights",
                "/api/v1/bookmarks",
                "/api/v1/conversations",
                "/api/v1/conversations/log",
                "/api/v1/conversations/search",
                "/api/v1/conversations/{id}/members",
                "/api/v1/conversations/{id}/messages",
                "/api/v1/conversations/{id}/messages/{seq}/receipts",
                "/api/v1/conversations/{id}/typing",
                "/api/v1/conversations/{id}/webhooks",
                "/api/v1/displays",
                "/api/v1/gists",
                "/api/v1/github-accounts",
                "/api/v1/holdings",
                "/api/v1/presence",
                "/api/v1/pulls/sections",
                "/api/v1/pulls/{owner}/{name}/{number}/files",
                "/api/v1/repositories",
                "/api/v1/search",
                "/api/v1/shared-items",
                "/api/v1/users",
                "/api/v1/wallets",
                "/api/v1/watchlist",
                "/api/v1/watchlists",
                "/api/v1/webhook-origins",
                "/api/v1/webhooks",
                "/api/v1/webhooks/{id}/deliveries",
            ]
        ),
    ])
    func
        `a bad cursor or limit gets the same error from every list that takes one, and from the others another`(
            query: String, message: String, lists: [String]
        ) async throws
    {
        try await Self.walk { walk in
            let field = String(query.prefix { $0 != "=" })
            var refusing: [String] = []
            for route in walk.testServer.server.routes
            // A poll takes any cursor: one that it does not know counts as old.
            where route.method == .get && route.pattern.hasPrefix("/api/v1/")
                && route.pattern != "/api/v1/changes"
            {
                let path = try #require(walk.path(of: route))
                let answer = try await walk.testServer.send(
                    "GET", "\(path)?\(query)", as: walk.guest(for: route))
                let what = "\(route.pattern): \(answer.text)"
                #expect(answer.status == 422 && answer.error("code") == "invalid", "\(what)")
                #expect(answer.error("field") == field, "\(what)")
                guard answer.error("message") != "“\(field)” isn’t a parameter of this address." else {
                    continue
                }
                refusing.append(route.pattern)
                #expect(answer.error("message") == message, "\(what)")
            }
            #expect(refusing.sorted() == lists)
        }
    }
}

/// Undoes every transaction as a full disk does.
private final class FullDisk: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { throw DatabaseError(resultCode: .SQLITE_FULL) }
    func databaseDidCommit(_ database: GRDB.Database) {}
    func databaseDidRollback(_ database: GRDB.Database) {}
}
