/// The page that is shown instead of the one asked for.
struct ErrorView: PageView, Sendable {
    let layout: LayoutView
    let error: ErrorText
}

/// The same without navigation, for visitors who are not known and for errors of the rest.
struct BareErrorView: WholePage, Sendable {
    let assets: String
    let error: ErrorText

    var context: TemplateContext { TemplateContext(assets: assets) }
}

/// What went wrong, and what can be done.
struct ErrorText: Sendable {
    let status: Int
    let title: String
    let sentence: String
    let advice: String
    var errorSentence: TimedText { TimedText(sentence) }
}
