import HTTPServer
import RoostServices

/// `/changes`: the long poll that tells a browser what to fetch again.
struct ChangesController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.poll("/changes", changes)]
    }

    /// More topics than any page has.
    private static let topicLimit = 32

    /// Watched by every poll: the session or token of the request may end meanwhile, and its user is told.
    private func changes(_ request: Request, _ visitor: Visitor, _ responder: Responder) throws {
        guard let user = visitor.user else { return }
        let names = (request.query["topics"] ?? "").splitBytes(at: ",").map(String.init)
        guard names.count <= Self.topicLimit else {
            throw RoostError.invalid(field: "topics", why: "There are too many topics.")
        }
        let pairs = try names.flatMap { name in
            guard let topics = site.topics(named: name, for: user) else {
                throw RoostError.notAllowed("One of these topics is not yours, or does not exist.")
            }
            return topics.map { (name: name, topic: $0) }
        }
        for name in names {
            for feature in site.features { feature.want(name, for: user, in: site.services) }
        }
        site.answer(
            request, responder, whenChanged: pairs.map(\.topic) + [Topic.account(user.userId)],
            named: pairs.map(\.name) + [nil])
    }
}

private struct ChangesJSON: Encodable {
    let changed: [String]
    let cursor: String
    let version: String
}

extension WebContext {
    /// Answers a long poll when a topic changes, in the client's own names for them; one without a name only ends the
    /// wait.
    func answer(
        _ request: Request, _ responder: Responder, whenChanged topics: [String], named names: [String?]
    ) {
        let version = version
        // After an outage a page asks whether the server is back, and expects an answer at once.
        let isImmediate = request.query["wait"] == "0"
        let timeout = isImmediate ? .zero : Duration.milliseconds(Int.random(in: 25_000...30_000))
        services.feed.wait(
            for: topics, after: request.query["cursor"], atMost: timeout, isOpen: { responder.isOpen }
        ) { news in
            let heard = Set(news.changed)
            var changed: [String] = []
            for case (let topic, let name?) in zip(topics, names)
            where heard.contains(topic) && !changed.contains(name) {
                changed.append(name)
            }
            responder.respond(API.json(ChangesJSON(changed: changed, cursor: news.cursor, version: version)))
        }
    }
}
