import RoostWeb

/// `/reading/save`: the small window that saves a page after a click.
struct SaveView: GuestPageView, Sendable {
    static let scripts = ["reading-save"]

    let layout: GuestLayoutView
    let fields: FormView
    let saved: Saved?
    let source: String
    let sharedText: String?
    /// Where a visitor signs in; nil if they are signed in.
    let signInAddress: String?
    let isGistRequested: Bool

    struct Saved: Sendable {
        let savedMessage, savedPath, savedTitle: String

        init(message: String, path: String, title: String) {
            (savedMessage, savedPath, savedTitle) = (message, path, title.sanitized)
        }
    }

    /// - Parameter sharedText: the text from a phone's share menu, unless it is just the address
    init(
        layout: GuestLayoutView, form: FormState, source: String, sharedText: String? = nil,
        saved: Saved? = nil, signInAddress: String? = nil
    ) {
        self.layout = layout
        self.source = source
        self.sharedText = sharedText
        self.saved = saved
        self.signInAddress = signInAddress
        isGistRequested = form.typed["autoCreateGist"] == "yes"
        var address = FieldView("url", "Address", in: form)
        address.limit = 8_192
        address.placeholder = "https://"
        var title = FieldView("title", "Title", in: form)
        title.limit = 2_000
        title.isRequired = false
        title.hint = "Leave empty to use the page’s title."
        var category = FieldView("category", "Category", in: form)
        category.isRequired = false
        var tags = FieldView("tags", "Tags, separated by commas", in: form)
        tags.limit = 2_000
        tags.isRequired = false
        fields = FormView([address, title, category, tags], form)
    }
}
