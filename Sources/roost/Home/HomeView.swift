import RoostWeb

/// `/`: what is new and what waits, first steps for a new user, and a live tile for each feature.
struct HomeView: PageView, Sendable {
    static let scripts = ["alert-notifications", "home"]

    let layout: LayoutView
    let summary: HomeSummaryView
    let steps: FirstStepsView
    let tiles: [TileFields]

    init(
        layout: LayoutView, steps: FirstStepsView = .none, tiles: [HomeTile],
        preferences: HomePreferences = HomePreferences()
    ) {
        self.layout = layout
        self.steps = steps
        summary = HomeSummaryView(tiles: tiles)
        let context = TemplateContext(assets: layout.assets, formToken: layout.formToken)
        self.tiles = tiles.map {
            TileFields(
                tile: $0, size: preferences.size(of: $0.kind), width: preferences.width(of: $0.kind),
                markup: $0.markup(in: context))
        }
    }

    /// Prices change often, and pictures say nothing.
    var summaryTopics: String {
        let topics = tiles.flatMap(\.tile.topics).filter { $0 != "pictures" && !$0.hasPrefix("prices") }
        return Set(topics + [HomeController.topic]).sorted().joined(separator: " ")
    }
}

struct TileFields {
    let tile: HomeTile
    let size: HomePreferences.Size
    let width: HomePreferences.Width
    let markup: RenderedView

    var tileKey: String { tile.kind.key }
    var sizeName: String { size.rawValue }
    /// Nil for one column.
    var widthName: String? { width == .column ? nil : width.rawValue }
    var tileTopics: String { (tile.topics + [HomeController.topic]).joined(separator: " ") }
}

/// `/home/summary`: what changed since the last visit and what waits, in the order of the tiles.
struct HomeSummaryView: Sendable {
    private static let limit = 6

    let sentences: [String]

    init(tiles: [HomeTile]) { sentences = Array(tiles.flatMap(\.sentences).prefix(Self.limit)) }

    /// A new user has first steps to read instead.
    var isQuiet: Bool { sentences.isEmpty }
    var text: String { sentences.isEmpty ? "Nothing waits for you." : sentences.joined(separator: " ") }
}

/// `/first-steps`: part of the home page until they are done or hidden.
struct FirstStepsView: Sendable {
    let steps: [FirstStep]

    static let none = FirstStepsView(steps: [])

    var isOpen: Bool { !steps.isEmpty }
    var topics: String? { steps.isEmpty ? nil : steps.map(\.topic).joined(separator: " ") }
}
