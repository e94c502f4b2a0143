import Foundation
package import HTTPClient
package import RoostSupport
import TextFormats

/// GitHub's HTTP interface: URLs, headers, and limits of size and time.
///
/// Facts: `UPSTREAMS.md` (GitHub's documentation and recorded responses).
package struct GitHubAPI: Sendable {
    struct Call: Sendable {
        var method = "GET"
        let url: String
        let host: GitHubHost
        var token: GitHubToken?
        var etag: String?
        var body: [UInt8]?
        var mediaType = "application/json"
        /// The sign-in endpoints respond with form data unless asked for JSON.
        var accept = "application/json"
        /// "core", "search" or "graphql": the rate limit that the request counts against.
        var resource = "core"
        var timeout = Duration.seconds(20)
        /// In bytes. A hundred search results with the longest texts are smaller.
        var maximumBytes = 16 * 1_024 * 1_024
        /// Any status from 200 to 299 is a success, and the request is never repeated.
        var isAct = false
    }

    /// A success: 200, or 304 for a request with an ETag. Acts have others, such as 201.
    struct Response: Sendable {
        let status: Int
        let body: Data
        var links: [String: String] = [:]
        var etag: String?
        var budget: RateBudget?
        /// In seconds. Set on a success because GraphQL reports rate limits with status 200.
        var retryAfter: Double?
        /// Nil for fine-grained tokens.
        var scopes: Set<String>?
    }

    package static let json = "application/vnd.github+json"
    /// The content of a file.
    static let raw = "application/vnd.github.raw"
    /// Of the content of a file.
    static let maximumFileBytes = 5 << 20
    private static let maximumRedirects = 3

    private let client: HTTPClient
    let secrets: SecretRedactor
    let clock: WallClock

    /// - Parameter secrets: replaced wherever a response repeats them
    package init(client: HTTPClient, secrets: SecretRedactor = SecretRedactor(), clock: WallClock) {
        self.client = client
        self.secrets = secrets
        self.clock = clock
    }

    /// Fetches a path below the API's root, with its query. Throws `GitHubFailure` and `CancellationError`.
    func get(
        _ path: String, at host: GitHubHost, token: GitHubToken?, etag: String? = nil,
        accept: String = GitHubAPI.json, within timeout: Duration = .seconds(20)
    ) async throws -> Response {
        var call = Call(url: host.apiURL + path, host: host, token: token, etag: etag)
        call.accept = accept
        call.resource = Self.resource(of: path)
        call.timeout = timeout
        // One byte more shows that the file is larger.
        if accept == Self.raw { call.maximumBytes = Self.maximumFileBytes + 1 }
        return try await send(call)
    }

    /// Throws `GitHubFailure` and `CancellationError`.
    func graphQL(
        query: String, variables: [String: GraphQLVariable], at host: GitHubHost, token: GitHubToken?
    ) async throws -> Response {
        try await send(Self.call(query: query, variables: variables, at: host, token: token))
    }

    /// A mutation is an act.
    static func call(
        query: String, variables: [String: GraphQLVariable], at host: GitHubHost, token: GitHubToken?
    ) throws -> Call {
        struct Body: Encodable {
            let operationName: String?
            let query: String
            let variables: [String: GraphQLVariable]
        }
        let name = query.prefixMatch(of: #/(?:query|mutation) (\w+)/#).map { String($0.1) }
        var call = Call(method: "POST", url: host.graphQLURL, host: host, token: token)
        call.accept = Self.json
        let body = Body(operationName: name, query: query, variables: variables)
        call.body = Array(try JSONEncoder().encode(body))
        call.resource = "graphql"
        call.isAct = query.hasPrefix("mutation ")
        return call
    }

    /// Sends a request that changes something, with a JSON body. Throws `GitHubFailure` and `CancellationError`.
    func act(
        _ method: String, _ path: String, body: Data, at host: GitHubHost, token: GitHubToken?
    ) async throws -> Response {
        var call = Call(method: method, url: host.apiURL + path, host: host, token: token)
        call.accept = Self.json
        call.body = Array(body)
        call.isAct = true
        return try await send(call)
    }

    /// If the response does not name a rate limit.
    static func resource(of path: String) -> String { path.hasPrefix("/search/") ? "search" : "core" }

    /// Follows redirects within the same origin.
    func send(_ call: Call) async throws -> Response {
        let response = hiding(try await answer(to: call), own: call.token?.value)
        let now = clock.now()
        let budget = RateBudget(headers: response.headers, resource: call.resource, now: now)
        let isExpected =
            response.status == 200 || response.status == 304 && call.etag != nil
            || call.isAct && (200...299).contains(response.status)
        guard isExpected else {
            throw GitHubFailure(
                response: response, budget: budget, host: call.host, now: now
            ) { secrets.redacted(in: $0, own: call.token?.value) }
        }
        return Response(
            status: response.status, body: Data(response.body),
            links: Self.links(response.headers, call.host),
            etag: Self.etag(response.headers), budget: budget,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) },
            scopes: Self.scopes(response.headers))
    }

    /// Removes secrets that the response repeats, since its text may be shown or logged. Runs before any text is
    /// shortened, which could leave part of a secret.
    private func hiding(_ response: ClientResponse, own: String?) -> ClientResponse {
        response.replacing(
            body: secrets.redacted(in: response.body, own: own), value: { secrets.redacted(in: $0, own: own) }
        )
    }

    /// Sends a sign-in form. Accepts any status below 500 if `read` understands the body, because refusals have no
    /// fixed status. Throws `GitHubFailure` otherwise.
    func form<Value>(_ call: Call, _ read: (Data) -> Value?) async throws -> Value {
        let response = try await answer(to: call)
        let isLimit = response.status == 429 || response.headers["retry-after"] != nil
        if response.status < 500, !isLimit, let value = read(Data(response.body)) { return value }
        guard response.status != 200 else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "not a JSON object")
        }
        throw GitHubFailure(
            response: hiding(response, own: nil), budget: nil, host: call.host, now: clock.now()
        ) { secrets.redacted(in: $0) }
    }

    private func answer(to call: Call) async throws -> ClientResponse {
        var request = ClientRequest(call.method, call.url, headers: Self.headers(call), body: call.body)
        request.ifNoneMatch = call.etag
        request.upstream = "github"
        request.totalTimeout = call.timeout
        request.maximumBytes = call.maximumBytes
        request.publicAddressesOnly = !call.host.isTrusted
        request.isSentOnce = call.isAct
        let deadline = ContinuousClock.now + call.timeout
        for _ in 0...Self.maximumRedirects {
            let response: ClientResponse
            do {
                response = try await client.send(request)
            } catch {
                if case .cancelled = error { throw CancellationError() }
                throw GitHubFailure(transport: error)
            }
            guard let next = Self.redirect(response, of: request) else { return response }
            request.url = next
            request.totalTimeout = max(.milliseconds(1), deadline - .now)
        }
        throw GitHubFailure(transport: .tooManyRedirects)
    }

    private static func headers(_ call: Call) -> [(String, String)] {
        var headers = [("Accept", call.accept)]
        if call.accept.containsBytes("github") { headers.append(("X-GitHub-Api-Version", "2022-11-28")) }
        if let token = call.token { headers.append(("Authorization", "Bearer \(token.value)")) }
        if call.body != nil { headers.append(("Content-Type", call.mediaType)) }
        return headers
    }

    /// Nil for a redirect to another origin, which must not see the token.
    private static func redirect(_ response: ClientResponse, of request: ClientRequest) -> String? {
        let isRepeated = request.method == "GET" ? [301, 302, 307, 308] : [307, 308]
        guard isRepeated.contains(response.status), let location = response.headers["location"],
            let origin = WebOrigin(within: request.url)
        else { return nil }
        if location.utf8.starts(with: "/".utf8), !location.utf8.starts(with: "//".utf8) {
            return origin.text + location
        }
        return WebOrigin(within: location) == origin && !location.containsBytes("@") ? location : nil
    }
}

