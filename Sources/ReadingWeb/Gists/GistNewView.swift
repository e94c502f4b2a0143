import ArticleText
import RoostWeb

/// `/gists/new`: creates a gist of pasted text.
struct GistNewView: PageView, Sendable {
    let layout: LayoutView
    let fields: FormView
    let text: String
    let textError: String?
    let lengths: [SelectOption]

    init(layout: LayoutView, form: FormState = .empty, length: GistLength = .automatic) {
        self.layout = layout
        var form = form
        text = form.typed["text"] ?? ""
        textError = form.fieldErrors.removeValue(forKey: "text")
        var title = FieldView("title", "Title", in: form)
        title.isRequired = false
        title.limit = 1_000
        title.hint = "Leave empty to use the first words of the text."
        var category = FieldView("category", "Category", in: form)
        category.isRequired = false
        fields = FormView([title, category], form)
        lengths = GistLengthChoice.options(chosen: length)
    }
}
