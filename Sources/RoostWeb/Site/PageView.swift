public import ArticleText
public import HTMLTemplates

/// Values that every template can use at any depth: `{{@assets}}`, `{{@formToken}}`.
package struct TemplateContext: Sendable {
    package let assets: String
    package let formToken: String?
    /// The page's own scripts; empty for a part of a page.
    package let scripts: [String]
    /// The modules that the scripts of the page and its layout import.
    package var modules: [String] = []

    package init(assets: String, formToken: String? = nil, scripts: [String] = []) {
        self.assets = assets
        self.formToken = formToken
        self.scripts = scripts
    }
}

package protocol WholePage: HTMLView where Context == TemplateContext {
    /// The names of the page's own scripts: "pulls" for `js/pulls.js`.
    static var scripts: [String] { get }
    /// The scripts of its layout.
    static var layoutScripts: [String] { get }
    var context: TemplateContext { get }
    var expectedBytes: Int { get }
}

extension WholePage {
    package static var scripts: [String] { [] }
    package static var layoutScripts: [String] { [] }
    package var expectedBytes: Int { 32_768 }
}

package protocol PageView: WholePage {
    var layout: LayoutView { get }
}

extension PageView {
    package static var layoutScripts: [String] { ["site"] }
    package var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken, scripts: Self.scripts)
    }
}

package protocol GuestPageView: WholePage {
    var layout: GuestLayoutView { get }
}

extension GuestPageView {
    package static var scripts: [String] { ["accounts"] }
    package var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken, scripts: Self.scripts)
    }
}

/// Shown as a picture, or as initials without one: `site/avatar`.
package protocol Pictured {
    /// An address on this server.
    var avatar: String? { get }
    var initials: String { get }
    /// The colour of the initials, see `Tone`.
    var tone: Int { get }
}

/// A rendered view, for pages that do not depend on its type.
package struct RenderedView: Hashable, Sendable, TrustedHTML {
    package let html: String

    /// For templates: inserted without escaping.
    package var markup: RenderedView { self }

    package init<View: HTMLView>(_ view: View, in context: View.Context, capacity: Int = 4_096) {
        html = String(decoding: view.html(in: context, capacity: capacity), as: UTF8.self)
    }
}

extension CleanMarkup: TrustedHTML {}
