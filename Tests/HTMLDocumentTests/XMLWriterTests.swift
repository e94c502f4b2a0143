import Testing

@testable import HTMLDocument

@Suite struct XMLWriterTests {
    private func document(doctype: String? = nil, _ write: (XMLWriter) -> Void) throws -> String {
        let xml = try XMLWriter(doctype: doctype)
        write(xml)
        return String(decoding: try xml.finish(), as: UTF8.self)
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    @Test func `elements are nested and have end tags, unless they cannot have content`() throws {
        let text = try document(doctype: "html") { xml in
            xml.element("html", [("lang", "en"), ("dir", nil)]) {
                xml.element("p", text: "One")
                xml.element("br")
                xml.start("em")
                xml.end()
                xml.text("two")
            }
        }
        #expect(
            text == Self.declaration
                + "<!DOCTYPE html><html lang=\"en\"><p>One</p><br/><em></em>two</html>\n")
    }

    @Test func `elements that are left open are ended`() throws {
        let text = try document { xml in
            xml.start("a")
            xml.start("b")
        }
        #expect(text == Self.declaration + "<a><b/></a>\n")
    }

    @Test func `texts and attributes are escaped`() throws {
        let text = try document { xml in
            xml.element("a", [("b", "\"<é😀>&\n")], text: "<b>&amp;]]> é😀\u{301}")
        }
        #expect(
            text.hasSuffix(
                "<a b=\"&quot;&lt;é😀&gt;&amp;&#10;\">&lt;b&gt;&amp;amp;]]&gt; é😀\u{301}</a>\n"))
    }

    @Test(arguments: [
        "\u{0}", "\u{1}", "\r", "\u{1B}", "\u{7F}", "\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{1FFFE}",
        "\u{202E}", "\u{2066}",
    ])
    func `a character that XML forbids or that reorders text is removed`(_ character: String) throws {
        let text = try document { $0.element("a", [("b", "1\(character)2")], text: "3\(character)4") }
        #expect(text == Self.declaration + "<a b=\"12\">34</a>\n")
    }

    @Test func `a text of megabytes is written completely`() throws {
        let long = String(repeating: "wörd ", count: 500_000)
        let text = try document { $0.element("a", text: long) }
        #expect(text == Self.declaration + "<a>\(long)</a>\n")
    }
}
