import RoostWeb

/// `/settings/components`: the pages' components in all their states, with example values. Only the demo has it.
struct ComponentsFeature: Feature {
    static let path = "/settings/components"

    let settingsTabs: [SettingsTab] = [.components]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path) { reads, request, user in
                let layout = try guarded.site.layout(
                    reads, for: user, request, currentEntry: SettingsTabs.path)
                return .response(
                    guarded.site.html(ComponentsView(layout: layout, isOwner: user.role == .owner)))
            }
        ]
    }
}

extension SettingsTab {
    static let components = SettingsTab("Components", at: ComponentsFeature.path, in: .owner)
}
