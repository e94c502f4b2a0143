package import Foundation
package import RoostServices

/// `/settings/github/accounts`: what is connected, and the sign-in that is under way.
package struct GitHubAccountsView: TemplateView {
    package static let template = "github/accounts"

    package let rows: [GitHubAccountRow]
    package let signIn: GitHubAccountService.SignIn
    package let offersDeviceFlow: Bool
    package let trusted: String
    package let formToken: String?
    package let now: Date
    private let rowParts: [Part]

    /// - Parameters:
    ///   - trusted: the web address of the GitHub that is signed in at: only there a link leads
    ///   - formToken: as in `LayoutView`; the fragment is rendered without one around it
    package init(
        rows: [GitHubAccountRow], signIn: GitHubAccountService.SignIn, offersDeviceFlow: Bool,
        trusted: String,
        formToken: String?, now: Date
    ) {
        self.rows = rows
        self.signIn = signIn
        self.offersDeviceFlow = offersDeviceFlow
        self.trusted = trusted
        self.formToken = formToken
        self.now = now
        rowParts = rows.map(Part.init)
    }

    package static let sample = GitHubAccountsView(
        rows: GitHubAccountRow.samples,
        signIn: .waiting(
            .init(
                userCode: "WDJB-MJHT", verificationURI: "https://github.com/login/device",
                expiresAt: .sample + 840)),
        offersDeviceFlow: true, trusted: "https://github.com", formToken: "sample-token", now: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "accountRows": rowParts
        case "hasAccounts": !rows.isEmpty
        case "accountsSaid": said
        case "offersDeviceFlow": offersDeviceFlow || signIn != .none
        case "isNotSigningIn": signIn == .none
        case "isStarting": signIn == .starting
        case "deviceCode": device?.userCode
        case "devicePage": devicePage
        case "devicePlace": device.map { Self.bare($0.verificationURI) }
        case "codeEnds": device.map { AgeText.iso($0.expiresAt) }
        case "codeEndsIn": device.map { AgeText.until($0.expiresAt, now: now) }
        case "ending": ending
        case "formToken": formToken
        default: nil
        }
    }

    /// What has changed, for those who do not see it.
    private var said: String {
        let count = rows.count { $0.account.state == .authenticated }
        return count == 1 ? "One account is connected." : "\(count) accounts are connected."
    }

    private var device: GitHubAccountService.DeviceCode? {
        if case .waiting(let device) = signIn { device } else { nil }
    }

    private var ending: String? {
        if case .ended(let words) = signIn { words } else { nil }
    }

    /// The link is GitHub's word: it leads to that GitHub, or there is none.
    private var devicePage: String? {
        guard let address = device?.verificationURI, address.hasPrefix(trusted + "/") else { return nil }
        return address
    }

    /// "github.com/login/device".
    private static func bare(_ address: String) -> String {
        ["https://", "http://"].first(where: address.hasPrefix).map { String(address.dropFirst($0.count)) }
            ?? address
    }
}
