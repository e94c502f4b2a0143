/// The page that is shown instead of the one asked for.
package struct ErrorView: PageView {
    package static let template = "site/error"

    package let layout: LayoutView
    package let error: ErrorText

    package init(layout: LayoutView, error: ErrorText) {
        self.layout = layout
        self.error = error
    }

    package static let sample = ErrorView(layout: .sample, error: .sample)

    package func field(_ name: String) -> Any? { error.field(name) ?? layout.field(name) }
}

/// The same without navigation, for when nothing is known of who asks or the rest does not work.
package struct BareErrorView: TemplateView {
    package static let template = "site/error-bare"

    package let assets: String
    package let error: ErrorText

    package init(assets: String, error: ErrorText) {
        self.assets = assets
        self.error = error
    }

    package static let sample = BareErrorView(assets: LayoutView.sample.assets, error: .sample)

    package func field(_ name: String) -> Any? { name == "assets" ? assets : error.field(name) }
}

/// What went wrong, and what can be done.
package struct ErrorText: ViewFields {
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

    package func field(_ name: String) -> Any? {
        switch name {
        case "status": status
        case "errorTitle": title
        case "sentence": sentence
        case "advice": advice
        default: nil
        }
    }
}
