import HTTPServer
import RoostServices

/// `/changes`: the long poll that tells a browser what to fetch again.
struct ChangesPages: Sendable {
    let site: Site

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.poll("/changes", changes)]
    }

    private struct NewsJSON: Encodable {
        let changed: [String]
        let cursor: String
        let version: String
    }

    /// More topics than any page has.
    private static let topicLimit = 32

    /// Asked by the page's poller: the request's own session or token may end meanwhile, and its user hears of that.
    private func changes(_ request: Request, _ visitor: Visitor, _ responder: Responder) throws {
        guard let user = visitor.user else { return }
        let names = (request.query["topics"] ?? "").splitBytes(at: ",").map(String.init)
        guard names.count <= Self.topicLimit else {
            throw RoostError.invalid(field: "topics", why: "There are too many topics.")
        }
        let pairs = try names.flatMap { name in
            try Self.topics(name, for: user).map { (name: name, topic: $0) }
        }
        let topics = pairs.map(\.topic)
        if topics.contains(Topic.prices) { site.services.prices.want() }
        // Under its other name, "inbox", the topic is only overheard.
        if names.contains("pulls") || names.contains(Topic.pulls(user.userId)) {
            site.services.pulls.want(user.userId)
        }
        wait(
            for: topics + [Topic.account(user.userId)], named: pairs.map(\.name) + [nil], request, responder)
    }

    /// Answers when a topic changes, in the client's own names for them; one without a name only ends the wait.
    func wait(for topics: [String], named names: [String?], _ request: Request, _ responder: Responder) {
        let version = site.version
        // After an outage a page asks whether we are back, and wants to know at once.
        let isHurried = request.query["wait"] == "0"
        let patience = isHurried ? .zero : Duration.milliseconds(Int.random(in: 25_000...30_000))
        site.services.feed.wait(
            for: topics, after: request.query["cursor"], atMost: patience, isOpen: { responder.isOpen }
        ) { news in
            let heard = Set(news.changed)
            var changed: [String] = []
            for case (let topic, let name?) in zip(topics, names)
            where heard.contains(topic) && !changed.contains(name) {
                changed.append(name)
            }
            responder.respond(API.json(NewsJSON(changed: changed, cursor: news.cursor, version: version)))
        }
    }

    /// The topics behind a client's name for them: what all know of repositories and what this person alone knows are
    /// one thing to a page.
    private static func topics(_ name: String, for user: User) throws -> [String] {
        guard name == Topic.repositories else { return [try topic(name, for: user)] }
        return [Topic.repositories, Topic.repositories(user.userId)]
    }

    /// The topic behind a client's name for it; throws for one that it may not hear of.
    private static func topic(_ name: String, for user: User) throws -> String {
        switch name {
        case Topic.prices, Topic.coins, Topic.pictures: name
        case "pulls", "inbox", Topic.pulls(user.userId): Topic.pulls(user.userId)
        case "waiting", Topic.waiting(user.userId): Topic.waiting(user.userId)
        case "github", Topic.github(user.userId): Topic.github(user.userId)
        case "watchlist", Topic.watchlist(user.userId): Topic.watchlist(user.userId)
        case Topic.repositories(user.userId): Topic.repositories(user.userId)
        case "bookmarks", Topic.bookmarks(user.userId): Topic.bookmarks(user.userId)
        case "account", Topic.account(user.userId): Topic.account(user.userId)
        case Topic.members where user.role == .owner: Topic.members
        case "displays", Topic.displays(user.userId): Topic.displays(user.userId)
        default: throw RoostError.notAllowed("One of these topics is not yours, or does not exist.")
        }
    }
}
