import Testing

@testable import HTMLDocument

/// Documents are read piece by piece, including broken ones.
@Suite struct HTMLDocumentTests {
    @Test func `elements, attributes and text come in document order`() throws {
        let shown = try Shown.of(#"<p id=a class="b c">one <B>two</B><br>three</p>"#)
        #expect(shown == "<p id=[a] class=[b c]>one <b>two</b><br></br>three</p>")
    }

    @Test func `names are lower-cased, values stay unchanged, and the first of duplicate attributes wins`()
        throws
    {
        #expect(try Shown.of(#"<A HREF="X" href="Y" Title='Z'>q</A>"#) == "<a href=[X] title=[Z]>q</a>")
    }

    @Test func `entities are decoded in text and values`() throws {
        let shown = try Shown.of(
            ##"<p title="&lt;&quot;&#39;&amp;amp;">&lt;b&gt; &eacute;&#x1F600; &nope; &</p>"##)
        #expect(shown == ##"<p title=[<"'&amp;]><b> é😀 &nope; &</p>"##)
    }

    @Test(arguments: [
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<b>bold<i>both</b>left", "<b>bold<i>both</i></b>left"),
        ("</div>stray</span>", "<p>stray</p>"),
        ("<a href='x", "<a href=[x]></a>"),
        ("<a href=x", "<a href=[x]></a>"),
        ("a < b <3 <", "<p>a < b <3 <</p>"),
        ("<!-- no <b>word</b> -->x<!-- open", "<p>x</p>"),
        ("<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>&x;", "<p>]>&x;</p>"),
        ("<?php echo 1 ?>x", "<p>x</p>"),
    ])
    func `broken markup is repaired`(html: String, shown: String) throws {
        #expect(try Shown.of(html) == shown)
    }

    @Test func `a script's content is text, not elements`() throws {
        #expect(try Shown.of("<script>a<b>c</b></script>") == "<script>a<b>c</b></script>")
    }

    @Test func `every start has its end, and a reader may stop anywhere`() throws {
        let html = "<div><p>one<p>two <b>three</div><table><tr><td>x"
        var all = 0
        var open: [String] = []
        try HTMLDocument.walk(html.utf8) { event in
            all += 1
            switch event {
            case .start(let element): open.append(element.name)
            case .end(let name): #expect(open.popLast() == name)
            case .text: break
            }
            return true
        }
        #expect(open.isEmpty)
        #expect(all > 15)
        for most in 1..<all {
            var seen = 0
            try HTMLDocument.walk(html.utf8) { _ in
                seen += 1
                return seen < most
            }
            #expect(seen == most)
        }
    }

    @Test func `an empty document has no pieces`() throws {
        try HTMLDocument.walk([]) { event in
            Issue.record("\(event)")
            return true
        }
    }
}

/// A document on one line, without the outer html and body elements.
enum Shown {
    static func of(_ html: String) throws -> String { try of(Array(html.utf8)) }

    static func of(_ html: [UInt8]) throws -> String {
        var line = ""
        let frame = ["html", "head", "body"]
        try HTMLDocument.walk(html) { event in
            switch event {
            case .start(let element) where !frame.contains(element.name):
                let attributes = element.attributes.map { " \($0.name)=[\($0.value)]" }
                line += "<\(element.name)\(attributes.joined())>"
            case .end(let name) where !frame.contains(name): line += "</\(name)>"
            case .text(let text): line += text
            default: break
            }
            return true
        }
        return line
    }
}
