import Testing

@testable import ReadingWeb

@Suite struct ReadingQueryTests {
    @Test(arguments: [
        "/reading", "/reading?list=all&tag=a%20b", "/reading?category=x%26y&sort=longest",
        "/reading?site=example.org&text=%22two%20words%22", "/reading?list=failed&cursor=c1&pages=3",
    ])
    func `an address is read and written back`(path: String) {
        let query = path.split(separator: "?").dropFirst().first.map(String.init)
        #expect(ReadingQuery(carried: query).path == path)
    }

    @Test func `unknown and excessive parameters are corrected`() {
        let query = ReadingQuery(carried: "list=nonsense&sort=worst&pages=99999&x=1")
        #expect(query.list == .unread && query.sort == .newest)
        #expect(query.pages == ReadingQuery.pageLimit)
    }

    @Test func `a new filter starts at the first page, and keeps the other filters`() {
        let query = ReadingQuery(carried: "tag=x&cursor=c9&pages=4")
        #expect(query.changed { $0.list = .all }.path == "/reading?list=all&tag=x")
    }

    @Test func `a list grows up to its page limit`() {
        var query = ReadingQuery()
        for _ in 1..<ReadingQuery.pageLimit { query = query.more ?? query }
        #expect(query.pages == ReadingQuery.pageLimit)
        #expect(query.more == nil)
    }
}
