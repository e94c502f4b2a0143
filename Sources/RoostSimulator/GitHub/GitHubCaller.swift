/// Who asks the simulated GitHub, and what the token allows.
struct GitHubCaller: Sendable, Equatable {
    /// Nil: signed out.
    let login: String?
    /// Of a classic token or an OAuth one; nil: a fine-grained one, which has none.
    let scopes: [String]?

    static let nobody = GitHubCaller(login: nil, scopes: [])

    var person: SimulatedPerson? { login.flatMap { SimulatedCast.person($0) } }

    func has(_ scopes: String...) -> Bool { self.scopes.map { !Set($0).isDisjoint(with: scopes) } ?? false }

    /// Private repositories show with the scope `repo`, and to fine-grained tokens.
    func sees(_ repository: SimulatedRepository) -> Bool {
        !repository.isPrivate || seesPrivate
    }

    var seesPrivate: Bool { login != nil && (scopes == nil || has("repo")) }

    /// Whether teams are told apart in GraphQL.
    var seesTeams: Bool { has("read:org", "write:org", "admin:org", "read:discussion") }
}
