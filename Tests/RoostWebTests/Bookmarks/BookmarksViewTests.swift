import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct BookmarksViewTests {
    @Test func `the page contains its region as it is fetched, with the page's own query`() {
        let query = BookmarksQuery(carried: "text=a%26b&tag=x")
        let board = BookmarkBoardView(.sample, query: query, groups: .bookmarkSample)
        let text = rendered(
            BookmarksView(
                layout: .sample, board: board, query: query, choices: RepositoryListPreferences(), total: 231,
                web: "https://git.example"))
        #expect(
            text.contains(
                "data-live=\"/bookmarks/rows?text=a%26b&amp;tag=x\" data-topics=\"bookmarks pictures\""))
        #expect(text.contains("<input type=\"hidden\" name=\"tag\" value=\"x\">"), "the filter keeps the tag")
        #expect(text.contains("class=\"explorer bookmarks\" data-web=\"https://git.example\""))
        let page = text.split(whereSeparator: \.isNewline)
        let expected = rendered(board).split(whereSeparator: \.isNewline)
        #expect(page.indices.contains { page[$0...].starts(with: expected) })
        #expect(
            text.contains("aria-current=\"page\" id=\"bookmarks-tab\">Bookmarks <span class=\"total\">231"))
    }

    @Test func `a refused name stays in its field with the reason`() {
        let adding = FormState(typed: ["fullName": "a b"], fieldErrors: ["fullName": "No <such> name."])
        let text = rendered(
            BookmarksView(
                layout: .sample, board: .sample, query: .init(), choices: .init(), total: 1, adding: adding,
                web: "https://git.example"))
        #expect(text.contains("value=\"a b\"") && text.contains("aria-invalid=\"true\""))
        #expect(text.contains("id=\"add-fullName-error\">No &lt;such&gt; name."))
    }

    /// Scripts fetch only the region again, so that the frame around it must always be complete.
    @Test func `an empty page has the same frame as a full one`() throws {
        let empty = BookmarkListing(now: .distantPast)
        let frames = try [empty, .sample].map { listing in
            let board = BookmarkBoardView(listing, query: .init(), groups: .bookmarkSample)
            let page = BookmarksView(
                layout: .sample, board: board, query: .init(), choices: .init(), total: 1,
                web: "https://git.example")
            return try #require(frame(of: rendered(board), in: rendered(page)))
        }
        #expect(frames[0] == frames[1])
        #expect(frames[0].contains { $0.contains("id=\"filter\"") })
    }

    @Test func `the open repository is shown next to the bookmarks, and actions return to it`() throws {
        let name = try #require(RepositoryName("apple/swift-nio"))
        let query = BookmarksQuery(carried: "tag=x")
        let detail = RepositoryDetailView(
            RepositoryView(name: name, now: .distantPast), isBookmarked: true,
            origin: .bookmarks(["tag": "x"]), gitHub: "https://github.com/apple/swift-nio",
            picture: { _ in nil })
        let back = "/repositories/apple/swift-nio?in=bookmarks&tag=x"
        let text = rendered(
            BookmarksView(
                layout: .sample,
                board: BookmarkBoardView(.sample, query: query, groups: .bookmarkSample, back: back),
                query: query, choices: .init(), total: 3, detail: detail,
                web: "https://git.example"))
        #expect(text.contains("<title>apple/swift-nio · Roost</title>"))
        #expect(text.contains("class=\"explorer bookmarks has-detail\""))
        #expect(
            text.contains(
                "data-live=\"/repositories/apple/swift-nio/detail?in=bookmarks&amp;tag=x\""))
        #expect(text.contains("id=\"bulk\"") && text.contains("href=\"/bookmarks?tag=x\" data-back"))
        #expect(
            text.contains(
                "name=\"back\" value=\"/repositories/apple/swift-nio?in=bookmarks&amp;tag=x\""))
        #expect(!rendered(BookmarksView.sample).contains("has-detail"))
    }

    @Test func `the tile shows five bookmarks with their changes, and links to the rest`() {
        let text = rendered(BookmarksTileView.sample)
        #expect(text.components(separatedBy: "<li data-key=").count == 6)
        #expect(text.contains("href=\"/repositories/apple/swift-nio?in=bookmarks\">apple/swift-nio</a>"))
        #expect(text.contains("renamed from groue/GRDB · −3 stars"))
        #expect(text.contains("<span class=\"total\">5</span>"))
        let many = BookmarksTileView(
            rows: Bookmark.samples.map { (bookmark: $0, avatar: nil) }, total: 300, changed: 25)
        #expect(rendered(many).contains("<a href=\"/bookmarks?changed=1\">20 more</a>"))
        let quiet = BookmarksTileView(rows: [(Bookmark.samples[4], nil)], total: 1, changed: 0)
        #expect(!rendered(quiet).contains("<li ") && rendered(quiet).contains("No changes"))
    }
}

