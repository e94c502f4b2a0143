package import Foundation

/// Something that happened to accounts, for the owners to read.
package struct AuditEntry: Equatable, Sendable, Identifiable {
    /// What happened.
    package enum Kind: String, Sendable, CaseIterable {
        case setUp, joined, signedIn, signInFailed, signedOut, sessionEnded, sessionsEnded
        case passwordChanged, passwordReset, resetLinkMade
        case roleChanged, userAdded, userRemoved
        case tokenMade, tokenRevoked, tokensRevoked, joinLinkMade, joinLinkRevoked
        case gitHubConnected, gitHubDisconnected, gitHubExpired

        /// Those of the log's filter "sign-ins"; all others are changes.
        package var isSignIn: Bool {
            switch self {
            case .signedIn, .signInFailed, .signedOut, .sessionEnded, .sessionsEnded: true
            default: false
            }
        }
    }

    package let id: Int64
    package let at: Date
    package let kind: Kind
    /// Who did it, by the user name (what one is called besides, others may be called as well); empty for a stranger.
    package let actor: String
    /// To whom, where that is somebody else; else empty.
    package let subject: String
    /// From where.
    package let address: String
    /// More in words: the role, the token's name, the device.
    package let detail: String
}
