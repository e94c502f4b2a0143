// What `{{#name}}…{{/name}}` and `{{^name}}…{{/name}}` mean, by the type of the value: swiftc chooses.
//
// A section is shown with the view that names belong to, and the value that `{{.}}` is. Both are those around the section
// where its value is a condition; the view is, where it is a text. What is shown is a closure, and all of it is inlined: a
// pair of view and value would be a copy of the view for each section.

/// A section of a condition.
public struct ConditionSection {
    @usableFromInline let holds: Bool

    @inlinable init(_ holds: Bool) { self.holds = holds }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _ view: View, _ value: Value,
        _ body: (inout HTMLBuffer, View, Value) -> Void
    ) {
        if holds { body(&html, view, value) }
    }
}

/// A section of a text that may be missing.
public struct TextSection<Text: HTMLText> {
    @usableFromInline let text: Text?

    @inlinable init(_ text: Text?) { self.text = text }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _ view: View, _: Value, _ body: (inout HTMLBuffer, View, Text) -> Void
    ) {
        if let text { body(&html, view, text) }
    }
}

/// A section of any number of texts.
public struct TextsSection<Text: HTMLText> {
    @usableFromInline let texts: [Text]

    @inlinable init(_ texts: [Text]) { self.texts = texts }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _ view: View, _: Value, _ body: (inout HTMLBuffer, View, Text) -> Void
    ) {
        for text in texts { body(&html, view, text) }
    }
}

/// A section of a view that may be missing.
public struct ViewSection<Inner> {
    @usableFromInline let inner: Inner?

    @inlinable init(_ inner: Inner?) { self.inner = inner }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _: View, _: Value, _ body: (inout HTMLBuffer, Inner, Inner) -> Void
    ) {
        if let inner { body(&html, inner, inner) }
    }
}

/// A section of any number of views.
public struct ViewsSection<Inner> {
    @usableFromInline let views: [Inner]

    @inlinable init(_ views: [Inner]) { self.views = views }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _: View, _: Value, _ body: (inout HTMLBuffer, Inner, Inner) -> Void
    ) {
        for inner in views { body(&html, inner, inner) }
    }
}

extension HTMLBuffer {
    /// Once where the condition holds.
    @inlinable
    public static func section(_ condition: Bool) -> ConditionSection { ConditionSection(condition) }

    /// Once where there is a text.
    @inlinable
    public static func section<Text: HTMLText>(_ text: Text?) -> TextSection<Text> { TextSection(text) }

    /// Once for each text.
    @inlinable
    public static func section<Text: HTMLText>(_ texts: [Text]) -> TextsSection<Text> { TextsSection(texts) }

    /// Once where there is a view.
    @inlinable
    public static func section<Inner>(_ inner: Inner?) -> ViewSection<Inner> { ViewSection(inner) }

    /// Once for each view.
    @inlinable
    public static func section<Inner>(_ views: [Inner]) -> ViewsSection<Inner> { ViewsSection(views) }

    /// Once for a view that is always there.
    @_disfavoredOverload
    @inlinable
    public static func section<Inner>(_ inner: Inner) -> ViewSection<Inner> { ViewSection(inner) }

    @available(*, deprecated, message: "a text that is always there needs no section: make it optional")
    public static func section<Text: HTMLText>(_ text: Text) -> TextSection<Text> { TextSection(text) }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    public static func section(_ condition: Bool?) -> ConditionSection {
        ConditionSection(condition == true)
    }

    /// Whether the condition does not hold.
    @inlinable
    public static func isNothing(_ condition: Bool) -> Bool { !condition }

    /// Whether there is no such text or view.
    @inlinable
    public static func isNothing<Inner>(_ inner: Inner?) -> Bool { inner == nil }

    /// Whether the list is empty.
    @inlinable
    public static func isNothing<Inner>(_ list: [Inner]) -> Bool { list.isEmpty }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    public static func isNothing(_ condition: Bool?) -> Bool { condition != true }
}
