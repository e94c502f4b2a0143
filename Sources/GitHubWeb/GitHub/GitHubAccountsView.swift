import Foundation
import GitHub
import RoostWeb
import TextFormats

/// `/settings/github/accounts`: connected accounts and a sign-in in progress.
struct GitHubAccountsView: Sendable {
    let rows: [GitHubAccountRow]
    let signIn: GitHubAccountService.SignIn
    let offersDeviceFlow: Bool
    /// The web address of the GitHub used to sign in; the page links only there.
    let trusted: String
    let now: Date
    var hasAccounts: Bool { !rows.isEmpty }
    var showsDeviceFlow: Bool { offersDeviceFlow || signIn != .none }
    var isNotSigningIn: Bool { signIn == .none }
    var isStarting: Bool { signIn == .starting }
    var deviceCode: String? { device?.userCode }
    var devicePageText: String? { device.map { Self.withoutScheme($0.verificationURI) } }
    var codeEnds: String? { device.map { ISO8601.seconds($0.expiresAt) } }
    var codeEndsIn: String? { device.map { RelativeTime.until($0.expiresAt, now: now) } }

    /// Announced to screen readers after changes.
    var accountsAnnouncement: String {
        let count = rows.count { $0.account.state == .authenticated }
        return count == 1 ? "One account is connected." : "\(count) accounts are connected."
    }

    private var device: GitHubAccountService.DeviceCode? {
        if case .waiting(let device) = signIn { device } else { nil }
    }

    var ending: TimedText? {
        if case .ended(let message) = signIn { TimedText(message) } else { nil }
    }

    /// GitHub supplies this address, so the page links to it only if it is on the trusted host.
    var devicePage: String? {
        guard let address = device?.verificationURI, address.hasPrefix(trusted + "/") else { return nil }
        return address
    }

    /// Returns for example "github.com/login/device".
    private static func withoutScheme(_ address: String) -> String {
        ["https://", "http://"].first(where: address.hasPrefix).map { String(address.dropFirst($0.count)) }
            ?? address
    }
}
