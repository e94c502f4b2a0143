package import Foundation
package import GitHub
import TextFormats

/// `/settings/github/accounts`: what is connected, and the sign-in that is under way.
package struct GitHubAccountsView: Sendable {
    package let rows: [GitHubAccountRow]
    package let signIn: GitHubAccountService.SignIn
    package let offersDeviceFlow: Bool
    package let trusted: String
    package let now: Date

    /// - Parameter trusted: the web address of the GitHub that is signed in at: only there a link leads
    package init(
        rows: [GitHubAccountRow], signIn: GitHubAccountService.SignIn, offersDeviceFlow: Bool,
        trusted: String, now: Date
    ) {
        self.rows = rows
        self.signIn = signIn
        self.offersDeviceFlow = offersDeviceFlow
        self.trusted = trusted
        self.now = now
    }

    package static let sample = GitHubAccountsView(
        rows: GitHubAccountRow.samples,
        signIn: .waiting(
            .init(
                userCode: "WDJB-MJHT", verificationURI: "https://github.com/login/device",
                expiresAt: .sample + 840)),
        offersDeviceFlow: true, trusted: "https://github.com", now: .sample)

    var accountRows: [GitHubAccountRow] { rows }
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
