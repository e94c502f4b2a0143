import Foundation
import RoostServices
import RoostWeb
import Testing

@Suite struct RepositoryRowTests {
    private static let assets = "/static/0123abcd"
    private let templates: Templates

    init() throws { templates = try Templates(directory: SiteFiles.templates) }

    private func html(_ row: RepositoryRow) -> String { templates.render(row) }

    private func row(_ index: Int, isKept: Bool = false, now: Date? = nil) -> RepositoryRow {
        RepositoryRow(
            RepositoryItem.samples[index], avatar: nil, isKept: isKept, now: now, assets: Self.assets)
    }

    @Test func `a row says what is known of a repository`() {
        let text = html(row(0))
        #expect(text.contains("<span>apple/</span><wbr>swift-nio</a>"))
        #expect(
            text.contains(
                "title=\"Organization\">Org</span> · <bdi>Event-driven network application framework</bdi>"))
        #expect(text.contains("★ </span>8,021<span class=\"unseen\"> stars"))
        #expect(text.contains("<span class=\"tongue\">Swift</span>"))
        #expect(text.contains("data-github=\"https://github.com/apple/swift-nio\""))
        #expect(!text.contains("class=\"chip\""))
        #expect(html(row(1)).contains("<span class=\"chip\">archived</span>"))
        #expect(html(row(2)).contains("<span class=\"chip\">fork</span>"))
    }

    @Test func `what is not known yet has a place of its own, and is wanted`() {
        let now = Date(timeIntervalSince1970: 1_763_631_660)
        let text = html(row(3, now: now))
        #expect(text.contains("<span class=\"unknown\"></span><span class=\"unknown\"></span>"))
        #expect(text.contains("data-want=\"42\""))
        #expect(!html(row(0, now: now)).contains("data-want"))
        #expect(html(row(0, now: now + 604_800)).contains("data-want=\"1\""), "a week is too old")
        #expect(!html(row(3)).contains("data-want"), "somebody else looks after these")
    }

    @Test func `strangers' words are escaped`() {
        let text = html(row(3))
        #expect(text.contains("&lt;b&gt;Words&lt;/b&gt; &amp; &quot;signs&quot;"))
        #expect(!text.contains("<b>"))
    }

    @Test func `the button bookmarks what is not, and removes what is`() {
        #expect(
            html(row(0)).contains(
                "formaction=\"/bookmarks\" name=\"fullName\" value=\"apple/swift-nio\" aria-pressed=\"false\""
            ))
        #expect(
            html(row(0, isKept: true)).contains(
                "formaction=\"/bookmarks/apple/swift-nio/remove\" name=\"fullName\""
                    + " value=\"apple/swift-nio\" aria-pressed=\"true\""))
    }

    @Test func `a bookmark's row has its owner's words, also where GitHub was never asked`() throws {
        let name = try #require(RepositoryName("ada/engine"))
        let bookmark = Bookmark(
            id: 7, name: name, item: nil, state: .unresolved, tags: ["to <read>"], addedAt: .distantPast)
        let text = html(RepositoryRow(bookmark, avatar: nil, assets: Self.assets))
        #expect(text.contains("data-key=\"b7\"") && text.contains("value=\"7\""))
        #expect(text.contains("to &lt;read&gt;") && text.contains("<span>ada/</span><wbr>engine</a>"))
        #expect(text.contains("aria-pressed=\"true\""))
    }

    @Test func `rows are rendered once, with each list's own query in their links`() {
        let cache = RepositoryRowCache()
        let rows = [row(0), row(1)]
        var rendered = 0
        func text(_ rows: [RepositoryRow], _ query: String) -> String {
            cache.text(of: rows, query: query) {
                rendered += 1
                return html($0)
            }
        }
        let first = text(rows, "?pages=2&group=language")
        #expect(first.contains("href=\"/repositories/apple/swift-nio?pages=2&amp;group=language\""))
        #expect(text(rows, "").contains("href=\"/repositories/apple/swift-nio\""))
        #expect(rendered == 2)
        let kept = text([row(0, isKept: true), row(1)], "")
        #expect(rendered == 3 && kept.contains("aria-pressed=\"true\""))
        #expect(!kept.contains("\u{E000}"))
    }

    @Test func `a row whose repository has changed is rendered anew`() throws {
        let cache = RepositoryRowCache()
        var item = RepositoryItem.samples[0]
        let old = RepositoryRow(item, avatar: nil, isKept: false, assets: Self.assets)
        _ = cache.text(of: [old], query: "", rendering: html)
        item.detail = RepositoryItem.samples[1].detail
        let new = RepositoryRow(item, avatar: nil, isKept: false, assets: Self.assets)
        #expect(cache.text(of: [new], query: "", rendering: html).contains("408"))
        let pictured = RepositoryRow(item, avatar: "/pictures/1", isKept: false, assets: Self.assets)
        #expect(cache.text(of: [pictured], query: "", rendering: html).contains("src=\"/pictures/1\""))
    }
}

@Suite struct RepositoryGroupsViewTests {
    private let templates: Templates

    init() throws { templates = try Templates(directory: SiteFiles.templates) }

    private func html(_ view: RepositoryGroupsView) -> String { templates.render(view) }

    private func group(_ id: String, _ title: String, isCollapsed: Bool = false) -> RepositoryGroupsView.Group
    {
        .init(id: id, title: title, count: 1_204, isCollapsed: isCollapsed, rendered: "<li>\(id)</li>")
    }

    @Test func `groups have heads with counts, and a bar that jumps to them`() {
        let view = RepositoryGroupsView(
            groups: [group("language-c++", "C++"), group("stars-10", "10 stars", isCollapsed: true)],
            isGrouped: true)
        let text = html(view)
        #expect(
            text.contains("<a href=\"#group-language-c%2B%2B\">C++ <span class=\"total\">1,204</span></a>"))
        #expect(text.contains("id=\"group-language-c%2B%2B\" data-group=\"language-c++\" open>"))
        #expect(text.contains("id=\"group-stars-10\" data-group=\"stars-10\">"), "it stays collapsed")
    }

    @Test func `a list that is not grouped has neither heads nor a bar`() {
        let text = html(RepositoryGroupsView(groups: [group("all", "")], isGrouped: false))
        #expect(!text.contains("<details") && !text.contains("<nav"))
        #expect(text.contains("<li>all</li>"))
    }

    @Test func `a group that comes later is led to where it is`() {
        let view = RepositoryGroupsView(
            groups: [group("a", "A")],
            index: [
                .init(id: "a", title: "A", count: 1),
                .init(id: "b", title: "B", count: 2, address: "/bookmarks?pages=2#group-b"),
            ], isGrouped: true)
        #expect(html(view).contains("href=\"/bookmarks?pages=2#group-b\">B <span"))
    }
}
