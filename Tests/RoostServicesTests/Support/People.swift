@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

extension Services {
    /// The owner, read or made.
    func owner() async throws -> User {
        try await accounts.load()
        guard let owner = accounts.firstOwner else { throw RoostError.notFound("There is no owner.") }
        return owner
    }

    /// A token that never ends.
    func token(for name: String, scope: APIToken.Scope) async throws -> String {
        _ = try await owner()
        return try await tokens.make(TokenService.TokenRequest(scope: scope), for: accounts.user(named: name))
            .token
    }
}
