import Foundation
import Synchronization
import TestSupport

/// A small GitHub: tokens that a test issues, and answers that it sets for single addresses.
final class GitHubScript: Sendable {
    typealias Response = ScriptedUpstream.Response
    typealias Request = ScriptedUpstream.Request

    struct Person: Sendable {
        var login: String
        /// Nil for a fine-grained token, which has none.
        var scopes: String? = "repo, read:org"
        var teams: [String] = []
    }

    private struct State {
        var people: [String: Person] = [:]
        /// By the address without its query: "/api/v3/user".
        var answers: [String: @Sendable (Request) -> Response] = [:]
    }

    private let state = Mutex(State())
    /// For scripts around this one that hold answers back.
    let isAsleep = Shared(false)

    /// Accepts a token from now on, or with nil no longer.
    func set(_ token: String, to person: Person?) { state.withLock { $0.people[token] = person } }

    /// Sets the answer for an address; nil restores the default.
    func set(_ address: String, _ answer: (@Sendable (Request) -> Response)?) {
        state.withLock { $0.answers[address] = answer }
    }

    /// Sets the answers for an address in turn; the last one is repeated.
    func set(_ address: String, inTurn answers: [Response]) {
        let left = Shared(answers)
        set(address) { _ in
            let now = left.value
            if now.count > 1 { left.set(Array(now.dropFirst())) }
            return now[0]
        }
    }

    func answer(_ request: Request) -> Response {
        let address = String(request.target.prefix { $0 != "?" })
        let (answer, people) = state.withLock { ($0.answers[address], $0.people) }
        if let answer { return answer(request) }
        let token = request.headers["authorization"].map { String($0.dropFirst("Bearer ".count)) }
        guard let person = token.flatMap({ people[$0] }) else { return Self.badCredentials }
        let headers = Self.budget() + (person.scopes.map { ["X-OAuth-Scopes: \($0)"] } ?? [])
        switch address {
        case "/api/v3/user":
            let body =
                #"{"login":"\#(person.login)","name":"\#(person.login.capitalized)","avatar_url":null}"#
            return Response(headers: headers, body: body)
        case "/api/v3/user/teams":
            let teams = person.teams.map { team in
                let parts = team.split(separator: "/")
                return #"{"slug":"\#(parts[1])","organization":{"login":"\#(parts[0])"}}"#
            }
            return Response(headers: headers, body: "[\(teams.joined(separator: ","))]")
        default: return Response(status: 404, headers: headers, body: #"{"message":"Not Found"}"#)
        }
    }

    static let badCredentials = Response(
        status: 401, headers: budget(remaining: 59, limit: 60), body: #"{"message":"Bad credentials"}"#)

    /// The limit resets in an hour.
    static func budget(
        _ resource: String = "core", remaining: Int = 4_990, limit: Int = 5_000,
        reset: Date = TestClock.start + 3_600
    ) -> [String] {
        [
            "X-RateLimit-Limit: \(limit)", "X-RateLimit-Remaining: \(remaining)",
            "X-RateLimit-Reset: \(Int(reset.timeIntervalSince1970))", "X-RateLimit-Resource: \(resource)",
        ]
    }

    static func json(_ body: String, status: Int = 200, headers: [String] = []) -> Response {
        Response(status: status, headers: headers, body: body)
    }
}
