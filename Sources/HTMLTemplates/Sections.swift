// What `{{#name}}…{{/name}}` and `{{^name}}…{{/name}}` mean, by the type of the value: swiftc chooses.
//
// A section is a loop over pairs: the view that names belong to, and the value that `{{.}}` is. Both are those around the
// section where its value is a condition; the view is, where it is a text.

/// One pass through a section, or none.
package struct SectionOnce<View, Value>: Sequence, IteratorProtocol {
    @usableFromInline var pair: (View, Value)?

    @inlinable
    init(_ pair: (View, Value)?) {
        self.pair = pair
    }

    @inlinable
    package mutating func next() -> (View, Value)? {
        defer { pair = nil }
        return pair
    }
}

/// A pass through a section for each element of a list.
package struct SectionEach<Element, View, Value>: Sequence, IteratorProtocol {
    @usableFromInline var elements: IndexingIterator<[Element]>
    @usableFromInline let pair: (Element) -> (View, Value)

    @inlinable
    init(_ elements: [Element], _ pair: @escaping (Element) -> (View, Value)) {
        self.elements = elements.makeIterator()
        self.pair = pair
    }

    @inlinable
    package mutating func next() -> (View, Value)? { elements.next().map(pair) }
}

extension HTMLBuffer {
    /// Once where the condition holds.
    @inlinable
    package static func section<View, Value>(
        _ condition: Bool, _ view: View, _ value: Value
    ) -> SectionOnce<View, Value> {
        SectionOnce(condition ? (view, value) : nil)
    }

    /// Once where there is a text.
    @inlinable
    package static func section<Text: HTMLText, View, Value>(
        _ text: Text?, _ view: View, _: Value
    ) -> SectionOnce<View, Text> {
        SectionOnce(text.map { (view, $0) })
    }

    /// Once for each text.
    @inlinable
    package static func section<Text: HTMLText, View, Value>(
        _ texts: [Text], _ view: View, _: Value
    ) -> SectionEach<Text, View, Text> {
        SectionEach(texts) { (view, $0) }
    }

    /// Once where there is a view.
    @inlinable
    package static func section<Inner, View, Value>(
        _ inner: Inner?, _: View, _: Value
    ) -> SectionOnce<Inner, Inner> {
        SectionOnce(inner.map { ($0, $0) })
    }

    /// Once for each view.
    @inlinable
    package static func section<Inner, View, Value>(
        _ views: [Inner], _: View, _: Value
    ) -> SectionEach<Inner, Inner, Inner> {
        SectionEach(views) { ($0, $0) }
    }

    /// Once for a view that is always there.
    @_disfavoredOverload
    @inlinable
    package static func section<Inner, View, Value>(
        _ inner: Inner, _: View, _: Value
    ) -> SectionOnce<Inner, Inner> {
        SectionOnce((inner, inner))
    }

    @available(*, deprecated, message: "a text that is always there needs no section: make it optional")
    package static func section<Text: HTMLText, View, Value>(
        _ text: Text, _ view: View, _: Value
    ) -> SectionOnce<View, Text> {
        SectionOnce((view, text))
    }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    package static func section<View, Value>(
        _ condition: Bool?, _ view: View, _ value: Value
    ) -> SectionOnce<View, Value> {
        SectionOnce(condition == true ? (view, value) : nil)
    }

    /// Whether the condition does not hold.
    @inlinable
    package static func isNothing(_ condition: Bool) -> Bool { !condition }

    /// Whether there is no such text or view.
    @inlinable
    package static func isNothing<Inner>(_ inner: Inner?) -> Bool { inner == nil }

    /// Whether the list is empty.
    @inlinable
    package static func isNothing<Inner>(_ list: [Inner]) -> Bool { list.isEmpty }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    package static func isNothing(_ condition: Bool?) -> Bool { condition != true }
}
