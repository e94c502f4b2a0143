import HTMLTemplates
import RoostWeb

/// A fragment as text.
func rendered<View: HTMLView>(_ view: View, formToken: String? = nil) -> String
where View.Context == TemplateContext {
    let context = TemplateContext(assets: LayoutView.sample.assets, formToken: formToken)
    return String(decoding: view.html(in: context), as: UTF8.self)
}

/// A page as text.
func rendered(_ page: some WholePage) -> String {
    String(decoding: page.html(in: page.context), as: UTF8.self)
}

extension PullListsView {
    static let none = PullListsView(sections: [], hidden: [])
}
