import HTMLTemplates

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
