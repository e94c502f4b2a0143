package import HTMLTemplates

package typealias HTMLTileView = HTMLView & Sendable & SendableMetatype

/// A live summary of a feature on the home page.
package struct HomeTile: Sendable {
    package let kind: TileKind
    /// As the page names them.
    package let topics: [String]
    package let step: FirstStep?
    /// Sentences for the top of the page, most urgent first: "Grace wrote."
    package let sentences: [String]
    private let rendered: @Sendable (TemplateContext) -> RenderedView

    package init<View: HTMLTileView>(
        _ kind: TileKind, topics: [String], _ view: View, sentences: [String] = [], step: FirstStep? = nil
    ) where View.Context == TemplateContext {
        self.kind = kind
        self.topics = topics
        self.step = step
        self.sentences = sentences
        rendered = { RenderedView(view, in: $0) }
    }

    package var name: String { kind.name }
    package var address: String { kind.address }

    package func markup(in context: TemplateContext) -> RenderedView { rendered(context) }
}

/// A tile that could not be read. The others are shown.
package struct FailedTileView: Sendable {
    let name: String
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

/// Something that changed, on the page `/today`.
package struct TodayLine: Sendable, Equatable {
    /// How many lines of one feature are worth reading at once.
    package static let limit = 4
    /// How many lines of all features are.
    package static let totalLimit = 10
    /// How far back they go, in seconds.
    package static let period = 86_400.0

    package let text: String
    /// The feature's name.
    package let source: String
    /// Roost's page about it.
    package let address: String
    /// The main points of its text, one sentence, or nil if it has no text.
    package let summary: String?

    package init(_ text: String, from source: String, at address: String, summary: String? = nil) {
        self.text = text
        self.source = source
        self.address = address
        self.summary = summary
    }

    /// Returns at most `totalLimit` lines. Each feature has its most important line before any has a second.
    package static func balanced(_ parts: [[TodayLine]]) -> [TodayLine] {
        var counts = parts.map { _ in 0 }
        var room = totalLimit
        while room > 0,
            let next = parts.indices.filter({ counts[$0] < parts[$0].count }).min(by: {
                (counts[$0], $0) < (counts[$1], $1)
            })
        {
            counts[next] += 1
            room -= 1
        }
        return zip(parts, counts).flatMap { $0.prefix($1) }
    }
}
