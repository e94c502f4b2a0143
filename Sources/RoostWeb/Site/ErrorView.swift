package struct ErrorView: PageView, Sendable {
    package let layout: LayoutView
    package let error: ErrorText
}

/// An error page without navigation, for visitors who are not signed in and for statuses 401 and 421.
package struct StandaloneErrorView: WholePage, Sendable {
    package let assets: String
    package let error: ErrorText

    package var context: TemplateContext { TemplateContext(assets: assets) }
}

package struct ErrorText: Sendable {
    package let status: Int
    package let title: String
    package let sentence: String
    package let advice: String
    var errorSentence: TimedText { TimedText(sentence) }
}
