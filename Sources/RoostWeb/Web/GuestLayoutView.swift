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
