/// `/reading/save`: the small window that saves a page after a click.
package struct SaveView: GuestPageView, Sendable {
    package let layout: GuestLayoutView
    let fields: FormView
    let saved: Saved?
    let source: String
    let sharedText: String?
    /// Where a visitor signs in; nil for a user.
    let signInAddress: String?
    let wantsGist: Bool

    /// What has just been saved.
    package struct Saved: Sendable {
        let savedMessage, savedPath, savedTitle: String

        package init(message: String, path: String, title: String) {
            (savedMessage, savedPath, savedTitle) = (message, path, title.sanitized)
        }
    }

    /// - Parameters:
    ///   - source: "bookmarklet" or "share"
    ///   - sharedText: the words that came from a phone's share menu, where they are more than an address
    package init(
        layout: GuestLayoutView, form: FormState, source: String, sharedText: String? = nil,
        saved: Saved? = nil, signInAddress: String? = nil
    ) {
        self.layout = layout
        self.source = source
        self.sharedText = sharedText
        self.saved = saved
        self.signInAddress = signInAddress
        wantsGist = form.typed["autoCreateGist"] == "yes"
        var address = FieldView("url", "Address", in: form)
        address.limit = 8_192
        address.placeholder = "https://"
        var title = FieldView("title", "Title", in: form)
        title.limit = 2_000
        title.isRequired = false
        title.hint = "Without one, the page’s own."
        var category = FieldView("category", "Category", in: form)
        category.isRequired = false
        var tags = FieldView("tags", "Tags, with commas between them", in: form)
        tags.limit = 2_000
        tags.isRequired = false
        fields = FormView([address, title, category, tags], form)
    }

    package static let sample = SaveView(
        layout: .sample,
        form: FormState(
            typed: ["url": "ftp://example.org/<x>", "title": "A \"page\""],
            fieldErrors: ["url": "An address begins with http:// or https://."]),
        source: "share", sharedText: "Look at <this>")
    package static let savedSample = SaveView(
        layout: .sample, form: .empty, source: "bookmarklet",
        saved: Saved(message: "Article saved.", path: "/reading/1", title: "How a clock keeps time"))
}
