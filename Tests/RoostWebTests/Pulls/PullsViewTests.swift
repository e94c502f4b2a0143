import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer

@Suite struct PullsViewTests {
    private func board(_ sources: [InboxSource], lists: PullListsView = .none, token: String? = nil) -> String
    {
        rendered(
            PullBoardView(
                sources: sources, lists: lists, back: "/pulls?sort=size&text=a", now: PullSample.now),
            formToken: token)
    }

    private func lists(_ section: InboxSection, shown: Int, above: Int = 0, isFiltered: Bool = false)
        -> String
    {
        let rows = section.items.prefix(shown).map {
            PullRow($0, PullPreferences(), avatar: nil, now: PullSample.now)
        }
        let view = PullSectionView(
            section, groups: rows.isEmpty ? [] : [.init(Array(rows))], above: above, isFiltered: isFiltered)
        return rendered(PullListsView(sections: [view], hidden: []))
    }

    @Test func `the page contains its region as it is fetched, with the page's own query`()
        throws
    {
        let query = InboxQuery(try Query(parsing: "text=a%26b&sort=size"))
        let view = PullsView(
            layout: .sample, board: .sample, query: query, choices: PullPreferences())
        let text = rendered(view)
        #expect(
            text.contains(
                "data-live=\"/pulls/rows?text=a%26b&amp;sort=size\" data-topics=\"pulls pictures\""))
        #expect(text.contains("value=\"a&amp;b\""))
        #expect(text.contains("<input type=\"hidden\" name=\"sort\" value=\"size\">"))
        let page = text.split(whereSeparator: \.isNewline)
        let expected = rendered(PullBoardView.sample).split(whereSeparator: \.isNewline)
        #expect(page.indices.contains { page[$0...].starts(with: expected) })
    }

    @Test func `the active choices are pressed`() {
        var choices = PullPreferences()
        (choices.sort, choices.drafts, choices.hidesBots, choices.sounds) = (.size, .only, true, true)
        let text = rendered(
            PullsView(layout: .sample, board: .sample, query: InboxQuery(), choices: choices))
        for (name, value) in [("sort", "size"), ("group", "none"), ("drafts", "only"), ("bots", "hidden")] {
            #expect(text.contains("name=\"\(name)\" value=\"\(value)\" aria-pressed=\"true\""), "\(name)")
        }
        #expect(text.contains("name=\"sounds\" value=\"false\" aria-pressed=\"true\""))
        #expect(text.contains("name=\"notifies\" value=\"true\" aria-pressed=\"false\""))
        #expect(text.contains("data-notifies=\"false\" data-sounds=\"true\""))
    }

    @Test func `without a GitHub account the page says how to connect one`() {
        let text = board([])
        #expect(text.contains("Connect GitHub to see what waits for you"))
        #expect(text.contains("href=\"/settings/github\""))
        #expect(!board([PullSample.source()]).contains("Connect GitHub"))
    }

    /// Scripts fetch only the region again, so that the frame around it must always be complete.
    @Test func `an empty inbox has the same frame as a full one`() throws {
        let frames = try [[], [PullSample.source()]].map { sources in
            let board = PullBoardView(sources: sources, lists: .none, now: PullSample.now)
            let page = PullsView(
                layout: .sample, board: board, query: InboxQuery(), choices: PullPreferences())
            return try #require(frame(of: rendered(board), in: rendered(page)))
        }
        #expect(frames[0] == frames[1])
        #expect(frames[0].contains { $0.contains("id=\"filter\"") })
        #expect(frames[0].contains { $0.contains("id=\"view\"") })
    }

    @Test func `a section shows its count, and how many of its items are listed above`() throws {
        let items = try (1...3).map { try PullSample.item("a/b", $0) }
        let section = InboxSection(id: "teams", kind: .teams, name: "Team requests", items: items)
        let text = lists(section, shown: 1, above: 2)
        #expect(text.contains("Team requests <span class=\"total\">3</span>"))
        #expect(text.contains("2 more above"))
        #expect(text.components(separatedBy: "<li class=pull").count == 2)
        #expect(lists(section, shown: 1, isFiltered: true).contains("<span class=\"total\">1 of 3</span>"))
        #expect(lists(section, shown: 0, isFiltered: true).contains("Nothing here matches the filter."))
    }

    @Test func `a folded section is closed, but not while a filter is set`() throws {
        let section = InboxSection(id: "yours", kind: .yours, name: "Yours", items: [])
        func text(isFiltered: Bool = false, isCollapsed: Bool = false) -> String {
            let view = PullSectionView(section, isFiltered: isFiltered, isCollapsed: isCollapsed)
            return rendered(PullListsView(sections: [view], hidden: []))
        }
        let opening = "data-group=\"yours\" aria-label=\"Yours\""
        #expect(text().contains(opening + " open>"))
        #expect(text(isCollapsed: true).contains(opening + ">"))
        #expect(text(isFiltered: true, isCollapsed: true).contains(opening + " open>"))
    }

    @Test func `a bar jumps to each of several lists`() throws {
        let item = try PullSample.item()
        let sections = [InboxSection.Kind.turn, .yours].map {
            PullSectionView(InboxSection(id: $0.rawValue, kind: $0, name: $0.rawValue, items: [item]))
        }
        let hidden = HiddenPullRow(
            HiddenItem(key: item.key, mark: .muted, markedAt: PullSample.now, pull: item.pull))
        let text = rendered(PullListsView(sections: sections, hidden: [hidden]))
        for id in ["pulls-turn", "pulls-yours", "hidden-pulls"] {
            #expect(text.contains("href=\"#\(id)\"") && text.contains("id=\"\(id)\""), "\(id)")
        }
        #expect(!rendered(PullListsView(sections: [sections[0]], hidden: [])).contains("<nav"))
    }

    @Test func `an empty turn is explained, and a failed search says why`() {
        let turn = InboxSection(id: "turn", kind: .turn, name: "Your turn", items: [])
        #expect(lists(turn, shown: 0).contains("Nothing waits for you."))
        let own = InboxSection(
            id: "own-1", kind: .own, name: "<Mine>", items: [], problem: "GitHub: <nonsense>")
        let text = lists(own, shown: 0)
        #expect(text.contains("GitHub: &lt;nonsense&gt;") && text.contains("&lt;Mine&gt;"))
        #expect(!text.contains("Nothing here"))
    }

    @Test func `before GitHub answers, an empty turn says that it is loading`() {
        let turn = InboxSection(id: "turn", kind: .turn, name: "Your turn", items: [])
        let view = PullSectionView(turn, isFiltered: true, isLoaded: false)
        let text = rendered(PullListsView(sections: [view], hidden: []))
        #expect(text.contains("Loading …") && text.contains("<h2>Your turn</h2>"))
        #expect(!text.contains("Nothing"))
    }

    @Test func `more results than GitHub returns are reported`() throws {
        let items = [try PullSample.item()]
        let cut = InboxSection(
            id: "own-1", kind: .own, name: "All", items: items, total: 12_345, isCut: true)
        #expect(lists(cut, shown: 1).contains("Showing 1 of 12,345: GitHub returns at most 1,000."))
        let unknown = InboxSection(id: "own-1", kind: .own, name: "All", items: items, isCut: true)
        #expect(lists(unknown, shown: 1).contains("There are more: GitHub returns"))
        let whole = InboxSection(id: "own-1", kind: .own, name: "All", items: items, total: 1)
        #expect(!lists(whole, shown: 1).contains("GitHub returns"))
    }

    @Test func `a hidden pull request says why, and a button restores it`() throws {
        let item = try PullSample.item()
        let marks: [(PullMark, String)] = [
            (.muted, "muted"), (.done, "done, returns when it’s your turn again"),
            (.snoozedUntilChange, "snoozed until it changes"),
            (
                .snoozedUntil(PullSample.now),
                "snoozed until <time data-short datetime=\"2026-11-10T12:00:00Z\">"
            ),
        ]
        for (mark, phrase) in marks {
            let hidden = HiddenItem(key: item.key, mark: mark, markedAt: PullSample.now, pull: item.pull)
            let text = rendered(PullListsView(sections: [], hidden: [HiddenPullRow(hidden)]))
            #expect(text.contains("· \(phrase)"), "\(phrase)")
            #expect(text.contains("formaction=\"/pulls/github.com/apple/swift-nio/7/restore\""))
        }
        let unseen = HiddenItem(key: item.key, mark: .muted, markedAt: PullSample.now, pull: nil)
        let text = rendered(PullListsView(sections: [], hidden: [HiddenPullRow(unseen)]))
        #expect(text.contains("<span class=\"name\" dir=\"auto\">apple/swift-nio#7</span>"))
    }

    @Test func `the filter offers the existing authors and labels`() {
        let view = PullListsView(sections: [], hidden: [], authors: ["ada<"], labels: ["bug"])
        let text = rendered(view)
        #expect(text.contains("<datalist id=\"authors\"><option value=\"ada&lt;\"></option></datalist>"))
        #expect(text.contains("<datalist id=\"labels\"><option value=\"bug\"></option></datalist>"))
    }

    @Test func `author and label are selected from existing ones, and the selection is kept`() throws {
        let lists = PullListsView(sections: [], hidden: [], authors: ["ada<", "Grace"], labels: ["bug"])
        let board = PullBoardView(sources: [.sample], lists: lists, back: "", now: PullSample.now)
        func text(_ query: String) throws -> String {
            let query = InboxQuery(try Query(parsing: query))
            return rendered(
                PullsView(
                    layout: .sample, board: board, query: query, choices: PullPreferences()))
        }
        #expect(
            try text("").contains(
                "<option value=\"\" selected>Anyone</option><option value=\"ada&lt;\">ada&lt;</option>"))
        #expect(
            try text("").contains(
                "<option value=\"\" selected>Any</option><option value=\"bug\">bug</option>"))
        #expect(
            try text("author=@grace").contains("<option value=\"Grace\" selected>Grace</option></select>"))
        #expect(try text("label=gone").contains("<option value=\"gone\" selected>gone</option></select>"))
    }

    @Test func `the actions' form carries the token and the return address`() {
        let text = board([PullSample.source(error: .networkUnavailable)], token: "secret")
        #expect(text.components(separatedBy: "name=\"token\" value=\"secret\"").count == 3)
        #expect(
            text.components(separatedBy: "name=\"back\" value=\"/pulls?sort=size&amp;text=a\"").count == 3)
    }
}
