import Reading
import TextFormats

/// `/reading/ID/edit`: title, category and tags.
struct ArticleEditView: PageView, Sendable {
    let layout: LayoutView
    private let item: ArticleItem
    let conflict: EditConflict?
    let fields: FormView

    /// - Parameters:
    ///   - form: what was typed, and what is wrong with it
    ///   - categories, tags: what is offered to fill in
    ///   - isConflict: it was changed meanwhile: both versions are shown
    init(
        layout: LayoutView, item: ArticleItem, form: FormState = .empty, categories: [String] = [],
        isConflict: Bool = false
    ) {
        self.layout = layout
        self.item = item
        let stored = ArticleEditView.stored(item)
        let typed = FormState(
            typed: stored.merging(form.typed) { $1 }, fieldErrors: form.fieldErrors, error: form.error)
        var title = FieldView("title", "Title", in: typed)
        title.limit = 1_000
        var category = FieldView("category", "Category", in: typed)
        category.choices = categories
        category.isRequired = false
        var tags = FieldView("tags", "Tags, with commas between them", in: typed)
        tags.limit = 2_000
        tags.isRequired = false
        fields = FormView([title, category, tags], typed)
        conflict =
            isConflict
            ? EditConflict(
                [("title", "Title"), ("category", "Category"), ("tags", "Tags")].map { name, words in
                    .init(words, yours: typed.typed[name] ?? "", current: stored[name] ?? "")
                }) : nil
    }

    private static func stored(_ item: ArticleItem) -> [String: String] {
        [
            "title": item.article.title, "category": item.article.category,
            "tags": item.tags.joined(separator: ", "),
        ]
    }

    var articlePath: String { "/reading/\(item.id)" }
    var shownTitle: String { item.article.title.sanitized }
    /// Of the version that is stored: to save it once more is to have seen it.
    var updatedAt: String { ISO8601.milliseconds(item.updatedAt) }
}
