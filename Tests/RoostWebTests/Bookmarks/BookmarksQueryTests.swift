import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct BookmarksQueryTests {
    @Test func `a query is read from its address and written back unchanged`() {
        let query = BookmarksQuery(
            carried: "pages=3&sort=stars&text=a%26b&tag=sp%C3%A4ter&changed=1&group=language")
        #expect(query.text == "a&b" && query.tag == "später" && query.isChangedOnly && query.pages == 3)
        #expect(query.sort == .stars && query.grouping == .language)
        #expect(
            query.path
                == "/bookmarks?text=a%26b&tag=sp%C3%A4ter&changed=1&group=language&sort=stars&pages=3")
        #expect(BookmarksQuery(carried: query.address) == query)
        #expect(BookmarksQuery().path == "/bookmarks")
    }

    @Test(arguments: [
        "", "evil=1", "pages=0", "pages=-3", "pages=x", "group=size", "sort=best", "changed=yes",
    ])
    func `unknown parameters are ignored`(text: String) {
        #expect(BookmarksQuery(carried: text) == BookmarksQuery())
        #expect(BookmarksQuery(carried: text).address.isEmpty)
    }

    @Test func `at most twenty pages are shown, and a filter text has at most 200 characters`() {
        #expect(BookmarksQuery(carried: "pages=99999").pages == 20)
        let long = BookmarksQuery(carried: "text=\(String(repeating: "x", count: 5_000))&tag=%zz")
        #expect(long == BookmarksQuery(), "a malformed address is ignored")
        let longQuery = BookmarksQuery(carried: "text=\(String(repeating: "x", count: 5_000))")
        #expect(longQuery.text.count == 200)
    }

    @Test func `the stored choices apply unless the address overrides them`() {
        let stored = RepositoryListPreferences(grouping: .starCount, sort: .name)
        let plain = BookmarksQuery().serviceQuery(over: stored)
        #expect(plain.arrangement.grouping == .starCount && plain.arrangement.sort == .name)
        #expect(plain.tag == nil && !plain.isChangedOnly && plain.pages == 1)
        let query = BookmarksQuery(carried: "group=none&tag=x&text=nio&changed=1&pages=2")
        let serviceQuery = query.serviceQuery(over: stored)
        #expect(serviceQuery.arrangement == RepositoryArrangement(grouping: .none, sort: .name, text: "nio"))
        #expect(serviceQuery.tag == "x" && serviceQuery.isChangedOnly && serviceQuery.pages == 2)
    }

    @Test func `the next address adds one page, and the filter form omits its own field`() {
        let query = BookmarksQuery(carried: "text=nio&tag=x&pages=2")
        #expect(query.more.path == "/bookmarks?text=nio&tag=x&pages=3")
        #expect(query.overrides.map(\.name) == ["tag"])
        #expect(query.isFiltering)
        #expect(!BookmarksQuery(carried: "sort=name&pages=2&text=%20").isFiltering)
    }
}
