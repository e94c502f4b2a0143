/// The base URL of the simulated GitHub, and the URLs of its pages and API.
struct GitHubBaseURL: Sendable, Equatable {
    /// "http://127.0.0.1:43121"
    let web: String

    var api: String { web + "/api/v3" }

    func page(_ pull: SimulatedPull) -> String { "\(web)/\(pull.key.replacing("#", with: "/pull/"))" }

    func page(_ repository: SimulatedRepository) -> String { "\(web)/\(repository.fullName)" }

    func page(_ repository: RepositorySnapshot) -> String { "\(web)/\(repository.fullName)" }

    func page(_ person: SimulatedPerson) -> String { "\(web)/\(person.isBot ? "apps/" : "")\(person.login)" }

    func avatar(_ number: Int) -> String { "\(web)/avatars/u/\(number)?v=4" }

    /// Returns whole seconds like GitHub: `2026-02-17T15:56:31Z`.
    static func time(_ milliseconds: Int) -> String { "\(Timestamp.text(milliseconds).dropLast(5))Z" }
}
