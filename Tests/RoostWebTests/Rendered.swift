import HTMLTemplates

@testable import RoostWeb

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

/// The lines of a page around a fragment that it holds; nil if it does not hold it.
func frame(of fragment: String, in page: String) -> [Substring]? {
    let lines = page.split(whereSeparator: \.isNewline)
    let wanted = fragment.split(whereSeparator: \.isNewline)
    guard let start = lines.indices.first(where: { lines[$0...].starts(with: wanted) }) else { return nil }
    return Array(lines[..<start] + lines[(start + wanted.count)...])
}

extension PullListsView {
    static let none = PullListsView(sections: [], hidden: [])
}
