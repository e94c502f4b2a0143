import Testing

@testable import RoostWeb

@Suite struct SearchRankTests {
    @Test(arguments: [
        ("dark theme", 0), ("Dark THEME, again", 1), ("The dark side of a theme", 2), ("Endarken a theme", 3),
    ])
    func `the nearer a title is to the text, the better it ranks`(title: String, rank: Int) {
        #expect(SearchRank(" Dark theme ").rank(of: title) == rank)
    }

    @Test func `case and accents make no difference`() {
        #expect(SearchRank("CAFE").rank(of: "Café") == 0)
        #expect(SearchRank("Café").rank(of: "cafe noir") == 1)
    }

    @Test func `words are divided at all signs`() {
        #expect(SearchRank("nio").rank(of: "apple/swift-nio") == 2)
        #expect(SearchRank("swift-nio").rank(of: "apple/swift-nio") == 2)
    }

    @Test(arguments: ["", " ", "*", "\""])
    func `a text without words ranks nothing`(text: String) {
        #expect(SearchRank(text).rank(of: "*") == 3)
    }
}

@Suite struct SearchQueryTests {
    @Test func `a space at the end says that the last word is complete`() {
        #expect(SiteSearchQuery("  swift ", limit: 5).text == "swift ")
        #expect(SiteSearchQuery("swift", limit: 5).text == "swift")
        #expect(SiteSearchQuery("   ", limit: 5).isEmpty)
    }

    @Test func `a long text is cut off`() {
        #expect(SiteSearchQuery(String(repeating: "a", count: 10_000), limit: 5).text.utf8.count == 200)
    }
}
