/// What a template may ask for by name.
///
/// A field that is itself a view is answered as a `Part`, a list of them as `[Part]`, made with the view.
/// A name that is nil here is looked for in the views around this one, so an optional field of a row must not
/// bear the name of a field of its page.
package protocol ViewFields: Sendable {
    /// The value of the field, or nil if there is none by that name or it is empty.
    func field(_ name: String) -> Any?
}

/// A view that is rendered by a template of its own: a page, or a fragment of one.
package protocol TemplateView: ViewFields {
    /// The template's name: its path under `Templates` without the ending.
    static var template: String { get }
    /// A view with lifelike content: the tests and the pictures are made of it.
    static var sample: Self { get }
}

/// A page within the site's layout. Names that it does not know are the layout's.
package protocol PageView: TemplateView {
    var layout: LayoutView { get }
}
