// The meaning of `{{#name}}…{{/name}}` and `{{^name}}…{{/name}}`, chosen by swiftc from the type of the value.
//
// A section's body gets the view that names refer to and the value of `{{.}}`. For a condition both are those around
// the section; for a text only the view is. The body is a closure, and everything is inlined: a type that pairs view
// and value would copy the view for each section.

public struct ConditionSection {
    @usableFromInline let condition: Bool

    @inlinable init(_ condition: Bool) { self.condition = condition }

    @inlinable @inline(__always)
    public func show<View, Value>(
        in html: inout HTMLBuffer, _ view: View, _ value: Value,
        _ body: (inout HTMLBuffer, View, Value) -> Void
    ) {
        if condition { body(&html, view, value) }
    }
}

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
    @inlinable
    public static func section(_ condition: Bool) -> ConditionSection { ConditionSection(condition) }

    @inlinable
    public static func section<Text: HTMLText>(_ text: Text?) -> TextSection<Text> { TextSection(text) }

    @inlinable
    public static func section<Text: HTMLText>(_ texts: [Text]) -> TextsSection<Text> { TextsSection(texts) }

    @inlinable
    public static func section<Inner>(_ inner: Inner?) -> ViewSection<Inner> { ViewSection(inner) }

    @inlinable
    public static func section<Inner>(_ views: [Inner]) -> ViewsSection<Inner> { ViewsSection(views) }

    @_disfavoredOverload
    @inlinable
    public static func section<Inner>(_ inner: Inner) -> ViewSection<Inner> { ViewSection(inner) }

    @available(*, deprecated, message: "a text that is always there needs no section: make it optional")
    public static func section<Text: HTMLText>(_ text: Text) -> TextSection<Text> { TextSection(text) }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    public static func section(_ condition: Bool?) -> ConditionSection {
        ConditionSection(condition == true)
    }

    @inlinable
    public static func isNothing(_ condition: Bool) -> Bool { !condition }

    @inlinable
    public static func isNothing<Inner>(_ inner: Inner?) -> Bool { inner == nil }

    @inlinable
    public static func isNothing<Inner>(_ list: [Inner]) -> Bool { list.isEmpty }

    @available(*, deprecated, message: "a condition that may be missing is no condition: make it a Bool")
    public static func isNothing(_ condition: Bool?) -> Bool { condition != true }
}
