import HTMLTemplates

/// What every template may ask for, however deep it lies: `{{@assets}}`, `{{@formToken}}`.
struct TemplateContext: Sendable {
    let assets: String
    let formToken: String?

    /// - Parameters:
    ///   - assets: base address of the static files, "/static/HASH", without a slash at the end
    ///   - formToken: goes into every form as `token`
    init(assets: String, formToken: String? = nil) {
        self.assets = assets
        self.formToken = formToken
    }
}

/// A view that is a whole page, with the context of its templates.
protocol WholePage: HTMLView where Context == TemplateContext {
    var context: TemplateContext { get }
    /// How many bytes to reserve.
    var expectedBytes: Int { get }
}

extension WholePage {
    var expectedBytes: Int { 32_768 }
}

/// A page within the site's layout.
protocol PageView: WholePage {
    var layout: LayoutView { get }
}

extension PageView {
    var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken)
    }
}

/// A page for a visitor who is not signed in.
protocol GuestPageView: WholePage {
    var layout: GuestLayoutView { get }
}

extension GuestPageView {
    var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken)
    }
}

/// Shown with a picture, or with initials in its place: `site/avatar`.
protocol Pictured {
    /// Roost's own address of the picture.
    var avatar: String? { get }
    var initials: String { get }
    /// The colour of the initials, see `Tone`.
    var tone: Int { get }
}

/// A rendered view, for a page that does not know its type.
struct RenderedView: Hashable, Sendable, TrustedHTML {
    let html: String

    /// For templates: the markup, inserted without escaping.
    var markup: RenderedView { self }

    /// - Parameter capacity: how many bytes to reserve
    init<View: HTMLView>(_ view: View, in context: View.Context, capacity: Int = 4_096) {
        html = String(decoding: view.html(in: context, capacity: capacity), as: UTF8.self)
    }
}
