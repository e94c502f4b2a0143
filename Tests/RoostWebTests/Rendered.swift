import HTMLTemplates

@testable import GitHubWeb
@testable import RoostWeb

func rendered<View: HTMLView>(_ view: View, formToken: String? = nil) -> String
where View.Context == TemplateContext {
    let context = TemplateContext(assets: LayoutView.sample.assets, formToken: formToken)
    return String(decoding: view.html(in: context), as: UTF8.self)
}

func rendered(_ page: some WholePage) -> String {
    String(decoding: page.html(in: page.context), as: UTF8.self)
}

/// Returns the lines of a page around a fragment, or nil if the page does not contain it.
func frame(of fragment: String, in page: String) -> [Substring]? {
    let lines = page.split(whereSeparator: \.isNewline)
    let wanted = fragment.split(whereSeparator: \.isNewline)
    guard let start = lines.indices.first(where: { lines[$0...].starts(with: wanted) }) else { return nil }
    return Array(lines[..<start] + lines[(start + wanted.count)...])
}

extension PullListsView {
    static let none = PullListsView(sections: [], hidden: [])
}
