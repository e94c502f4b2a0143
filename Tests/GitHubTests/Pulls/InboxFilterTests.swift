import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct InboxFilterTests {
    private func item(
        _ number: Int, title: String = "Tidy the perch", author: String = "grace",
        repository: String = "nest",
        host: String = "github.com", waits: Double = 0, updated: Double = 0,
        _ change: (inout PullRequest) -> Void = { _ in }
    ) throws -> InboxItem {
        var pull = try PullRequest(
            repositoryOwner: "roost", repositoryName: repository, number: number, title: title,
            authorLogin: author, updatedAt: TestClock.start - updated,
            htmlURL: "https://github.com/roost/\(repository)/pull/\(number)", now: TestClock.start)
        change(&pull)
        return InboxItem(
            accountId: 1, key: PullFixture.key(number, "roost/\(repository)", host: host), pull: pull,
            waits: [.init(.askedByName, since: TestClock.start - waits)])
    }

    private func filter(_ change: (inout InboxFilter) -> Void) -> InboxFilter {
        var filter = InboxFilter()
        change(&filter)
        return filter
    }

    @Test func `without filters everything passes`() throws {
        let item = try item(1)
        #expect(InboxFilter().isEmpty && InboxFilter().matches(item))
        #expect(filter { $0.text = "  " }.isEmpty)
    }

    @Test(arguments: ["perch", "TIDY", "roost/nest", "grace", "#7", "bug", "tidy bug", "élan"])
    func `text is searched for in title, repository, author, number and labels`(text: String) throws {
        let item = try item(7, title: "Tidy the perch, Élan") { $0.labels = [.init(name: "Bug", color: nil)] }
        #expect(filter { $0.text = text }.matches(item))
    }

    @Test(arguments: ["heron", "tidy heron", "#8", "ada"])
    func `every word has to match`(text: String) throws {
        let item = try item(7)
        #expect(!filter { $0.text = text }.matches(item))
    }

    @Test func `author and label match whole names`() throws {
        let item = try item(7) { $0.labels = [.init(name: "good first issue", color: nil)] }
        #expect(filter { $0.author = "@Grace" }.matches(item) && !filter { $0.author = "gra" }.matches(item))
        #expect(filter { $0.label = "Good First Issue" }.matches(item))
        #expect(!filter { $0.label = "good" }.matches(item))
    }

    @Test func `drafts are shown, hidden, or shown alone`() throws {
        let draft = try item(1) { $0.isDraft = true }
        let ready = try item(2) { $0.isDraft = false }
        let unknown = try item(3)
        let hidden = filter { $0.drafts = .hidden }
        #expect(!hidden.matches(draft) && hidden.matches(ready) && hidden.matches(unknown))
        let only = filter { $0.drafts = .only }
        #expect(only.matches(draft) && !only.matches(ready) && !only.matches(unknown))
    }

    @Test func `bots are hidden by choice, using the user's list`() throws {
        let bot = try item(1) { $0.isFromBot = true }
        #expect(InboxFilter().matches(bot))
        var choices = PullPreferences()
        choices.hidesBots = true
        choices.drafts = .only
        #expect(!InboxFilter(choices).matches(bot) && InboxFilter(choices).drafts == .only)
    }

    @Test func `sorting by age puts the longest wait first, by update the latest, by size the smallest`()
        throws
    {
        let items = [
            try item(1, waits: 10, updated: 1) { ($0.additions, $0.deletions) = (50, 1) },
            try item(2, waits: 30, updated: 3),
            try item(3, waits: 20, updated: 2) { ($0.additions, $0.deletions) = (1, 1) },
        ]
        let numbers = { (sort: PullPreferences.Sort) in InboxFilter.sorted(items, by: sort).map(\.pull.number)
        }
        #expect(numbers(.age) == [2, 3, 1])
        #expect(numbers(.update) == [1, 3, 2])
        #expect(numbers(.size) == [3, 1, 2])
    }

    @Test func `equal items keep their order`() throws {
        let items = try (1...5).map { try item($0) }
        for sort in PullPreferences.Sort.allCases {
            let shuffled = InboxFilter.sorted(items.shuffled(), by: sort).map(\.pull.number)
            #expect(shuffled == [1, 2, 3, 4, 5])
        }
    }

    @Test func `groups appear in the order of their first item, and two hosts make two groups`() throws {
        let items = [
            try item(1, repository: "nest"), try item(2, repository: "egg"), try item(3, repository: "Nest"),
            try item(4, repository: "nest", host: "git.example.org"),
        ]
        let groups = InboxFilter.grouped(items)
        #expect(groups.map { $0.items.map(\.pull.number) } == [[1, 3], [2], [4]])
        #expect(groups.map(\.name) == ["roost/nest", "roost/egg", "roost/nest"])
        #expect(groups.map(\.host) == ["github.com", "github.com", "git.example.org"])
        #expect(InboxFilter.grouped([]).isEmpty)
    }

    @Test func `filtering keeps the inbox count, and offers each author and label once`() throws {
        let items = [
            try item(1, author: "hedy"), try item(2) { $0.labels = [.init(name: "bug", color: nil)] },
        ]
        let section = InboxSection(id: "turn", kind: .turn, name: "Your turn", items: items)
        let yours = InboxSection(id: "yours", kind: .yours, name: "Yours", items: items)
        let inbox = Inbox(
            sections: [section, yours], sources: [], hidden: [], waiting: 2, now: TestClock.start)
        let shown = filter { $0.author = "hedy" }.applied(to: inbox)
        #expect(shown.sections.map { $0.items.count } == [1, 1] && shown.waiting == 2)
        let offers = InboxFilter.offers(in: inbox)
        #expect(offers.authors == ["grace", "hedy"] && offers.labels == ["bug"])
    }
}
