import Testing

@testable import HTMLDocument

@Suite struct HTMLEntitiesTests {
    private func decoded(_ text: String) -> String { HTMLEntities.decoded(Array(text.utf8)[...]) }

    @Test(arguments: [
        ("Tom &amp; Jerry", "Tom & Jerry"), ("&lt;b&gt; &quot;&apos;&#39;", "<b> \"''"),
        ("caf&eacute;&nbsp;&hellip;&euro;&rarr;&thetasym;", "café\u{A0}…€→ϑ"),
        ("&#8217;&#x1F600;&#X41;&#0038;", "’😀A&"), ("&amp;lt;", "&lt;"), ("é&copy;", "é©"), ("", ""),
    ])
    func `names and numbers are decoded once`(text: String, plain: String) {
        #expect(decoded(text) == plain)
    }

    @Test(arguments: [
        "&", "&;", "&amp", "&unknown;", "&AMP\u{0};", "&amp\u{0};", "&#0;", "&#xD800;", "&#x110000;", "&#;",
        "& amp;",
        "&averylongname;",
    ])
    func `what is no reference stays as it is`(text: String) {
        #expect(decoded(text) == text)
    }

    @Test func `a reference says how long it is`() throws {
        let found = try #require(HTMLEntities.reference(in: Array("a&lt;b".utf8)[1...]))
        #expect(found.scalar == "<" && found.length == 4)
        #expect(HTMLEntities.reference(in: Array("a&lt;b".utf8)[...]) == nil)
    }
}
