import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct LinkFinderTests {
    @Test(arguments: [
        ("see https://github.com/apple/swift.", ["https://github.com/apple/swift"]),
        ("(https://a.example/x)", ["https://a.example/x"]),
        ("https://a.example/x_(y)!", ["https://a.example/x_(y)"]),
        ("[Bitcoin](/watchlist?q=bitcoin), no?", ["/watchlist?q=bitcoin"]),
        ("Bitcoin /watchlist?q=bitcoin", ["/watchlist?q=bitcoin"]),
        ("HTTP://A.example:8080/?a=b#c then /pulls", ["HTTP://A.example:8080/?a=b#c", "/pulls"]),
        ("<https://a.example/>\nhttp://b.example", ["https://a.example/", "http://b.example"]),
        ("https://a.example/é", ["https://a.example/é"]),
        ("https://a.example/x\u{301}", ["https://a.example/x\u{301}"]),
        ("xhttps://a.example and 1/2 and //cdn.example and a/b", []),
        ("https:// and http://?x and javascript:alert(1) and ftp://a.example", []),
        ("https://user:secret@a.example/", []),
        ("https://a.example/x_", ["https://a.example/x_"]),
        ("_https://a.example/x_", ["https://a.example/x"]),
        ("（https://a.example/x）。", ["https://a.example/x"]),
        ("看https://a.example/x。好", ["https://a.example/x"]),
        ("«https://a.example/x»", ["https://a.example/x"]),
        ("https://a.example/x。https://b.example/y。", ["https://a.example/x", "https://b.example/y"]),
        ("https://https://a.example/x", ["https://a.example/x"]),
        ("[http://[::1]/x]", ["http://[::1]/x"]), ("https://a.example?!", ["https://a.example"]),
        ("https://a.example/?f=A|B,", ["https://a.example/?f=A|B"]),
    ])
    func `addresses are found without the surrounding punctuation`(text: String, addresses: [String]) {
        #expect(LinkFinder.matches(in: text).map(\.address) == addresses)
    }

    @Test func `a result contains the position of its address`() {
        let text = "Grüße: https://a.example/ü, /pulls"
        for place in LinkFinder.matches(in: text) {
            #expect(text[place.range] == place.address)
        }
        #expect(LinkFinder.matches(in: text).map(\.isPath) == [false, true])
    }

    /// Contains no address, and a thousand closing brackets without an opening one.
    private static let brackets =
        String(repeating: "http://(", count: 120) + String(repeating: ")", count: 1_080) + " "

    @Test(arguments: [
        String(repeating: "https://", count: 2_000), String(repeating: ")", count: 16_000),
        "https://a.example/" + String(repeating: ")", count: 16_000), String(repeating: "/a(", count: 5_000),
        String(repeating: "https://\"", count: 1_600),
        String(repeating: Self.brackets, count: 8),
        "https://a.example/" + String(repeating: "\u{301}", count: 8_000),
        String(repeating: "https://a.example/x。", count: 700), String(repeating: "http://a@/", count: 1_600),
        String(repeating: "http://a@/", count: 200) + " ",
    ])
    func `the work grows with the text's length, not with its square`(text: String) {
        // Eight times the text takes eight times the work; with its square it would be 64 times.
        #expect(Self.seconds(text, times: 8) < 24 * Self.seconds(text, times: 1))
    }

    /// The processor's time for a text that is repeated, the shortest of several.
    private static func seconds(_ text: String, times: Int) -> Double {
        let text = String(repeating: text, count: times)
        return (0..<3).map { _ in
            let began = threadSeconds()
            _ = LinkFinder.matches(in: text)
            return threadSeconds() - began
        }.min() ?? 0
    }

    @Test func `a link is split into its parts`() throws {
        let link = try #require(WebLink("https://GitHub.com:443/apple/swift%2Dnio/pull/1?a=b+c&a=d#x"))
        #expect(link.host == "github.com")
        #expect(link.path == ["apple", "swift-nio", "pull", "1"])
        #expect(link.query == ["a": "b c"])
    }

    @Test(arguments: [
        ("http://roost.lan:8080/pulls", nil), ("http://roost.lan/pulls", "roost.lan"), ("/pulls", nil),
        ("https://github.com/pulls", "github.com"),
    ])
    func `Roost's own pages are recognised by their path, whatever the host`(address: String, host: String?)
        throws
    {
        let link = try #require(WebLink(address) { $0 == "roost.lan:8080" })
        #expect(link.host == host && link.path == ["pulls"])
    }

    @Test(arguments: [
        "", "//evil.example/x", "mailto:a@b.example", "https://", "x",
        "https://a.example/" + String(repeating: "a", count: 2_048),
    ])
    func `text that is not a link has no parts`(text: String) {
        #expect(WebLink(text) == nil)
    }
}
