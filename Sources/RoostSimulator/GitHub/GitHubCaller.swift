/// The author of a request, and what the token allows.
struct GitHubCaller: Sendable, Equatable {
    /// Nil when signed out.
    let login: String?
    /// The scopes of a classic or OAuth token. Nil for a fine-grained token, which has none.
    let scopes: [String]?

    static let anonymous = GitHubCaller(login: nil, scopes: [])

    var person: SimulatedPerson? { login.flatMap { SimulatedCast.person($0) } }

    func has(_ scopes: String...) -> Bool { self.scopes.map { !Set($0).isDisjoint(with: scopes) } ?? false }

    /// Private repositories are visible with the scope `repo` and to fine-grained tokens.
    func canSee(_ repository: SimulatedRepository) -> Bool {
        !repository.isPrivate || canSeePrivate
    }

    var canSeePrivate: Bool { login != nil && (scopes == nil || has("repo")) }

    var canSeeTeams: Bool { has("read:org", "write:org", "admin:org", "read:discussion") }
}
