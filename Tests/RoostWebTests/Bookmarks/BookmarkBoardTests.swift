import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct BookmarkBoardTests {
    private func board(
        _ query: String = "", token: String? = nil, change: (inout BookmarkListing) -> Void = { _ in }
    ) -> String {
        var listing = BookmarkListing.sample
        change(&listing)
        return rendered(
            BookmarkBoardView(listing, query: BookmarksQuery(carried: query), groups: .bookmarkSample),
            formToken: token)
    }

    @Test func `an empty list explains bookmarks and where to find repositories`() {
        let text = board { $0 = .init(now: $0.now) }
        #expect(text.contains("href=\"/repositories\"") && text.contains("href=\"/bookmarks/import\""))
        #expect(!text.contains("<li class=\"repo\"") && !text.contains("id=\"bulk\""))
    }

    @Test func `tags show how many bookmarks have them, and the selected tag can be removed`() {
        let text = board("text=nio&tag=swift&pages=2&sort=name")
        #expect(
            text.contains(
                "href=\"/bookmarks?text=nio&amp;tag=sp%C3%A4ter&amp;sort=name\"><bdi>später</bdi> <span class=\"total\">3</span>"
            ), "another tag replaces it, starting at the first page")
        #expect(
            text.contains(
                "href=\"/bookmarks?text=nio&amp;sort=name\" aria-current=\"true\"><bdi>swift</bdi>"))
        #expect(text.contains("<bdi>&lt;b&gt;bold&lt;/b&gt;</bdi>"))
        #expect(board("changed=1").contains("changed=1\" aria-current=\"true\"><bdi>Changed</bdi>"))
    }

    @Test func `tags after the twentieth are collapsed, except the selected one`() {
        let text = board("tag=t29") { listing in
            listing.tags = (0..<30).map { (name: "t\($0)", count: 40 - $0) }
        }
        #expect(text.contains("<summary>9 more tags</summary>"))
        let folded = text.components(separatedBy: "id=\"more-tags\"")[1]
        #expect(folded.contains("<bdi>t28</bdi>") && !folded.contains("<bdi>t29</bdi>"))
    }

    @Test func `changes are counted, and one button marks all as seen`() {
        let text = board()
        #expect(text.contains("<b>4</b> have changed"))
        #expect(text.contains("formaction=\"/bookmarks/bulk\" name=\"seen\" value=\"all\""))
        #expect(board { $0.changed = 1 }.contains("<b>1</b> has changed"))
        #expect(!board { $0.changed = 0 }.contains("Mark all as seen"))
    }

    @Test func `the list's form has the form token and the return address, and rows have no forms`() {
        let text = board("pages=2", token: "tok")
        let tokens = text.components(separatedBy: "name=\"token\" value=\"tok\"").count - 1
        #expect(tokens == 3, "one each for Refresh, the buttons and the selection")
        #expect(text.contains("name=\"back\" value=\"/bookmarks?pages=2\""))
    }

    @Test func `the list offers more until all is shown or the page limit is reached`() {
        #expect(board("tag=x").contains("data-more href=\"/bookmarks?tag=x&amp;pages=2\""))
        let cut = board("pages=20")
        #expect(!cut.contains("data-more") && cut.contains("Showing the first 5."))
        let whole = board { $0.hasMorePages = false }
        #expect(whole.contains("End of the list: 231 bookmarks.") && !whole.contains("data-more"))
        let narrow = board("text=x") {
            $0.hasMorePages = false
            $0.matching = 1
        }
        #expect(narrow.contains("End of the list: 1 bookmark of 231."))
    }

    @Test func `a filter without matches links back to all bookmarks`() {
        let text = board("text=x") { ($0.groups, $0.matching, $0.hasMorePages) = ([], 0, false) }
        #expect(text.contains("No bookmarks found. <a href=\"/bookmarks\">Show all bookmarks</a>"))
        #expect(!text.contains("id=\"bulk\""))
    }

    @Test func `freshness is that of the oldest row`() {
        let now = BookmarkListing.sample.now
        #expect(board().contains("freshness-live"))
        let old = board { $0.now = now + 5 * 86_400 }
        #expect(old.contains("freshness-stale") && old.contains("5 days ago"))
        #expect(old.contains("Some could not be refreshed from GitHub"))
        let never = board { listing in
            listing.groups = [.init(id: "all", title: "", items: [Bookmark.samples[4]])]
        }
        #expect(!never.contains("class=\"freshness "))
    }

    @Test func `a running or failed import of stars is reported`() {
        #expect(board().contains("Importing your GitHub stars: 1,230 so far."))
        let failed = board { $0.stars = .failed(.networkUnavailable, read: 100) }
        #expect(failed.contains("Importing your GitHub stars failed: No internet connection."))
        #expect(!board { $0.stars = .done(added: 1, existing: 0, at: $0.now) }.contains("GitHub stars"))
    }
}
