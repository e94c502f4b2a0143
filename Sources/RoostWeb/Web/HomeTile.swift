import HTMLTemplates

/// A live part of the home page: a feature in brief.
struct HomeTile: Sendable {
    let name, address: String
    let topics: [String]
    /// How a new user begins to use the feature.
    let step: FirstStep?
    private let rendered: @Sendable (TemplateContext) -> RenderedView

    /// - Parameters:
    ///   - name: its accessible name
    ///   - address: where it is fetched again when one of the topics changes
    ///   - topics: as pages name them
    init<View: HTMLView & Sendable>(
        _ name: String, at address: String, topics: [String], _ view: View
    ) where View.Context == TemplateContext {
        self.init(name, at: address, topics: topics, view, step: nil)
    }

    init<View: HTMLView & Sendable>(
        _ name: String, at address: String, topics: [String], _ view: View, step: FirstStep?
    ) where View.Context == TemplateContext {
        self.name = name
        self.address = address
        self.topics = topics
        self.step = step
        rendered = { RenderedView(view, in: $0) }
    }

    func markup(in context: TemplateContext) -> RenderedView { rendered(context) }
}

/// What a new user does first, ticked when it is done.
struct FirstStep: Sendable {
    let name, purpose, address: String
    /// The topic that says that it may have been done, as pages name it.
    let topic: String
    let isDone: Bool

    /// - Parameter address: where it is done
    init(_ name: String, _ purpose: String, at address: String, topic: String, isDone: Bool) {
        self.name = name
        self.purpose = purpose
        self.address = address
        self.topic = topic
        self.isDone = isDone
    }

    var stepName: String { self.name }
}
