import RoostWeb

/// `/`: first steps for a new user, and a live tile for each feature that has something to show.
struct HomeView: PageView, Sendable {
    static let scripts = ["alert-notifications"]

    let layout: LayoutView
    let steps: FirstStepsView
    let tiles: [TileFields]

    init(
        layout: LayoutView, steps: FirstStepsView = .none, tiles: [HomeTile]
    ) {
        self.layout = layout
        self.steps = steps
        let context = TemplateContext(assets: layout.assets, formToken: layout.formToken)
        self.tiles = tiles.map { TileFields(tile: $0, markup: $0.markup(in: context)) }
    }
}

struct TileFields {
    let tile: HomeTile
    let markup: RenderedView
    var tileTopics: String { tile.topics.joined(separator: " ") }
}

/// `/first-steps`: part of the home page until they are done or hidden.
struct FirstStepsView: Sendable {
    let steps: [FirstStep]

    static let none = FirstStepsView(steps: [])

    var isOpen: Bool { !steps.isEmpty }
    var topics: String? { steps.isEmpty ? nil : steps.map(\.topic).joined(separator: " ") }
}
