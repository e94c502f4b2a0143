import Foundation
import TestSupport
import Testing

@testable import HTMLDocument

/// Documents designed to take long, to use much memory, or to be misread.
@Suite struct HostileHTMLTests {
    /// In seconds; input that would take libxml2 minutes takes less than one.
    private static let patience = 10.0

    private func took(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private func deepest(_ html: String) throws -> Int {
        var depth = 0
        var deepest = 0
        try HTMLDocument.walk(html.utf8) { event in
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: break
            }
            deepest = max(deepest, depth)
            return true
        }
        #expect(depth == 0)
        return deepest
    }

    @Test(arguments: ["div", "b", "p><div", "span"])
    func `twenty thousand nested elements are read to the end`(name: String) throws {
        let html = String(repeating: "<\(name)>", count: 20_000) + "x"
        var depth = 0
        let seconds = try took { depth = try deepest(html) }
        #expect(depth >= 20_000)
        #expect(seconds < Self.patience)
    }

    @Test func `two megabytes of open elements are read to the end`() throws {
        let html = String(repeating: "<b>", count: HTMLDocument.maximumBytes / 3)
        var depth = 0
        let seconds = try took { depth = try deepest(html) }
        #expect(depth >= 690_000)
        #expect(seconds < Self.patience)
    }

