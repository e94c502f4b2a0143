struct GitHubFaultyResponse {
    let fault: Fault
    let original: SimulatedResponse
    let now: Int

    /// Nil for faults that are the same for all upstreams.
    var answer: SimulatedResponse? {
        switch fault {
        case .gitHub(let own, let number): return answer(own, number)
        case .rateLimited(let seconds, _): return waiting(429, seconds)
        case .serverError(let status, _): return GitHubResponse.failure(status, "Server Error")
        case .html(let status) where status != 200:
            var page = GitHubResponse.unicorn
            page.status = status
            return page
        default: return nil
        }
    }

    private func answer(_ fault: GitHubFault, _ number: Int?) -> SimulatedResponse {
        switch fault {
        case .primary: return exhausted(GitHubResponse.limited(.anonymous), number)
        case .secondary: return waiting(403, number ?? 60)
        case .secondaryBare: return waiting(403, nil)
        case .tooMany: return waiting(429, number ?? 60)
        case .unauthorised: return signedOut(GitHubResponse.badCredentials)
        case .forbidden:
            return GitHubResponse.failure(403, "Resource protected by organization SAML enforcement.")
        case .notFound, .graphQLMissing: return GitHubResponse.notFound
        case .unicorn: return GitHubResponse.unicorn
        case .graphQLLimit: return exhausted(GitHubGraphQL.limited(.anonymous), number)
        case .graphQLForbidden: return GitHubResponse.notAccessible("pull_requests=read")
        case .graphQLForeign: return GitHubResponse.graphQL(Array(#"{"status":"ok"}"#.utf8))
        case .graphQLBroken:
            let message =
                "Something went wrong while executing your query. Please include `C0DE:1234` when "
                + "reporting this issue."
            return GitHubResponse.graphQL(Array(#"{"data":null,"errors":[{"message":"\#(message)"}]}"#.utf8))
        case .graphQLPartial: return PartialResponse(original).answer
        case .actScope, .actNotAllowed, .actHead, .actInvalid: return Self.refusal(fault)
        }
    }

    static func refusal(_ fault: GitHubFault) -> SimulatedResponse {
        switch fault {
        case .actNotAllowed: return GitHubActs.notMergeable
        case .actHead: return GitHubActs.otherHead
        case .actInvalid: return GitHubActs.unprocessable("This pull request is locked")
        default: return GitHubActs.missingScope
        }
    }

    private func waiting(_ status: Int, _ seconds: Int?) -> SimulatedResponse {
        var answer = GitHubResponse.secondary
        answer.status = status
        if let seconds { answer.headers.append(.init("Retry-After", String(seconds))) }
        return answer
    }

    private func exhausted(_ answer: SimulatedResponse, _ seconds: Int?) -> SimulatedResponse {
        let limit = original.header("X-RateLimit-Limit").flatMap { Int($0) } ?? 5_000
        let end = now + (seconds ?? 60) * 1_000
        var answer = answer
        answer.headers += GitHubHeaders.limits(
            .init(limit: limit, used: limit, resetsAt: end), original.header("X-RateLimit-Resource") ?? "core"
        )
        return answer
    }

    /// Adds the limits of a signed-out caller (recorded 2020-03).
    private func signedOut(_ answer: SimulatedResponse) -> SimulatedResponse {
        var answer = answer
        answer.headers += GitHubHeaders.limits(
            .init(limit: 60, used: 1, resetsAt: now + Timestamp.hour), "core")
        return answer
    }
}

struct PartialResponse {
    private let original: SimulatedResponse
    private var errors: [String] = []

    init(_ original: SimulatedResponse) {
        self.original = original
    }

    var answer: SimulatedResponse {
        var copy = self
        return copy.makeAnswer()
    }

    private mutating func makeAnswer() -> SimulatedResponse {
        let whole = RawJSON(original.body[...])
        guard let data = whole?["data"]?.members else { return original }
        errors = whole?["errors"]?.elements?.map(\.text) ?? []
        var json = JSONWriter(capacity: original.body.count)
        json.object { json in
            json.key("data")
            json.object { json in
                for (key, value) in data {
                    json.key(key)
                    search(key, value, &json)
                }
            }
            guard !errors.isEmpty else { return }
            json.key("errors")
            json.array { json in
                for error in errors { json.raw(error) }
            }
        }
        var answer = original
        answer.body = json.bytes
        return answer
    }

    private mutating func search(_ key: String, _ value: RawJSON, _ json: inout JSONWriter) {
        if let nodes = value.elements {
            json.array { json in thin(nodes, &json) }
            errors += nodes.indices.filter { $0 % 3 == 2 }.map { Self.error("\"\(key)\"", $0) }
            return
        }
        guard value["nodes"]?.elements != nil, let members = value.members else {
            return json.raw(value.bytes)
        }
        json.object { json in
            for (name, member) in members {
                json.key(name)
                guard name == "nodes", let nodes = member.elements else {
                    json.raw(member.bytes)
                    continue
                }
                json.array { json in thin(nodes, &json) }
                errors += nodes.indices.filter { $0 % 3 == 2 }.map { Self.error("\"\(key)\",\"nodes\"", $0) }
            }
        }
    }

    private func thin(_ nodes: [RawJSON], _ json: inout JSONWriter) {
        for (index, node) in nodes.enumerated() {
            if index % 3 == 2 { json.raw("null") } else { json.raw(node.bytes) }
        }
    }

    private static func error(_ path: String, _ index: Int) -> String {
        #"{"type":"FORBIDDEN","path":[\#(path),\#(index)],"extensions":{"saml_failure":true},"#
            + #""locations":[{"line":1,"column":1}],"message":"Resource protected by organization SAML "#
            + #"enforcement. You must grant your Personal Access token access to this organization."}"#
    }
}
