import Foundation
package import HTTPClient
package import RoostSupport

/// GitHub's HTTP interface: addresses, headers and limits of size and time stand here and nowhere else.
///
/// Facts: `UPSTREAMS.md` (GitHub's documentation and recorded answers).
package struct GitHubAPI: Sendable {
    /// One request, and what bounds it.
    struct Call: Sendable {
        var method = "GET"
        let url: String
        let host: GitHubHost
        var token: GitHubToken?
        var etag: String?
        var body: [UInt8]?
        var mediaType = "application/json"
        /// Sign-in speaks another dialect: it answers forms with forms unless it is asked for JSON.
        var accept = "application/json"
        /// "core", "search", "graphql": whose limit it counts against.
        var resource = "core"
        var timeout = Duration.seconds(20)
        /// In bytes; a hundred found issues with the longest texts take less.
        var maximumBytes = 16 * 1_024 * 1_024
    }

    /// A success: 200, or the 304 that was asked for.
    struct Response: Sendable {
        let status: Int
        let body: Data
        var links: [String: String] = [:]
        var etag: String?
        var budget: RateBudget?
        /// In seconds: GraphQL tells a limit with status 200.
        var retryAfter: Double?
        /// Of the token; nil where GitHub names none (fine-grained tokens).
        var scopes: Set<String>?
    }

    /// The usual form of an answer.
    package static let json = "application/vnd.github+json"
    private static let maximumRedirects = 3

    private let client: HTTPClient
    let secrets: KnownSecrets
    let clock: WallClock

    /// - Parameter secrets: what no answer may repeat
    package init(client: HTTPClient, secrets: KnownSecrets = KnownSecrets(), clock: WallClock) {
        self.client = client
        self.secrets = secrets
        self.clock = clock
    }

    /// A path below the API's root with its query. Throws `GitHubFailure`, and `CancellationError`.
    func get(
        _ path: String, at host: GitHubHost, token: GitHubToken?, etag: String? = nil,
        accept: String = GitHubAPI.json, within timeout: Duration = .seconds(20)
    ) async throws -> Response {
        var call = Call(url: host.apiURL + path, host: host, token: token, etag: etag)
        call.accept = accept
        call.resource = Self.resource(of: path)
        call.timeout = timeout
        return try await send(call)
    }

    /// Throws `GitHubFailure`, and `CancellationError`.
    func graphQL(
        query: String, variables: [String: GraphQLVariable], at host: GitHubHost, token: GitHubToken?
    ) async throws -> Response {
        struct Body: Encodable {
            /// As the document names it; nil without a name.
            let operationName: String?
            let query: String
            let variables: [String: GraphQLVariable]
        }
        let name = query.prefixMatch(of: #/query (\w+)/#).map { String($0.1) }
        var call = Call(method: "POST", url: host.graphQLURL, host: host, token: token)
        call.accept = Self.json
        let body = Body(operationName: name, query: query, variables: variables)
        call.body = Array(try JSONEncoder().encode(body))
        call.resource = "graphql"
        return try await send(call)
    }

    /// Whose limit a path counts against, where the answer does not say.
    static func resource(of path: String) -> String { path.hasPrefix("/search/") ? "search" : "core" }

    /// Sends, follows redirects within the same origin, and judges the answer.
    func send(_ call: Call) async throws -> Response {
        let response = hiding(try await answer(to: call), own: call.token?.value)
        let now = clock.now()
        let budget = RateBudget(headers: response.headers, resource: call.resource, now: now)
        let isExpected = response.status == 200 || response.status == 304 && call.etag != nil
        guard isExpected else {
            throw GitHubFailure(
                response: response, budget: budget, host: call.host, now: now
            ) { secrets.hidden(in: $0, own: call.token?.value) }
        }
        return Response(
            status: response.status, body: Data(response.body),
            links: Self.links(response.headers, call.host),
            etag: Self.etag(response.headers), budget: budget,
            retryAfter: response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) },
            scopes: Self.scopes(response.headers))
    }

    /// What an answer says may be shown or logged one day: a secret that it repeats is taken out at once, before any text of it
    /// is shortened.
    private func hiding(_ response: ClientResponse, own: String?) -> ClientResponse {
        response.replacing(
            body: secrets.hidden(in: response.body, own: own), value: { secrets.hidden(in: $0, own: own) })
    }

    /// Sends a form of the sign-in. What `read` makes of the body counts with every status below 500, for refusals
    /// have no fixed one; anything else is a failure.
    func form<Value>(_ call: Call, _ read: (Data) -> Value?) async throws -> Value {
        let response = try await answer(to: call)
        let isLimit = response.status == 429 || response.headers["retry-after"] != nil
        if response.status < 500, !isLimit, let value = read(Data(response.body)) { return value }
        guard response.status != 200 else {
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "no JSON object")
        }
        throw GitHubFailure(
            response: hiding(response, own: nil), budget: nil, host: call.host, now: clock.now()
        ) { secrets.hidden(in: $0) }
    }

    /// The final answer, whatever its status.
    private func answer(to call: Call) async throws -> ClientResponse {
        var request = ClientRequest(call.method, call.url, headers: Self.headers(call), body: call.body)
        request.ifNoneMatch = call.etag
        request.totalTimeout = call.timeout
        request.maximumBytes = call.maximumBytes
        request.publicAddressesOnly = !call.host.isTrusted
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

    /// Where a 3xx sends the same request within its own origin; the token never goes to another.
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
