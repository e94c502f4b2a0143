/// A value that a template writes as text: `{{name}}`.
///
/// Within its section, `{{#name}}…{{/name}}`, it is `{{.}}`, and names belong to the view around it.
public protocol HTMLText {
    /// Adds itself, escaped.
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

/// For an enum of words that says that it is `HTMLText`: `class="change {{direction}}"`.
extension HTMLText where Self: RawRepresentable, RawValue == String {
    @inlinable
    public func write(into html: inout HTMLBuffer) { html.escape(rawValue) }
}

/// HTML that may stand in a page as it is: `{{{name}}}`.
///
/// Only a type whose every value is known to be harmless may conform: one that a sanitizer makes, or a writer of
/// pictures that escapes what it is given. `String` must never be one.
public protocol TrustedHTML {
    var html: String { get }
}
