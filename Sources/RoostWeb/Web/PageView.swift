package import HTMLTemplates

/// What every template may ask for, however deep it lies: `{{@assets}}`, `{{@formToken}}`.
package struct TemplateContext: Sendable {
    package let assets: String
    package let formToken: String?

    /// - Parameters:
    ///   - assets: base address of the static files, "/static/HASH", without a slash at the end
    ///   - formToken: goes into every form as `token`
    package init(assets: String, formToken: String? = nil) {
        self.assets = assets
        self.formToken = formToken
    }
}

/// A view that is a whole page: it brings along what its templates may ask for.
package protocol WholePage: HTMLView where Context == TemplateContext {
    var context: TemplateContext { get }
    /// Bytes to make room for at once.
    var expectedBytes: Int { get }
}

extension WholePage {
    package var expectedBytes: Int { 32_768 }
}

/// A page within the site's layout.
package protocol PageView: WholePage {
    var layout: LayoutView { get }
}

extension PageView {
    package var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken)
    }
}

/// A page for somebody who is not signed in.
package protocol GuestPageView: WholePage {
    var layout: GuestLayoutView { get }
}

extension GuestPageView {
    package var context: TemplateContext {
        TemplateContext(assets: layout.assets, formToken: layout.formToken)
    }
}

/// What is shown with a picture, or the letters that stand for one: `site/avatar`.
protocol Pictured {
    /// Roost's own address of the picture.
    var avatar: String? { get }
    var initials: String { get }
}
