import HTTPServer
import RoostSupport

/// What surrounds a page for a visitor who is not signed in: no navigation, and nothing about any user.
struct GuestLayoutView: Sendable {
    let assets: String
    let theme: LayoutView.Theme
    let formToken: String?

    /// - Parameters:
    ///   - assets, theme: as in `LayoutView`
    ///   - formToken: goes into the form as `token`
    init(assets: String, theme: LayoutView.Theme = .auto, formToken: String?) {
        self.assets = assets
        self.theme = theme
        self.formToken = formToken
    }

    var isThemeAuto: Bool { theme == .auto }
    var isThemeLight: Bool { theme == .light }
    var isThemeDark: Bool { theme == .dark }
}

/// The frame of pages for visitors without a session, with the cookie that their forms are bound to.
struct GuestLayout {
    let view: GuestLayoutView
    private let cookie: Response.Header?

    init(_ site: WebContext, _ request: Request) {
        let secret = Secret.make(bytes: 16)
        let known = site.formToken(for: request, scope: .account)
        let isSecure = site.forwarding.caller(of: request).isSecure
        cookie = known == nil ? SiteCookie.guest.header(secret, isSecure: isSecure) : nil
        view = GuestLayoutView(
            assets: site.assets, theme: request.theme,
            formToken: known ?? FormToken(secret: secret, scope: .account).masked)
    }

    /// The page with its cookie; no cache stores either.
    func html(_ page: some WholePage, _ site: WebContext, status: Int = 200, hasForms: Bool = true)
        -> Response
    {
        var response = site.html(page, status: status, hasForms: hasForms)
        if let cookie { response.headers.append(cookie) }
        return response
    }
}