extension GitHubAPI.Response {
    func user() throws -> AuthenticatedUser {
        do {
            return try UpstreamJSON.decode(AuthenticatedUser.self, from: body)
        } catch {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: status), status: status,
                detail: "no user in \(body.count) bytes")
        }
    }

    /// A proxy's error page or a maintenance page, for example.
    var isHTML: Bool { firstByte == UInt8(ascii: "<") }

    private var firstByte: UInt8? { body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } }

    /// False for a body that isn't GraphQL, and for errors without data. Large bodies count as data, because error
    /// responses are short.
    var hasGraphQLData: Bool {
        guard firstByte == UInt8(ascii: "{") else { return false }
        let has = { [body] (text: String) in body.range(of: Data(text.utf8)) != nil }
        guard body.count <= Self.maximumLimitBytes, has("\"errors\"") || !has("\"data\"") else { return true }
        return (try? GraphQLEnvelope(body, now: .distantPast))?.hasData == true
    }

    /// Rate limit responses are short; longer bodies are not searched for a message.
    private static let maximumLimitBytes = 64 * 1_024

    /// Reads the budget from the body if the headers have none, and throws the rate limit that GraphQL reports with
    /// status 200. Reads the body only if it may contain either: the caller reads a large one anyway.
    mutating func checkGraphQL(now: Date) throws {
        let has = { [body] (text: String) in body.range(of: Data(text.utf8)) != nil }
        let mayBeLimit =
            has("\"RATE_LIMIT")
            || body.count <= Self.maximumLimitBytes && (has("rate limit") || has("abuse detection"))
        guard mayBeLimit || budget == nil && has("\"rateLimit\"") else { return }
        guard let answer = try? GraphQLEnvelope(body, now: now) else { return }
        budget = budget ?? answer.budget
        if let message = answer.limit { throw limit(message, now: now) }
    }

    private func limit(_ message: String, now: Date) -> GitHubFailure {
        let isSecondary = retryAfter != nil || GitHubFailure.isSecondaryLimitMessage(message)
        let reset = budget.map { $0.resetAt.timeIntervalSince(now) }.flatMap { $0 > 0 ? $0 : nil }
        var failure = GitHubFailure(
            limitedFor: isSecondary ? retryAfter.map { min($0, 86_400) } : reset,
            isSecondary ? .everything : .resource, status: status,
            detail: "status \(status): \(String(message.unicodeScalars.prefix(160)))", now: now)
        failure.budget = budget
        return failure
    }
}

