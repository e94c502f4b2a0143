/// A value that a template shows as text: `{{name}}`.
///
/// In its section, `{{#name}}…{{/name}}`, it is `{{.}}`; names still refer to the surrounding view.
public protocol HTMLText {
    func write(into html: inout HTMLBuffer)
}

extension String: HTMLText {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.escape(self) }
}

extension Substring: HTMLText {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.escape(self) }
}

extension Int: HTMLText {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.number(Int64(self)) }
}

extension Int64: HTMLText {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.number(self) }
}

/// For string enums that declare conformance to `HTMLText`, as in `class="change {{direction}}"`.
extension HTMLText where Self: RawRepresentable, RawValue == String {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.escape(rawValue) }
}

/// HTML that is inserted without escaping: `{{{name}}}`.
///
/// Only types whose values are always safe may conform, such as the output of a sanitizer, or of code that draws
/// pictures and escapes its input. `String` must never conform.
public protocol TrustedHTML {
    var html: String { get }
}
