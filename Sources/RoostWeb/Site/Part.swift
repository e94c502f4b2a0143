import Mustache

/// A view, or a part of one, as the template library takes it.
///
/// The library copies and casts what it renders again and again: here that is one reference, not a struct of
/// many strings.
package final class Part: MustacheParent, Sendable {
    package let fields: any ViewFields

    package init(_ fields: any ViewFields) {
        self.fields = fields
    }

    package func child(named name: String) -> Any? { fields.field(name) }
}
