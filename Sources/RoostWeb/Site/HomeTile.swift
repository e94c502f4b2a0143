package import HTMLTemplates

/// A live summary of a feature on the home page.
package struct HomeTile: Sendable {
    package let name, address: String
    package let topics: [String]
    package let step: FirstStep?
    private let rendered: @Sendable (TemplateContext) -> RenderedView

    /// - Parameter address: fetched again when one of the topics changes
    package init<View: HTMLView & Sendable>(
        _ name: String, at address: String, topics: [String], _ view: View
    ) where View.Context == TemplateContext {
        self.init(name, at: address, topics: topics, view, step: nil)
    }

    package init<View: HTMLView & Sendable>(
        _ name: String, at address: String, topics: [String], _ view: View, step: FirstStep?
    ) where View.Context == TemplateContext {
        self.name = name
        self.address = address
        self.topics = topics
        self.step = step
        rendered = { RenderedView(view, in: $0) }
    }

    package func markup(in context: TemplateContext) -> RenderedView { rendered(context) }
}

package struct FirstStep: Sendable {
    package let name, purpose, address: String
    /// The page's name of the topic that changes when the step may have been done.
    package let topic: String
    package let isDone: Bool

    package init(_ name: String, _ purpose: String, at address: String, topic: String, isDone: Bool) {
        self.name = name
        self.purpose = purpose
        self.address = address
        self.topic = topic
        self.isDone = isDone
    }
}
