import Reading
import TextFormats

/// `/gists/ID/edit`: a gist's title, category and text.
struct GistEditView: PageView, Sendable {
    let layout: LayoutView
    private let item: GistItem
    let fields: FormView
    let conflict: EditConflict?
    let content: String
    let contentError: String?

    /// - Parameters:
    ///   - form: what was typed, and what is wrong with it
    ///   - isConflict: it was changed meanwhile: both versions are shown
    init(
        layout: LayoutView, item: GistItem, form: FormState = .empty, isConflict: Bool = false
    ) {
        self.layout = layout
        self.item = item
        let stored = [
            "title": item.gist.title, "category": item.gist.category ?? "", "content": item.gist.content,
        ]
        var shown = FormState(
            typed: stored.merging(form.typed) { $1 }, fieldErrors: form.fieldErrors, error: form.error)
        content = shown.typed["content"] ?? ""
        contentError = shown.fieldErrors.removeValue(forKey: "content")
        var title = FieldView("title", "Title", in: shown)
        title.limit = 1_000
        var category = FieldView("category", "Category", in: shown)
        category.isRequired = false
        fields = FormView([title, category], shown)
        conflict =
            isConflict
            ? EditConflict(
                [("title", "Title"), ("category", "Category"), ("content", "Text")].map { name, words in
                    .init(words, yours: shown.typed[name] ?? "", current: stored[name] ?? "")
                }) : nil
    }

    var gistPath: String { "/gists/\(item.id)" }
    var shownTitle: String { item.gist.title.sanitized }
    /// Of the version that is stored: to save it once more is to have seen it.
    var updatedAt: String { ISO8601.milliseconds(item.updatedAt) }
}
