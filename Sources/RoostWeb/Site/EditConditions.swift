import Accounts
import HTTPServer
import RoostSupport
import TextFormats

/// `ETag` and `If-Match` (RFC 9110, section 13.1.1) for everything in the API that can be read and edited at one address.
struct EditConditions: Sendable {
    private static let header = "If-Match"
    private static let attempts = 20

    private struct ChangedSince: Error {}

    let site: WebContext

    /// Adds `ETag` to the answers of these routes, and the check of `If-Match` to those that edit.
    func applied(to routes: [SiteRoute]) -> [SiteRoute] {
        let versioned = Self.versioned(routes)
        let readers = routes.filter { $0.method == .get && versioned.contains($0.pattern) }
        let reading = Dictionary(readers.map { ($0.pattern, $0) }) { first, _ in first }
        return routes.map { route in
            guard let reader = reading[route.pattern], let read = reader.route.asyncHandler,
                let handle = route.route.asyncHandler
            else { return route }
            guard Self.edits(route.method), !route.checksVersion else {
                return route.handled { Self.tagged(try await handle($0)) }
            }
            return route.handled { try await edit($0, handle, read, inTransaction: reader.reading) }
        }
    }

    /// The patterns of the API's routes that can be read and edited.
    static func versioned(_ routes: [SiteRoute]) -> Set<String> {
        let inAPI = routes.filter { $0.pattern.hasPrefix("/api/") }
        return Set(inAPI.filter { edits($0.method) }.map(\.pattern))
            .intersection(inAPI.filter { $0.method == .get }.map(\.pattern))
    }

    private static func edits(_ method: HTTPServer.Method) -> Bool {
        method == .patch || method == .put || method == .delete
    }

    /// Calls `handle` if the request names the present version or none. No other write comes between the check and the
    /// edit, which checks again in its own transaction.
    private func edit(
        _ request: Request, _ handle: Route.AsyncHandler, _ read: Route.AsyncHandler,
        inTransaction reading: RouteGuard.Reading<User>?
    ) async throws -> HandlerResult {
        guard let wanted = request.headers[Self.header] else { return Self.tagged(try await handle(request)) }
        for _ in 0..<Self.attempts {
            let moment = site.database.commitCount
            let current = try await read(request.reading)
            guard case .response(let response) = current else { return current }
            // The edit itself reports what is missing or not allowed.
            if [401, 403, 404].contains(response.status) { return try await handle(request) }
            guard response.status == 200 else { return current }
            guard let tag = Self.tag(of: response), Self.matches(wanted, tag) else {
                let failure = Failure(
                    412, "preconditionFailed", "Not changed",
                    "This has changed since you read it. Read it again.", field: Self.header)
                return .response(site.answer(failure, to: request))
            }
            let first = check(of: tag, since: moment, request, reading)
            defer { first.close() }
            do {
                return Self.tagged(
                    try await FirstWrite.$current.withValue(first) { try await handle(request) })
            } catch is ChangedSince {
                continue
            }
        }
        throw RoostError.unavailable("Too much is changing at once. Please try again.", retryAfter: 1)
    }

    /// Throws `ChangedSince` in the edit's transaction if it would not edit the version of the tag.
    private func check(
        of tag: String, since moment: Int, _ request: Request, _ reading: RouteGuard.Reading<User>?
    ) -> FirstWrite {
        let (database, user) = (site.database, site.visitors.visitor(of: request).user)
        let version = Self.version(of: Self.opaque(tag))
        return FirstWrite { writes in
            guard !database.isUnchanged(since: moment) else { return }
            guard let reading, let user,
                case .response(let response) = try reading(writes, request.reading, user),
                let now = Self.tag(of: response), Self.version(of: Self.opaque(now)) == version
            else { throw ChangedSince() }
        }
    }

    private static func tagged(_ result: HandlerResult) -> HandlerResult {
        guard case .response(var response) = result, let tag = tag(of: response) else { return result }
        response.etag = tag
        return .response(response)
    }

    /// "VERSION-DIGEST", or "DIGEST" if all that the answer shows belongs to the version. Nil for anything but JSON.
    private static func tag(of response: Response) -> String? {
        guard response.status == 200, response["Content-Type"] == "application/json",
            case .bytes(let bytes) = response.body
        else { return nil }
        let digest = API.digest(String(decoding: bytes, as: UTF8.self))
        guard let version = response.etag.map(opaque) else { return "\"\(digest)\"" }
        return "\"\(version)-\(digest)\""
    }

    private static func matches(_ wanted: String, _ tag: String) -> Bool {
        let present = version(of: opaque(tag))
        return wanted.splitBytes(at: ",").contains { part in
            let text = opaque(String(part).trimmed)
            return text == "*" || version(of: text) == present
        }
    }

    /// Without the mark of a weak tag, which compression adds, and the quotes.
    private static func opaque(_ tag: String) -> String {
        var text = tag.utf8[...]
        if text.starts(with: "W/".utf8) { text = text.dropFirst(2) }
        let quote = UInt8(ascii: "\"")
        if text.count >= 2, text.first == quote, text.last == quote { text = text.dropFirst().dropLast() }
        return String(Substring(text))
    }

    private static func version(of opaque: String) -> String {
        opaque.splitBytes(at: "-", maxSplits: 1).first.map(String.init) ?? ""
    }

    /// The version that an edit is based on, for a route that answers with both versions; nil for any.
    static func version(in request: Request) -> String? {
        guard let wanted = request.headers[header] else { return nil }
        let text = wanted.splitBytes(at: ",").first.map { opaque(String($0).trimmed) } ?? ""
        return text == "*" ? nil : version(of: text)
    }
}

extension Request {
    /// The version of `If-Match`, from the `ETag` that the client has read; nil if it accepts any.
    package var editedVersion: String? { EditConditions.version(in: self) }
}
