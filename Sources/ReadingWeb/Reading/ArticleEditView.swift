import Reading
import RoostWeb
import TextFormats

struct ArticleEditView: PageView, Sendable {
    let layout: LayoutView
    private let item: ArticleItem
    let conflict: EditConflict?
    let fields: FormView

    /// - Parameter isConflict: whether the article was changed elsewhere, so that both versions are shown
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
        var tags = FieldView("tags", "Tags, separated by commas", in: typed)
        tags.limit = 2_000
        tags.isRequired = false
        fields = FormView([title, category, tags], typed)
        conflict =
            isConflict
            ? EditConflict(
                [("title", "Title"), ("category", "Category"), ("tags", "Tags")].map { name, label in
                    .init(label, submitted: typed.typed[name] ?? "", current: stored[name] ?? "")
                }) : nil
    }

    private static func stored(_ item: ArticleItem) -> [String: String] {
        [
            "title": item.title, "category": item.category,
            "tags": item.tags.joined(separator: ", "),
        ]
    }

    var articlePath: String { "/reading/\(item.id)" }
    var shownTitle: String { item.title.sanitized }
    /// Of the stored version. After a conflict, saving again overwrites it.
    var updatedAt: String { ISO8601.milliseconds(item.updatedAt) }
}

/// Two versions of an item that was edited in two places at once.
struct EditConflict: Sendable {
    struct Field: Sendable {
        let fieldTitle, submitted, current: String

        init(_ title: String, submitted: String, current: String) {
            fieldTitle = title
            self.submitted = submitted
            self.current = current
        }
    }

    let fields: [Field]

    init(_ fields: [Field]) { self.fields = fields }
}
