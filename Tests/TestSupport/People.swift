package import Accounts
package import RoostServices
import RoostSupport

extension Services {
    /// The owner, who is created if necessary.
    package func owner() async throws -> User {
        try await identity.accounts.load()
        guard let owner = identity.accounts.firstOwner else {
            throw RoostError.notFound("There is no owner.")
        }
        return owner
    }

    /// A token that never expires.
    package func token(for name: String, scope: APIToken.Scope) async throws -> String {
        _ = try await owner()
        return try await identity.tokens.make(
            TokenService.TokenRequest(scope: scope), for: identity.accounts.user(named: name)
        )
        .token
    }
}
