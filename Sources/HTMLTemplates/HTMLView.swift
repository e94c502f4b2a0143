/// A view with its own template.
///
/// The template compiler generates the conformance from a template that begins with `{{! view NAME }}`.
public protocol HTMLView {
    /// The values that all templates can use, including nested ones: `{{@name}}` is the property `name`. This is the
    /// target's own type `TemplateContext`.
    associatedtype Context

    func render(into html: inout HTMLBuffer, in context: Context)
}

extension HTMLView {
    /// Renders the view as UTF-8.
    ///
    /// - Parameter capacity: the buffer's initial size in bytes
    public func html(in context: Context, capacity: Int = 32_768) -> [UInt8] {
        var html = HTMLBuffer(capacity: capacity)
        render(into: &html, in: context)
        return html.bytes
    }
}

/// The content of a layout's block: `{{$name}}…{{/name}}`.
public typealias HTMLBlock = (inout HTMLBuffer) -> Void