    @Test(arguments: [("<b>", "</i>"), ("<div>", "</span>"), ("<b>", "<body>"), ("<b>", "</div>")])
    func `stray tags among deep elements are abandoned in time`(open: String, stray: String) throws {
        let html =
            String(repeating: open, count: 100_000) + String(repeating: stray, count: 200_000)
        let seconds = took {
            #expect(throws: HTMLDocument.ParseError.tooComplex) {
                try HTMLDocument.walk(html.utf8) { _ in true }
            }
        }
        #expect(seconds < Self.patience)
    }

    @Test func `an element that ends below others is also abandoned in time`() throws {
        let html =
            "<i>" + String(repeating: "<b>", count: 100_000) + "<div>"
            + String(repeating: "</i>", count: 300_000)
        let seconds = took {
            #expect(throws: HTMLDocument.ParseError.tooComplex) {
                try HTMLDocument.walk(html.utf8) { _ in true }
            }
        }
        #expect(seconds < Self.patience)
    }

    @Test func `a tag with far too many attributes is refused at once`() throws {
        func tag(_ count: Int) -> String { "<p" + (0..<count).map { " a\($0)" }.joined() + ">" }
        #expect(try Shown.of(tag(HTMLDocument.maximumAttributes)).contains(" a499=[]"))
        #expect(throws: HTMLDocument.ParseError.tooComplex) {
            try Shown.of(tag(HTMLDocument.maximumAttributes + 1))
        }
        let seconds = took {
            #expect(throws: HTMLDocument.ParseError.tooComplex) { try Shown.of(tag(200_000)) }
        }
        #expect(seconds < Self.patience)
    }

    @Test(arguments: [
        "<!--\">-->", "<script>x='<a b=\"'</script>", "<p =\"", "<p x=\">", "<p/\"", "<p 1=\"",
        "<p a='\"' \"",
        "<style><p '</style>", "<p \" = '",
    ])
    func `quotes and comments cannot hide such a tag`(before: String) {
        let tag = "<p" + (0..<1_000).map { " a\($0)" }.joined() + ">"
        #expect(throws: HTMLDocument.ParseError.tooComplex) { try Shown.of(before + tag) }
    }

    @Test func `tags nested inside tags are abandoned in time`() throws {
        let html = String(repeating: "<a '", count: HTMLDocument.maximumBytes / 4)
        #expect(took { _ = try? Shown.of(html) } < Self.patience)
        let quoted = String(repeating: "<a b=\"", count: HTMLDocument.maximumBytes / 6)
        #expect(took { _ = try? Shown.of(quoted) } < Self.patience)
    }

    @Test func `a megabyte in one value, name, text or comment is read`() throws {
        let million = String(repeating: "x", count: 1_000_000)
        #expect(try Shown.of("<a title=\"\(million)\">y</a>") == "<a title=[\(million)]>y</a>")
        #expect(try Shown.of("<p>\(million)</p>") == "<p>\(million)</p>")
        #expect(try Shown.of("a<!--\(million)-->b") == "<p>ab</p>")
        #expect(try Shown.of(String(repeating: "&amp;", count: 200_000)).utf8.count == 200_007)
    }

    @Test func `more than two megabytes are refused`() throws {
        let much = [UInt8](repeating: 0x20, count: HTMLDocument.maximumBytes)
        try HTMLDocument.walk(much) { _ in true }
        #expect(throws: HTMLDocument.ParseError.tooLong) {
            try HTMLDocument.walk(much + [0x20]) { _ in true }
        }
    }

    @Test func `NUL and invalid UTF-8 are replaced and hide nothing`() throws {
        #expect(try Shown.of(Array("<p>a\0b</p>".utf8)) == "<p>a\u{FFFD}b</p>")
        #expect(try Shown.of(Array("\0<p>x</p>".utf8)).contains("x"))
        #expect(try Shown.of([0x3C, 0x70, 0x3E, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]).contains("\u{FFFD}("))
        // An overlong encoding of "<script>" is invalid.
        #expect(try Shown.of([0xC0, 0xBC] + Array("script>".utf8)).contains("script>"))
    }

    @Test(arguments: ["UTF-7", "UTF-16", "ISO-2022-JP", "EBCDIC-CP-US", "nonsense"])
    func `a document that claims another encoding is still read as UTF-8`(name: String) throws {
        let head =
            "<meta charset='\(name)'><meta http-equiv=Content-Type content='text/html; charset=\(name)'>"
        let shown = try Shown.of(head + "<p>é+ADw-script+AD4-\u{1B}(B</p>")
        #expect(shown.contains("<p>é+ADw-script+AD4-"))
        #expect(!shown.contains("<script"))
    }

    @Test func `UTF-16 is not read as markup`() throws {
        let bytes: [UInt8] = [0xFF, 0xFE] + "<script>x".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(!(try Shown.of(bytes).contains("<script")))
    }

    @Test func `many documents are read at the same time`() async throws {
        let shown = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<200 {
                group.addTask { try Shown.of("<p>\(number)<b>&eacute;") }
            }
            var all: Set<String> = []
            for try await one in group { all.insert(one) }
            return all
        }
        #expect(shown == Set((0..<200).map { "<p>\($0)<b>é</b></p>" }))
    }

    @Test func `random input ends, is balanced, and respects the limit of attributes`() {
        var dice = SeededNumbers(seed: 20_261_121)
        let scraps = [
            "<", ">", "/", "=", "\"", "'", " ", "\n", "a", "b1", "p", "div", "!--", "--", "-->", "<!", "<?",
            "&", "#x",
            ";", "script", "style", "</", "]]>", "<![CDATA[", "\0", "é", "title", "table", "td", "\u{FFFD}",
            "html",
            "body", "head", "svg", "textarea", "plaintext", ":", ".", "_", "meta", "charset",
        ]
        for _ in 0..<3_000 {
            let html = (0..<Int.random(in: 1...80, using: &dice))
                .map { _ in scraps.randomElement(using: &dice) ?? "" }.joined()
            var open: [String] = []
            var most = 0
            try? HTMLDocument.walk(html.utf8) { event in
                switch event {
                case .start(let element):
                    open.append(element.name)
                    most = max(most, element.attributes.count)
                case .end(let name): #expect(open.popLast() == name, "\(html)")
                case .text(let text): #expect(!text.isEmpty)
                }
                return true
            }
            #expect(open.isEmpty, "\(html)")
            #expect(most <= html.utf8.count / 2 + 1)
        }
    }
}
