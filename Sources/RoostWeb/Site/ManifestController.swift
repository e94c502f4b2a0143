import HTTPServer

/// What other apps on the device may share with Roost (Web Share Target): the form's address and field names.
package struct ShareTarget: Encodable, Sendable {
    package let action: String
    package let method = "GET"
    package let params: [String: String]

    package init(at action: String, params: [String: String]) {
        self.action = action
        self.params = params
    }

    private enum CodingKeys: CodingKey { case action, method, params }
}

/// `/manifest.webmanifest` makes Roost installable as an app (W3C Web App Manifest). It is the same for everyone, so
/// guests may read it too. Browsers ignore it on plain HTTP, except from the machine that Roost runs on.
struct ManifestController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.everyone(.get, "/manifest.webmanifest", manifest)]
    }

    private struct Manifest: Encodable {
        struct Icon: Encodable {
            let src, sizes, type: String
            var purpose = "any"
        }

        struct Shortcut: Encodable {
            let name, short_name, url: String
            let icons: [Icon]
        }

        let id = "/"
        let name = "Roost"
        let short_name = "Roost"
        let lang = "en"
        let start_url = "/"
        let scope = "/"
        let display = "standalone"
        let background_color = "#f7f6f3"
        let theme_color = "#f7f6f3"
        let icons: [Icon]
        let shortcuts: [Shortcut]
        let share_target: ShareTarget?
    }

    private func manifest(_ request: Request) async throws -> HandlerResult {
        let manifest = Manifest(
            icons: [
                icon("favicon.svg", "any"), icon("app-192.png", "192x192"), icon("app-512.png", "512x512"),
                icon("maskable-192.png", "192x192", purpose: "maskable"),
                icon("maskable-512.png", "512x512", purpose: "maskable"),
            ].compactMap(\.self),
            shortcuts: site.features.navigationEntries.filter { $0.count != nil }.map(shortcut),
            share_target: site.features.shareTarget)
        var response = try Response.json(manifest)
        response["Content-Type"] = "application/manifest+json"
        response["Cache-Control"] = "no-cache"
        response.etag = "\"\(site.assets.files.version)\""
        return .response(response)
    }

    /// A shortcut in the app icon's menu. Systems show four, so only the places with counts have one.
    private func shortcut(_ entry: NavigationEntry) -> Manifest.Shortcut {
        Manifest.Shortcut(
            name: entry.name, short_name: entry.short ?? entry.name, url: entry.address,
            icons: [icon("shortcut-\(entry.icon).png", "96x96")].compactMap(\.self))
    }

    private func icon(_ name: String, _ sizes: String, purpose: String = "any") -> Manifest.Icon? {
        site.assets.files.address(of: "icons/\(name)").map { address in
            let type = name.hasSuffix(".svg") ? "image/svg+xml" : "image/png"
            return Manifest.Icon(src: address, sizes: sizes, type: type, purpose: purpose)
        }
    }
}
