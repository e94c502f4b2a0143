package import HTTPServer
import RoostSupport

/// The frame of a page for a visitor who is not signed in: no navigation, nothing about any user.
package struct GuestLayoutView: Sendable {
    package let assets: String
    package let theme: LayoutView.Theme
    package let formToken: String?

    package init(assets: String, theme: LayoutView.Theme = .auto, formToken: String?) {
        self.assets = assets
        self.theme = theme
        self.formToken = formToken
    }

    var isThemeAuto: Bool { theme == .auto }
    var isThemeLight: Bool { theme == .light }
    var isThemeDark: Bool { theme == .dark }
}

/// The frame and the cookie that binds the forms of visitors without a session.
package struct GuestLayout {
    package let view: GuestLayoutView
    private let cookie: Response.Header?

    package init(_ site: WebContext, _ request: Request) {
        let secret = Secret.make(bytes: 16)
        let existingToken = site.visitors.formToken(for: request, scope: .account)
        let isSecure = site.visitors.caller(of: request).isSecure
        cookie = existingToken == nil ? SiteCookie.guest.header(secret, isSecure: isSecure) : nil
        view = GuestLayoutView(
            assets: site.assets.address, theme: request.theme,
            formToken: existingToken ?? FormToken(secret: secret, scope: .account).masked)
    }

    /// Returns the page as a response that sets the cookie. Caches must not store it.
    package func html(_ page: some WholePage, _ site: WebContext, status: Int = 200, hasForms: Bool = true)
        -> Response
    {
        var response = site.html(page, status: status, hasForms: hasForms)
        if let cookie { response.headers.append(cookie) }
        return response
    }
}