extension RateBudget {
    /// Returns nil if a header is missing: some Enterprise servers send none.
    ///
    /// - Parameter resource: the resource to use if `x-ratelimit-resource` is missing
    init?(headers: ClientHeaders, resource: String, now: Date) {
        let prefix = "x-ratelimit-"
        guard let limit = headers[prefix + "limit"].flatMap(Int.init), limit >= 0,
            let remaining = headers[prefix + "remaining"].flatMap(Int.init), remaining >= 0,
            let reset = headers[prefix + "reset"].flatMap(Double.init), reset.isFinite, reset > 0
        else { return nil }
        let named = headers[prefix + "resource"].flatMap { name in
            name.utf8.count <= 40 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? name : nil
        }
        self.init(
            resource: named ?? resource, limit: limit, remaining: remaining,
            resetAt: min(Date(timeIntervalSince1970: reset), now + RateBudget.maximumWindow))
    }
}

extension GitHubAPI {
    /// Parses `X-OAuth-Scopes: repo, read:org`. Returns nil if the header is missing.
    static func scopes(_ headers: ClientHeaders, named name: String = "x-oauth-scopes") -> Set<String>? {
        headers[name].map { text in
            let names = text.splitBytes(at: ",").map { String($0).trimmed }
            return Set(names.filter { !$0.isEmpty && $0.utf8.count <= 60 }.prefix(100))
        }
    }

    /// Returns nil for a value that could not be sent back in a request header.
    static func etag(_ headers: ClientHeaders) -> String? {
        headers["etag"].flatMap { tag in
            tag.utf8.count <= 200 && tag.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? tag : nil
        }
    }

    /// Parses `Link: <https://api.github.com/user/teams?page=2>; rel="next"` (RFC 8288) into paths below the API's
    /// root.
    ///
    /// Ignores a link's host, so requests only go to the account's own host.
    static func links(_ headers: ClientHeaders, _ host: GitHubHost) -> [String: String] {
        var links: [String: String] = [:]
        for line in headers.all("link").prefix(4)
        // ASCII only, so that each byte is a Character of its own.
        where line.utf8.count <= 8_192 && line.utf8.allSatisfy({ $0 < 0x80 }) {
            for match in line.matches(of: #/<([^<>]+)>([^<]*)/#) {
                guard let name = match.2.firstMatch(of: #/rel="?([A-Za-z]+)"?/#),
                    let path = path(of: String(match.1), at: host)
                else { continue }
                links[String(name.1)] = path
            }
        }
        return links
    }

    /// Returns nil for the URI templates (`{?since}`) that GitHub also sends as links.
    private static func path(of link: String, at host: GitHubHost) -> String? {
        guard !link.containsBytes("{"), let origin = link.firstMatch(of: #/^https?://[^/?#]+/#) else {
            return nil
        }
        let path = String(link[origin.range.upperBound...])
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let root = host.apiURL.firstMatch(of: #/^https?://[^/]+/#).map { host.apiURL[$0.range.upperBound...] }
        guard let root, !root.isEmpty, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count))
    }
}

/// Decodes an upstream's JSON, which may be hostile: users may connect any GitHub server.
///
/// For short answers. `JSONReader` reads lists: it takes a seventh of the time for 200 pull requests with their reviews
/// (7 instead of 52 ms), and half of it for 100 repositories.
enum UpstreamJSON {
    /// Far more than in real answers. Decoding can take hundreds of bytes of memory for a value of two bytes.
    private static let maximumValues = 500_000

    /// Throws `JSONReader.Malformed` for text that isn't JSON or exceeds a limit, and `DecodingError`.
    static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        try JSONReader.check(body, maximumValues: maximumValues)
        return try JSONDecoder().decode(type, from: body)
    }
}
