import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

/// `/today`: what changed since yesterday in every feature, as a page and as an Atom feed at a secret address.
struct TodayController: Sendable {
    static let path = "/today"
    private static let feedPath = "/today/feed"
    private static let apiFeedPath = "/api/v1/today/feed"
    private static let ending = ".atom"

    let site: WebContext
    private var feeds: TodayFeedService { site.identity.todayFeeds }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            // Never cached, because it shows a secret.
            guarded.member(.get, Self.path) { reads, request, user in
                site.features.requestRefresh(of: site.features.tileTopics(for: user), for: user)
                return .response(site.html(try page(reads, request, user)))
            },
            guarded.fragment("/today/lines", topics: { site.features.tileTopics(for: $1) }) {
                reads, _, user in
                try lines(reads, user)
            },
            guarded.member(.post, Self.feedPath) { _, user in
                try await feeds.renew(for: user.userId)
                return answer("The feed has a new address.", user)
            },
            guarded.member(.post, Self.feedPath + "/delete") { _, user in
                try await feeds.withdraw(of: user.userId)
                return answer("Feed deleted.", user)
            },
            guarded.link(.get, "/today/feeds/{token}", .async(document)),
            guarded.member(
                .get, "/api/v1/today", api: .answers(TodayJSON.self, "What changed in the last 24 hours.")
            ) { reads, _, user in
                .response(API.json(TodayJSON(try lines(reads, user))))
            },
            guarded.member(
                .get, Self.apiFeedPath,
                api: .answers(FeedJSON.self, "The secret address of your feed of Today."), feed),
            guarded.member(
                .post, Self.apiFeedPath,
                api: .answers(FeedJSON.self, "Makes the feed, or gives it another address.")
                    .withSecret("address")
            ) { request, user in
                try await feeds.renew(for: user.userId)
                return try await site.database.read { try feed($0, request, user) }
            },
            guarded.member(.delete, Self.apiFeedPath, api: .does("Deletes the feed.")) { _, user in
                try await feeds.withdraw(of: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private func answer(_ text: String, _ user: User) -> HandlerResult {
        site.redirect(to: Self.path + "#feed", showing: NoticeView(text: text), to: user)
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> TodayView {
        let token = try feeds.token(reads, of: user.userId)
        return TodayView(
            layout: try site.layout(reads, for: user, request, currentEntry: "/"),
            lines: try lines(reads, user),
            feedAddress: token.map { site.link(to: Self.address(of: $0), for: request).address })
    }

    private struct FeedJSON: Codable {
        let address: String
    }

    private func feed(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        guard let token = try feeds.token(reads, of: user.userId) else {
            throw RoostError.notFound("There is no feed. Make one.")
        }
        let link = site.link(to: Self.address(of: token), for: request)
        return .response(API.json(FeedJSON(address: link.address)))
    }

    private func lines(_ reads: Reads, _ user: User) throws -> TodayLinesView {
        let now = site.clock.now()
        let since = now.addingTimeInterval(-TodayLine.period)
        return TodayLinesView(
            lines: TodayLine.balanced(try site.features.today(reads, for: user, in: site, since: since)),
            since: since, now: now)
    }

    private static func address(of token: String) -> String {
        "/today/feeds/\(PathSegment(token))\(ending)"
    }

    private func document(_ request: Request) async throws -> HandlerResult {
        let name = request.parameters["token"]
        guard name.utf8.count > Self.ending.utf8.count, name.hasSuffix(Self.ending) else {
            throw RoostError.notFound("There is no such feed.")
        }
        let token = String(name.dropLast(Self.ending.count))
        let base = site.link(to: "", for: request).address
        let feed = try await site.database.read { reads in
            let user = try feeds.user(reads, token: token)
            return TodayFeed(
                view: try lines(reads, user), userId: user.userId, base: base,
                address: Self.address(of: token))
        }
        var response = Response.content(try feed.document(), type: TodayFeed.mediaType)
        response["Cache-Control"] = "private, no-cache"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return .response(response)
    }
}

private struct TodayJSON: Codable {
    struct Line: Codable {
        let source, text, address: String
        let summary: String?
    }

    let items: [Line]
    let next: API.Nullable<String>

    init(_ view: TodayLinesView) {
        next = API.Nullable(nil)
        items = view.lines.map {
            Line(source: $0.source, text: $0.text, address: $0.address, summary: $0.summary)
        }
    }
}
