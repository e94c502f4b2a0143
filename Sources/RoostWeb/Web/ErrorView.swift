/// The page that is shown instead of the one asked for.
package struct ErrorView: PageView, Sendable {
    package let layout: LayoutView
    package let error: ErrorText

    package init(layout: LayoutView, error: ErrorText) {
        self.layout = layout
        self.error = error
    }

    package static let sample = ErrorView(layout: .sample, error: .sample)
}

/// The same without navigation, for visitors who are not known and for errors of the rest.
package struct BareErrorView: WholePage, Sendable {
    package let assets: String
    package let error: ErrorText

    package init(assets: String, error: ErrorText) {
        self.assets = assets
        self.error = error
    }

    package static let sample = BareErrorView(assets: LayoutView.sample.assets, error: .sample)

    package var context: TemplateContext { TemplateContext(assets: assets) }
}

/// What went wrong, and what can be done.
package struct ErrorText: Sendable {
    package let status: Int
    package let title: String
    package let sentence: String
    package let advice: String

    package init(status: Int, title: String, sentence: String, advice: String) {
        self.status = status
        self.title = title
        self.sentence = sentence
        self.advice = advice
    }

    package static let sample = ErrorText(
        status: 404, title: "Nothing here", sentence: "There is no page at this address.",
        advice: "Check the address, or go on from the home page.")

    var errorTitle: String { title }
    var errorSentence: TimedText { TimedText(sentence) }
}
