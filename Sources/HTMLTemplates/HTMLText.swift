/// A value that a template writes as text: `{{name}}`.
///
/// Within its section, `{{#name}}…{{/name}}`, it is `{{.}}`, and names belong to the view around it.
package protocol HTMLText {
    /// Adds itself, escaped.
    func write(into html: inout HTMLBuffer)
}

extension String: HTMLText {
    package func write(into html: inout HTMLBuffer) { html.escape(self) }
}

extension Substring: HTMLText {
    package func write(into html: inout HTMLBuffer) { html.escape(self) }
}

extension Int: HTMLText {
    package func write(into html: inout HTMLBuffer) { html.escape(String(self)) }
}

extension Int64: HTMLText {
    package func write(into html: inout HTMLBuffer) { html.escape(String(self)) }
}

/// For an enum of words that says that it is `HTMLText`: `class="change {{direction}}"`.
extension HTMLText where Self: RawRepresentable, RawValue == String {
    package func write(into html: inout HTMLBuffer) { html.escape(rawValue) }
}
