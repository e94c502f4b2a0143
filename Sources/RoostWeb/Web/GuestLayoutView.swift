/// What surrounds a page for a visitor who is not signed in: no navigation, and nothing about any user.
package struct GuestLayoutView: Sendable {
    package let assets: String
    package let theme: LayoutView.Theme
    package let formToken: String?

    /// - Parameters:
    ///   - assets, theme: as in `LayoutView`
    ///   - formToken: goes into the form as `token`
    package init(assets: String, theme: LayoutView.Theme = .auto, formToken: String?) {
        self.assets = assets
        self.theme = theme
        self.formToken = formToken
    }

    package static let sample = GuestLayoutView(assets: LayoutView.sample.assets, formToken: "sample-token")

    var isThemeLight: Bool { theme == .light }
    var isThemeDark: Bool { theme == .dark }
}
