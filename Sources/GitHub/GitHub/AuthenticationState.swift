/// How far an account's sign-in has come. Back to unauthenticated by disconnecting, or when GitHub answers 401.
package enum AuthenticationState: String, Codable, Equatable, Hashable, Sendable, CaseIterable {
    case unauthenticated, authenticating, authenticated
}
