import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct RepositoryRowTests {
    private func html(_ row: RepositoryRow) -> String { rendered(row) }

    private func row(_ index: Int, isBookmarked: Bool = false, now: Date? = nil) -> RepositoryRow {
        RepositoryRow(
            RepositoryItem.samples[index], avatar: nil, isBookmarked: isBookmarked, now: now)
    }

    @Test func `a row shows a repository's details`() {
        let text = html(row(0))
        #expect(text.contains("<span>apple/</span><b>swift-nio</b></a>"))
        #expect(
            text.contains(
                "<p class=\"facts\">Org · <bdi>Event-driven network application framework</bdi>"))
        #expect(text.contains("<span class=\"stars\">8,021<i> stars</i>"))
        #expect(text.contains("</i></span><span>Swift</span>"))
        #expect(!text.contains("class=\"chip\""))
        #expect(html(row(1)).contains("<span class=\"chip\">archived</span>"))
        #expect(html(row(2)).contains("<span class=\"chip\">fork</span>"))
    }

    @Test func `missing details have placeholders, and are requested`() {
        let now = Date(timeIntervalSince1970: 1_763_631_660)
        let text = html(row(3, now: now))
        #expect(text.contains("<span class=\"unknown\"></span><span class=\"unknown\"></span>"))
        #expect(text.contains("data-want=\"42\""))
        #expect(!html(row(0, now: now)).contains("data-want"))
        #expect(
            html(row(0, now: now + 604_800)).contains("data-want=\"1\""),
            "details older than a week are requested again")
        #expect(!html(row(3)).contains("data-want"), "the service refreshes these")
    }

    @Test func `the button adds or removes the bookmark`() {
        #expect(
            html(row(0)).contains(
                "formaction=\"/bookmarks\" name=\"fullName\" value=\"apple/swift-nio\" aria-pressed=\"false\""
            ))
        #expect(
            html(row(0, isBookmarked: true)).contains(
                "formaction=\"/bookmarks/apple/swift-nio/remove\" value=\"apple/swift-nio\" aria-pressed=\"true\""
            ))
    }

    @Test func `a bookmark's row has the user's note, even if GitHub was never asked`() throws {
        let name = try #require(RepositoryName("ada/engine"))
        let bookmark = Bookmark(
            id: 7, name: name, item: nil, state: .unresolved, tags: ["to <read>"], addedAt: .distantPast)
        let text = html(RepositoryRow(bookmark, avatar: nil))
        #expect(text.contains("data-key=\"b7\"") && text.contains("value=\"7\""))
        #expect(text.contains("to &lt;read&gt;") && text.contains("<span>ada/</span><b>engine</b></a>"))
        #expect(text.contains("aria-pressed=\"true\""))
    }

    @Test func `a row's link carries the list's own query`() {
        let item = RepositoryItem.samples[0]
        let row = RepositoryRow(item, avatar: nil, isBookmarked: false, query: "?pages=2&group=language")
        #expect(
            rendered(row).contains("href=\"/repositories/apple/swift-nio?pages=2&amp;group=language\""))
        #expect(
            rendered(RepositoryRow(item, avatar: nil, isBookmarked: false))
                .contains("href=\"/repositories/apple/swift-nio\""))
    }
}

@Suite struct RepositoryGroupsViewTests {
    private func html(_ view: RepositoryGroupsView) -> String { rendered(view) }

    private func group(_ id: String, _ title: String, isCollapsed: Bool = false) -> RepositoryGroupsView.Group
    {
        .init(
            id: id, title: title, count: 1_204, isCollapsed: isCollapsed,
            rows: [RepositoryRow(RepositoryItem.samples[0], avatar: nil, isBookmarked: false)])
    }

    @Test func `groups have headers with counts, and a bar that jumps to them`() {
        let view = RepositoryGroupsView(
            groups: [group("language-c++", "C++"), group("stars-10", "10 stars", isCollapsed: true)],
            isGrouped: true)
        let text = html(view)
        #expect(
            text.contains(
                "<a class=\"chip\" href=\"#group-language-c%2B%2B\">C++ <span class=\"total\">1,204</span></a>"
            ))
        #expect(text.contains("id=\"group-language-c%2B%2B\" data-group=\"language-c++\" open>"))
        #expect(text.contains("id=\"group-stars-10\" data-group=\"stars-10\">"), "it stays collapsed")
    }

    @Test func `an ungrouped list has neither headers nor a bar`() {
        let text = html(RepositoryGroupsView(groups: [group("all", "")], isGrouped: false))
        #expect(!text.contains("<details") && !text.contains("<nav"))
        #expect(text.contains("<ol class=\"repos panel\" role=\"list\">\n<li class=\"repo\""))
    }

    @Test func `a group on a later page is linked to that page`() {
        let view = RepositoryGroupsView(
            groups: [group("a", "A")],
            index: [
                .init(id: "a", title: "A", count: 1),
                .init(id: "b", title: "B", count: 2, address: "/bookmarks?pages=2#group-b"),
            ], isGrouped: true)
        #expect(html(view).contains("href=\"/bookmarks?pages=2#group-b\">B <span"))
    }
}
