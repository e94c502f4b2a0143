import HTTPServer

/// `/_simulator/github`: controls pull requests, repositories, tokens and limits, in JSON.
///
///     GET      the state: number of open pull requests, each person's token, waiting devices
///     POST     one or more of:
///              {"request": {"login": "ada"} or {"team": "lovelace-labs/platform"}, "pull": KEY (optional)}
///              {"open": {"repository", "title", "body", "author", "draft", "labels"}}    all of them optional
///              {"comment" | "thread": {"pull": KEY, "author", "text"}}
///              {"review": {"pull": KEY, "author", "state": "APPROVED"}}
///              {"approve": {"pull": KEY, "author"}}
///              {"push": {"pull": KEY, "files", "largeLines"}}    "largeLines" of one more file, with its whole patch
///              {"merge" | "close" | "fail" | "pass" | "ready" | "resolve": {"pull": KEY}}
///              {"queue" | "autoMerge" | "conflict": {"pull": KEY}}
///              {"assign" | "dismiss": {"pull": KEY, "author"}}    to ada, or her approval with a push
///              {"token": {"value", "login", "scopes"}}, {"revoke": {"login"} or {"token"}}
///              {"limit": {"login", "resource": "graphql", "remaining": 0, "limit": 60}}
///                                        login "" means signed out; without a login: ada
///              {"repository": {"fullName", "rename", "archived", "stars", "delete", "private", "readers",
///                              "description", "language", "topics", "homepage", "readme"}}
///                                        all but the first optional; "readme" is HTML
///              {"device": {"decision": "approve" | "deny" | "expire", "code", "login"}}
///              {"app": {"clientID", "clientSecret", "interval", "deviceFlowDisabled"}}
///     DELETE   undoes everything
///
/// With recordings, GET lists the recorded errors, and POST {"error": NAME, "path", "count"} activates one.
///
/// KEY is "owner/name#number". The response's `pull` is the one that changed.
struct GitHubControlAPI: Sendable {
    private static let path = "/_simulator/github"
    let simulation: GitHubSimulation?
    let recorded: RecordedGitHub?

    var routes: [Route] {
        [
            Route(.get, Self.path, .async { _ in .response(try get()) }),
            Route(.post, Self.path, .async { .response(try post($0)) }),
            Route(
                .delete, Self.path,
                .async { _ in
                    recorded?.clear()
                    simulation?.restore()
                    return .response(try get())
                }),
        ]
    }

    private var simulated: GitHubSimulation {
        get throws {
            guard let simulation else { throw RequestError.malformed("a recorded GitHub cannot be changed") }
            return simulation
        }
    }

    private struct RecordedErrors: Encodable {
        let errors: [String]
    }

    private struct RecordedError: Decodable {
        let error: String
        let path: String?
        let count: Int?
    }

    private func get() throws -> Response {
        if let recorded { return try .json(RecordedErrors(errors: recorded.errorNames)) }
        return try .json(state(of: simulated))
    }

    private func post(_ request: Request) throws -> Response {
        if let recorded {
            let command = try request.json(RecordedError.self)
            guard recorded.replay(error: command.error, path: command.path ?? "", count: command.count) else {
                let names = recorded.errorNames.joined(separator: ", ")
                throw RequestError.malformed("error: one of \(names)")
            }
            return try get()
        }
        let command = try request.json(GitHubCommand.self)
        let gitHub = try simulated
        do {
            let pull = try command.run(on: gitHub)
            return try .json(state(of: gitHub, pull))
        } catch let error as GitHubSimulation.UnknownName {
            throw RequestError.malformed(error.description)
        }
    }

    private struct State: Encodable {
        struct Pull: Encodable {
            let key: String
            let title: String
            let state: String
        }

        struct Device: Encodable {
            let userCode: String
            let verdict: String
        }

        let open: Int
        let tokens: [String: String]
        let devices: [Device]
        let deviceFlowDisabled: Bool
        var pull: Pull?
    }

    private func state(of gitHub: GitHubSimulation, _ pull: SimulatedPull? = nil) -> State {
        let signIns = gitHub.signIns.current
        return State(
            open: gitHub.world.moment().open.count,
            tokens: Dictionary(
                SimulatedCast.people.map { ($0.login, GitHubTokens.classic(of: $0.login)) },
                uniquingKeysWith: { first, _ in first }),
            devices: signIns.devices.map { .init(userCode: $0.userCode, verdict: $0.verdict.rawValue) },
            deviceFlowDisabled: signIns.isDeviceFlowDisabled,
            pull: pull.map { .init(key: $0.key, title: $0.title, state: $0.state.rawValue) })
    }
}
