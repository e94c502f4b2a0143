import Accounts
import HTTPServer
import RoostSupport

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
        var known: [String: Bool] = [:]
        for name in names { known[name] = mayWatch(name, user) }
        let unsure = names.filter { known[$0] == nil }
        guard !unsure.isEmpty else {
            return answer(request, pairs.filter { known[$0.name] == true }, user, responder)
        }
        // In a task: a deferred handler must not wait.
        Task { [known] in
            do {
                var known = known
                for name in unsure { known[name] = try await admits(name, user) }
                answer(request, pairs.filter { known[$0.name] == true }, user, responder)
            } catch {
                responder.respond(site.answer(Failure(error), to: request))
            }
        }
    }

    /// Nil where only the disk says so.
    private func mayWatch(_ name: String, _ user: User) -> Bool? {
        var isSure = true
        for feature in site.features {
            switch feature.mayWatch(name, user, in: site.services) {
            case true?: continue
            case false?: return false
            case nil: isSure = false
            }
        }
        return isSure ? true : nil
    }

    private func admits(_ name: String, _ user: User) async throws -> Bool {
        for feature in site.features {
            guard try await feature.admits(name, for: user, in: site.services) else { return false }
        }
        return true
    }

    private func answer(
        _ request: Request, _ pairs: [(name: String, topic: String)], _ user: User, _ responder: Responder
    ) {
        let names = pairs.map(\.name)
        for feature in site.features {
            feature.polled(request, topics: names, by: user, in: site.services)
            for name in names { feature.want(name, for: user, in: site.services) }
        }
        site.answer(
            request, responder, whenChanged: pairs.map(\.topic) + [Topic.account(user.userId)],
            named: names + [nil]
        ) { changed in
            site.features.compactMap { $0.news(for: request, changed: changed, of: user, in: site) }
        }
    }
}

private struct ChangesJSON: Encodable {
    let changed: [String]
    let cursor: String
    let version: String

    /// The bytes of the contents are put in as they are.
    func response(with contents: [PollContent]) -> Response {
        var response = API.json(self)
        guard !contents.isEmpty, case .bytes(var bytes) = response.body, bytes.popLast() == UInt8(ascii: "}")
        else { return response }
        for content in contents { bytes += Array(",\"\(content.name)\":".utf8) + content.json() }
        bytes.append(UInt8(ascii: "}"))
        response.body = .bytes(bytes)
        return response
    }
}

extension WebContext {
    /// Answers a long poll when a topic changes, in the client's own names for them; one without a name only ends the
    /// wait.
    ///
    /// - Parameters:
    ///   - hasNews: whether there is something to carry already: the answer comes at once
    ///   - contents: what the answer carries besides the names, by the names of what changed; asked for where something
    ///     did, or where there is something already
    func answer(
        _ request: Request, _ responder: Responder, whenChanged topics: [String], named names: [String?],
        hasNews: Bool = false,
        carrying contents: @escaping @Sendable ([String]) -> [PollContent] = { _ in [] }
    ) {
        let version = version
        // After an outage a page asks whether the server is back, and expects an answer at once.
        let isImmediate = hasNews || request.query["wait"] == "0"
        let timeout = isImmediate ? .zero : Duration.milliseconds(Int.random(in: 25_000...30_000))
        services.feed.wait(
            for: topics, after: request.query["cursor"], atMost: timeout, isOpen: { responder.isOpen }
        ) { news in
            responder.respond {
                let heard = Set(news.changed)
                var changed: [String] = []
                for case (let topic, let name?) in zip(topics, names)
                where heard.contains(topic) && !changed.contains(name) {
                    changed.append(name)
                }
                let contents = changed.isEmpty && !hasNews ? [] : contents(changed)
                // Equal keys, equal bytes: a thousand answers are written, and compressed, once.
                let key = (changed + contents.map(\.key)).joined(separator: ",")
                return news.shared(key) {
                    let answer = ChangesJSON(changed: changed, cursor: news.cursor, version: version)
                    return PreparedResponse(answer.response(with: contents))
                }
            }
        }
    }
}
