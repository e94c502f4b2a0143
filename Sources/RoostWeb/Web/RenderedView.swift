package import HTMLTemplates

/// A view as its own template shows it, for a page that does not know which view it is.
package struct RenderedView: Hashable, Sendable, TrustedHTML {
    package let html: String

    /// Itself, as templates name what they show without escaping.
    var markup: RenderedView { self }

    /// - Parameter capacity: bytes to make room for at once
    package init<View: HTMLView>(_ view: View, in context: View.Context, capacity: Int = 4_096) {
        html = String(decoding: view.html(in: context, capacity: capacity), as: UTF8.self)
    }
}
