import Reading
import RoostWeb
import TextFormats

struct GistEditView: PageView, Sendable {
    let layout: LayoutView
    private let item: GistItem
    let fields: FormView
    let conflict: EditConflict?
    let content: String
    let contentError: String?

    /// - Parameter isConflict: whether the gist was changed elsewhere, so that both versions are shown
    init(
        layout: LayoutView, item: GistItem, form: FormState = .empty, isConflict: Bool = false
    ) {
        self.layout = layout
        self.item = item
        let stored = [
            "title": item.title, "category": item.category ?? "", "content": item.content,
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
                [("title", "Title"), ("category", "Category"), ("content", "Text")].map { name, label in
                    .init(label, submitted: shown.typed[name] ?? "", current: stored[name] ?? "")
                }) : nil
    }

    var gistPath: String { "/gists/\(item.id)" }
    var shownTitle: String { item.title.sanitized }
    /// Of the stored version. After a conflict, saving again overwrites it.
    var updatedAt: String { ISO8601.milliseconds(item.updatedAt) }
}
