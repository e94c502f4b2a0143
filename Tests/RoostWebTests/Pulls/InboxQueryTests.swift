import Foundation
import Testing

@testable import GitHub
@testable import HTTPServer
@testable import RoostWeb

@Suite struct InboxQueryTests {
    @Test func `an address keeps its wishes, and says the same for the same`() throws {
        let query = InboxQuery(
            try Query(parsing: "bots=hidden&text=close%20%26%20idle&sort=size&author=ada&did=away&sort=age"))
        #expect(query.text == "close & idle" && query.author == "ada")
        #expect(query.sort == .size && query.hidesBots == true && query.drafts == nil)
        #expect(query.address == "text=close%20%26%20idle&author=ada&sort=size&bots=hidden")
        #expect(InboxQuery(try Query(parsing: query.address)) == query)
        #expect(query.isFiltering)
    }

    @Test(arguments: ["", "sort=price&group=&drafts=1&bots=maybe", "did=away&key=x"])
    func `nonsense asks for nothing`(text: String) throws {
        #expect(InboxQuery(try Query(parsing: text)) == InboxQuery())
        #expect(InboxQuery(try Query(parsing: text)).address.isEmpty)
    }

    @Test func `what nobody types is cut off`() throws {
        let query = InboxQuery(try Query(parsing: "text=" + String(repeating: "a", count: 5_000)))
        #expect(query.text.count == 200)
        let accents = "a" + String(repeating: "\u{301}", count: 5_000)
        #expect(InboxQuery(try Query(parsing: "text=" + accents)).text.unicodeScalars.count == 200)
    }

    @Test func `the address goes before the stored choices, and leaves the others`() throws {
        var stored = PullChoices()
        (stored.sort, stored.grouping, stored.amberHours) = (.update, .repository, 5)
        let choices = InboxQuery(try Query(parsing: "sort=size&drafts=only")).choices(over: stored)
        #expect(choices.sort == .size && choices.drafts == .only)
        #expect(choices.grouping == .repository && choices.amberHours == 5 && !choices.hidesBots)
    }

    @Test func `its words go into the filter, with what the choices leave out`() throws {
        var choices = PullChoices()
        (choices.drafts, choices.hidesBots) = (.only, true)
        let filter = InboxQuery(try Query(parsing: "text=a&author=b&label=c")).filter(choices)
        #expect((filter.text, filter.author, filter.label) == ("a", "b", "c"))
        #expect(filter.drafts == .only && filter.hidesBots)
        #expect(InboxQuery().filter(PullChoices()).isEmpty)
    }

    @Test func `a pull request's address is encoded, whatever it is called`() {
        let key = PullKey(host: "git.example.org:8443", owner: "a b", name: "x.y?é", number: 12)
        #expect(key.path == "git.example.org%3A8443/a%20b/x.y%3F%C3%A9/12")
    }
}
