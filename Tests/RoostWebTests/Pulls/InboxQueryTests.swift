import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer

@Suite struct InboxQueryTests {
    @Test func `a query is read from its address and written back in one canonical form`() throws {
        let query = InboxQuery(
            try Query(parsing: "bots=hidden&text=close%20%26%20idle&sort=size&author=ada&did=away&sort=age"))
        #expect(query.text == "close & idle" && query.author == "ada")
        #expect(query.sort == .size && query.hidesBots == true && query.drafts == nil)
        #expect(query.address == "text=close%20%26%20idle&author=ada&sort=size&bots=hidden")
        #expect(InboxQuery(try Query(parsing: query.address)) == query)
        #expect(query.isFiltering)
    }

    @Test(arguments: ["", "sort=price&group=&drafts=1&bots=maybe", "did=away&key=x"])
    func `invalid parameters are ignored`(text: String) throws {
        #expect(InboxQuery(try Query(parsing: text)) == InboxQuery())
        #expect(InboxQuery(try Query(parsing: text)).address.isEmpty)
    }

    @Test func `excessive input is cut off`() throws {
        let query = InboxQuery(try Query(parsing: "text=" + String(repeating: "a", count: 5_000)))
        #expect(query.text.count == 200)
        let accents = "a" + String(repeating: "\u{301}", count: 5_000)
        #expect(InboxQuery(try Query(parsing: "text=" + accents)).text.unicodeScalars.count == 200)
    }

    @Test func `the address overrides the stored choices, and keeps the others`() throws {
        var stored = PullPreferences()
        (stored.sort, stored.grouping, stored.amberHours) = (.update, .repository, 5)
        let choices = InboxQuery(try Query(parsing: "sort=size&drafts=only")).choices(over: stored)
        #expect(choices.sort == .size && choices.drafts == .only)
        #expect(choices.grouping == .repository && choices.amberHours == 5 && !choices.hidesBots)
    }

    @Test func `the filter combines the query with the stored choices`() throws {
        var choices = PullPreferences()
        (choices.drafts, choices.hidesBots) = (.only, true)
        let filter = InboxQuery(try Query(parsing: "text=a&author=b&label=c")).filter(choices)
        #expect((filter.text, filter.author, filter.label) == ("a", "b", "c"))
        #expect(filter.drafts == .only && filter.hidesBots)
        #expect(InboxQuery().filter(PullPreferences()).isEmpty)
    }

    @Test func `a pull request's address is encoded, whatever its name`() {
        let key = PullKey(host: "git.example.org:8443", owner: "a b", name: "x.y?é", number: 12)
        #expect(key.path == "git.example.org%3A8443/a%20b/x.y%3F%C3%A9/12")
    }
}
