import Accounts
package import HTTPServer
import RoostSupport

/// `/changes` and `/api/v1/changes`: the long poll that reports which topics changed.
struct ChangesController: Sendable {
    private let site: WebContext
    private let extensions: [any PollExtension]

    init(site: WebContext) {
        self.site = site
        extensions = site.features.pollExtensions(in: site)
    }

    package func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        ["/changes", "/api/v1/changes"].map {
            guarded.poll(
                $0, query: [.texts("topics"), "cursor", "wait", "after"],
                api: .answersAtLeast(ChangesJSON.self, "Waits until one of the topics changes."), changes)
        }
    }

    private static let topicLimit = 32

    /// Each poll also watches the user's account, because the session or token may end while it waits.
    private func changes(_ request: Request, _ visitor: Visitor, _ responder: Responder) throws {
        guard let user = visitor.user else { return }
        let names = (request.query["topics"] ?? "").splitBytes(at: ",").map(String.init)
        guard names.count <= Self.topicLimit else {
            throw RoostError.invalid(field: "topics", why: "Too many topics.")
        }
        let pairs = try names.flatMap { name in
            guard let topics = site.features.topics(named: name, for: user) else {
                throw RoostError.notAllowed("One of these topics isn’t yours or doesn’t exist.")
            }
            if case .bearer(_, let token) = visitor {
                let area = site.features.tokenArea(ofTopic: name, for: user)
                guard token.allows(.read, in: area?.key) else {
                    throw RoostError.notAllowed(RouteGuard.missingScope(.read, in: area))
                }
            }
            return topics.map { (name: name, topic: $0) }
        }
        var permissions: [String: Bool] = [:]
        for name in names { permissions[name] = mayWatch(name, user) }
        let undecided = names.filter { permissions[$0] == nil }
        guard !undecided.isEmpty else {
            return answer(request, pairs.filter { permissions[$0.name] == true }, user, responder)
        }
        // A deferred handler must not block, so the database reads run in a task.
        Task { [permissions] in
            do {
                var permissions = permissions
                for name in undecided { permissions[name] = try await admits(name, user) }
                answer(request, pairs.filter { permissions[$0.name] == true }, user, responder)
            } catch {
                responder.respond(site.answer(Failure(error), to: request))
            }
        }
    }

    /// Returns nil if only the database can answer.
    private func mayWatch(_ name: String, _ user: User) -> Bool? {
        var isDecided = true
        for part in extensions {
            switch part.mayWatch(name, user) {
            case true?: continue
            case false?: return false
            case nil: isDecided = false
            }
        }
        return isDecided ? true : nil
    }

    private func admits(_ name: String, _ user: User) async throws -> Bool {
        for part in extensions {
            guard try await part.admits(name, for: user) else { return false }
        }
        return true
    }

    private func answer(
        _ request: Request, _ pairs: [(name: String, topic: String)], _ user: User, _ responder: Responder
    ) {
        let names = pairs.map(\.name)
        for part in extensions { part.polled(request, topics: names, by: user) }
        site.features.requestRefresh(of: names, for: user)
        site.answer(
            request, responder, whenChanged: pairs.map(\.topic) + [Topic.account(user.userId)],
            named: names + [nil]
        ) { changed in
            extensions.compactMap { $0.news(for: request, changed: changed, of: user) }
        }
    }
}

private struct ChangesJSON: Codable {
    let changed: [String]
    let cursor: String
    let version: String

    /// Appends the JSON of the contents unchanged.
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
    /// Answers a long poll when a topic changes, with the client's own names for the topics. A topic without a name
    /// ends the wait but is not reported.
    ///
    /// - Parameters:
    ///   - hasNews: answers at once, because there is content to send already
    ///   - contents: returns additional content; called with the changed names, if anything changed or `hasNews` is
    ///     true
    package func answer(
        _ request: Request, _ responder: Responder, whenChanged topics: [String], named names: [String?],
        hasNews: Bool = false,
        carrying contents: @escaping @Sendable ([String]) -> [PollContent] = { _ in [] }
    ) {
        let version = assets.version
        // After an outage, a page checks whether the server is back and expects an immediate answer.
        let isImmediate = hasNews || request.query["wait"] == "0"
        let timeout = isImmediate ? .zero : Duration.milliseconds(Int.random(in: 25_000...30_000))
        feed.wait(
            for: topics, after: request.query["cursor"], atMost: timeout, isOpen: { responder.isOpen }
        ) { news in
            responder.respond {
                let changedTopics = Set(news.changed)
                var changed: [String] = []
                for case (let topic, let name?) in zip(topics, names)
                where changedTopics.contains(topic) && !changed.contains(name) {
                    changed.append(name)
                }
                let contents = changed.isEmpty && !hasNews ? [] : contents(changed)
                // Equal keys mean equal bytes: an answer for a thousand clients is encoded and compressed once.
                let key = (changed + contents.map(\.key)).joined(separator: ",")
                return news.shared(key) {
                    let answer = ChangesJSON(changed: changed, cursor: news.cursor, version: version)
                    return PreparedResponse(answer.response(with: contents))
                }
            }
        }
    }
}
