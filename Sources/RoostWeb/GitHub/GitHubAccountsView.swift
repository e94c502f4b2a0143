import Foundation
import GitHub
import TextFormats

/// `/settings/github/accounts`: what is connected, and the sign-in that is under way.
struct GitHubAccountsView: Sendable {
    let rows: [GitHubAccountRow]
    let signIn: GitHubAccountService.SignIn
    let offersDeviceFlow: Bool
    /// The web address of the GitHub that is signed in at: only there a link leads.
    let trusted: String
    let now: Date
    var hasAccounts: Bool { !rows.isEmpty }
    var showsDeviceFlow: Bool { offersDeviceFlow || signIn != .none }
    var isNotSigningIn: Bool { signIn == .none }
    var isStarting: Bool { signIn == .starting }
    var deviceCode: String? { device?.userCode }
    var devicePlace: String? { device.map { Self.bare($0.verificationURI) } }
    var codeEnds: String? { device.map { ISO8601.seconds($0.expiresAt) } }
    var codeEndsIn: String? { device.map { RelativeTime.until($0.expiresAt, now: now) } }

    /// What has changed, for those who do not see it.
    var accountsSaid: String {
        let count = rows.count { $0.account.state == .authenticated }
        return count == 1 ? "One account is connected." : "\(count) accounts are connected."
    }

    private var device: GitHubAccountService.DeviceCode? {
        if case .waiting(let device) = signIn { device } else { nil }
    }

    var ending: TimedText? {
        if case .ended(let words) = signIn { TimedText(words) } else { nil }
    }

    /// The link is GitHub's word: it leads to that GitHub, or there is none.
    var devicePage: String? {
        guard let address = device?.verificationURI, address.hasPrefix(trusted + "/") else { return nil }
        return address
    }

    /// "github.com/login/device".
    private static func bare(_ address: String) -> String {
        ["https://", "http://"].first(where: address.hasPrefix).map { String(address.dropFirst($0.count)) }
            ?? address
    }
}
