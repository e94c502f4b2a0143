import RoostWeb

/// `/settings/home`.
struct HomeSettingsView: PageView, Sendable {
    static let scripts = ["home-settings"]

    let layout: LayoutView
    let tabs: SettingsTabs
    let tiles: [TileSettings]
    let error: String?

    init(
        layout: LayoutView, _ preferences: HomePreferences, _ kinds: [TileKind], error: String? = nil,
        isOwner: Bool
    ) {
        self.layout = layout
        self.error = error
        tabs = SettingsTabs(.home, in: layout, isOwner: isOwner)
        let arranged = preferences.arranged(kinds)
        tiles = arranged.enumerated().map { index, kind in
            TileSettings(
                kind: kind, isShown: !preferences.hidden.contains(kind.key), size: preferences.size(of: kind),
                width: preferences.width(of: kind), isFirst: index == 0,
                isLast: index == arranged.count - 1)
        }
    }
}

struct TileSettings {
    let kind: TileKind
    let isShown: Bool
    let size: HomePreferences.Size
    let width: HomePreferences.Width
    let isFirst, isLast: Bool

    var tileKey: String { kind.key }
    var tileName: String { kind.name }
    var sizes: [SelectOption] {
        HomePreferences.Size.allCases.map {
            SelectOption(value: $0.rawValue, text: "Up to \($0.rows) rows", isChosen: $0 == size)
        }
    }
    var widths: [SelectOption] {
        HomePreferences.Width.allCases.map {
            SelectOption(value: $0.rawValue, text: $0.text, isChosen: $0 == width)
        }
    }
}
