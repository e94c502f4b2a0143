/// A view that has a template of its own.
///
/// The conformance is made by the template compiler, out of a template that begins with `{{! view NAME }}`.
public protocol HTMLView {
    /// What every template may ask for, however deep it lies in another: `{{@name}}` is the property `name`. The type
    /// is the target's own `TemplateContext`.
    associatedtype Context

    /// Adds the view as its template shows it.
    func render(into html: inout HTMLBuffer, in context: Context)
}

extension HTMLView {
    /// The view as its template shows it, in UTF-8.
    ///
    /// - Parameter capacity: bytes to make room for at once
    public func html(in context: Context, capacity: Int = 32_768) -> [UInt8] {
        var html = HTMLBuffer(capacity: capacity)
        render(into: &html, in: context)
        return html.bytes
    }
}

/// What a page puts into a block of its layout: `{{$name}}…{{/name}}`.
public typealias HTMLBlock = (inout HTMLBuffer) -> Void