@Suite struct BookmarkImportViewTests {
    let now = Date(timeIntervalSince1970: 1_794_312_000)

    private func page(_ report: ImportReport?, error: String? = nil, count: Int = 3)
        -> String
    {
        rendered(
            BookmarkImportView(
                layout: .sample, count: count, report: report, stars: .sample, fileError: error))
    }

    private func stars(_ stars: StarImport, isConnected: Bool = true) -> String {
        rendered(BookmarkStarsView(stars, isConnected: isConnected, now: now))
    }

    @Test func `an import of stars says how many were refused, and names the first with the reason`() {
        let text = rendered(BookmarkStarsView.refusedSample)
        #expect(text.contains("2 stars were not imported:"))
        #expect(text.contains("<b>ada//engine</b> <span>Its name is missing or invalid.</span>"))
        #expect(text.contains("<b>Unnamed</b> <span>This is not a repository.</span>"))
        #expect(!text.contains("more.</p>"))
        #expect(!stars(.done(added: 1, existing: 0, at: now)).contains("not imported"))
        var many = RefusedRepositories()
        for number in 1...1_010 { many.add(.init(name: "a/\(number)", why: "<b>")) }
        let long = rendered(
            BookmarkStarsView(
                .done(added: 0, existing: 0, at: now), refused: many, isConnected: true, now: now))
        #expect(long.contains("1,010 stars were not imported:"))
        #expect(long.contains("And 1,000 more."))
        #expect(long.contains("<span>&lt;b&gt;</span>"))
    }

    @Test func `every failed row is listed with its reason, and the import can be undone`() {
        let text = page(
            .init(
                added: 1_204, updated: 3, unchanged: 1,
                failures: [.init(row: 17, why: "“<b>” is no name.")], undo: 7))
        #expect(text.contains("1,204 bookmarks added, 3 changed, 1 already bookmarked."))
        #expect(text.contains("1 row could not be read:"))
        #expect(text.contains("Row 17</span> <span>“&lt;b&gt;” is no name."))
        #expect(text.contains("action=\"/bookmarks/undo?undo=7&amp;back=%2Fbookmarks%2Fimport\""))
    }

    @Test func `a row that was imported without some part says so`() {
        let text = page(
            .init(added: 1, failures: [.init(row: 2, why: "It has no note.", isImported: true)]))
        #expect(text.contains("It has no note. The rest was imported.</span>"))
    }

    @Test func `of thousands of failed rows the page shows the first and offers all as a file`() {
        let failures = (1...1_000).map { ImportProblem(row: $0, why: "No name.") }
        let text = page(.init(added: 0, updated: 0, unchanged: 0, failures: failures, undo: nil))
        #expect(text.components(separatedBy: "<span class=\"row-number\">").count == 201)
        #expect(text.contains("And 800 more: <a href=\"/bookmarks/import/failures.csv\""))
        #expect(!text.contains("/bookmarks/undo"))
        #expect(page(nil).contains("id=\"report\"") == false)
    }

    @Test func `a file that cannot be read is reported at its field`() {
        #expect(page(nil, error: "This is no list.").contains("id=\"file-error\">This is no list."))
    }

    @Test func `an empty list offers no export`() {
        #expect(page(nil).contains("href=\"/bookmarks/export.json\""))
        #expect(!page(nil, count: 0).contains("export.json"))
    }

    @Test func `the import of stars reports its progress and its result`() {
        #expect(stars(.idle).contains("Import my stars</button>"))
        #expect(stars(.idle, isConnected: false).contains("href=\"/settings/github\""))
        #expect(stars(.running(1_230)).contains("Importing your stars: 1,230 so far."))
        #expect(!stars(.running(0)).contains("<button"))
        let done = stars(.done(added: 228, existing: 1, at: now - 300))
        #expect(done.contains("228 added, 1 already bookmarked") && done.contains("5 min ago"))
        let failed = stars(.failed(.serverError(statusCode: 502), read: 100))
        #expect(failed.contains("GitHub is temporarily unavailable."))
        #expect(failed.contains("Imported until then: 100."))
        #expect(failed.contains("Import again</button>"))
    }
}
