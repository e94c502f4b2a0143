import Foundation
import Testing

@testable import GitHub
@testable import RoostWeb

@Suite struct RepositoriesBoardViewTests {
    private static let now = Date(timeIntervalSince1970: 1_763_631_660)

    private func board(
        _ address: String = "", shown: Int = 5, _ change: (inout RepositoryListing) -> Void = { _ in }
    ) -> RepositoriesBoardView {
        var listing = RepositoryListing.sample
        listing.refused = 0
        change(&listing)
        let rows = RepositoryItem.samples.prefix(shown).map {
            RepositoryRow($0, avatar: nil, isBookmarked: false)
        }
        let groups =
            rows.isEmpty ? [] : [RepositoryGroupsView.Group(id: "a", title: "", count: shown, rows: rows)]
        return RepositoriesBoardView(
            listing, groups: RepositoryGroupsView(groups: groups, isGrouped: false),
            query: RepositoriesQuery(carried: address))
    }

    private func html(_ view: RepositoriesBoardView) -> String { rendered(view) }

    @Test func `the list says how fresh it is and what GitHub leaves, and offers more`() {
        let text = html(board("group=language"))
        #expect(text.contains("freshness-live"))
        #expect(text.contains("43 of 60 requests left, resets <time data-clock"))
        #expect(text.contains("data-more href=\"/repositories?since=0&amp;pages=2&amp;group=language\""))
        #expect(text.components(separatedBy: "<li class=\"repo\"").count == 6)
        #expect(!text.contains("That is all"))
    }

    @Test func `a list that is older than its lifetime says how old it is, and is tried again by a button`() {
        let old = board {
            $0.updatedAt = Self.now - 720
            $0.expiresAt = Self.now - 120
        }
        let text = html(old)
        #expect(text.contains("freshness-stale"))
        #expect(
            text.contains(
                "Out of date · updated <time data-age datetime=\"2025-11-20T09:29:00Z\">12 min ago</time>"))
        #expect(text.contains("data-act=\"refresh\">Try again</button>"))
        let renewing = html(
            board {
                $0.expiresAt = Self.now - 120
                $0.isRenewing = true
            })
        #expect(renewing.contains("A newer list is on its way."))
        #expect(renewing.contains("data-act=\"refresh\" aria-disabled=\"true\">Trying…</button>"))
        #expect(old.fingerprint != board { $0.updatedAt = Self.now - 720 }.fingerprint)
    }

    @Test func `a list that is fetched again at the end of its lifetime does not count as old at once`() {
        let text = html(board { $0.expiresAt = Self.now - 59 })
        #expect(text.contains("data-stale-after=\"2025-11-20T09:41:01Z\""))
        #expect(text.contains("freshness-live") && !text.contains("Out of date"))
        #expect(text.contains("data-act=\"refresh\">Refresh</button>"))
    }

    @Test func `who asks signed out is told what an account would bring`() {
        #expect(html(board()).contains("href=\"/settings/github\""))
        #expect(!html(board { $0.isSignedIn = true }).contains("href=\"/settings/github\""))
    }

    @Test func `the end of the list is said`() {
        let text = html(board { $0.hasMorePages = false })
        #expect(text.contains("That is all: GitHub has no further page."))
        #expect(!text.contains("data-more"))
    }

    @Test func `behind the last page of a view the list goes on in one of its own`() {
        let text = html(
            board("pages=20&group=stars&text=a") {
                $0.pages = 20
                $0.next = 4_711
            })
        #expect(!text.contains("data-more"))
        #expect(text.contains("href=\"/repositories?since=4711&amp;text=a\">Go on from here</a>"))
    }

    @Test func `while a page is on its way nothing asks for it twice`() {
        let text = html(board("pages=2") { $0.loading = .loading })
        #expect(text.contains("Loading more …") && !text.contains("data-more"))
        let first = board(shown: 0) {
            $0.items = []
            $0.loading = .loading
            $0.updatedAt = nil
        }
        #expect(html(first).contains("skeletons") && html(first).contains("Loading from GitHub…"))
        #expect(first.isLoading)
    }

    @Test func `a limit is said in its place with its reset time, and what is loaded stays`() {
        let text = html(
            board {
                $0.error = .rateLimited(resetDate: Self.now + 1_800)
                $0.loading = .failed(.rateLimited(resetDate: Self.now + 1_800))
                $0.nextTryAt = Self.now + 1_800
            })
        #expect(
            text.contains(
                "GitHub rate limit exceeded. Resets at <time data-short datetime=\"2025-11-20T10:11:00Z\""))
        #expect(text.contains("What is loaded stays.") && text.contains("<li class=\"repo\""))
        #expect(text.contains("Try again</button>") && text.contains("next try"))
        #expect(!text.contains("data-more"), "the next page is tried again there")
        let nothing = html(
            board(shown: 0) {
                $0.items = []
                $0.error = .networkUnavailable
            })
        #expect(nothing.contains("No internet connection.") && !nothing.contains("What is loaded stays."))
        #expect(!nothing.contains("GitHub has no repository like this."))
    }

    @Test func `a token that wants single sign-on leads to GitHub's page for it`() {
        let url = "https://github.com/orgs/a/sso?authorization_request=b"
        let text = html(board { $0.error = .singleSignOn(authorizationURL: url) })
        #expect(text.contains("The organisation asks for single sign-on"))
        #expect(text.contains("href=\"\(url)\""))
        #expect(!html(board { $0.error = .forbidden }).contains("Authorise the token"))
    }

    @Test func `what GitHub withheld or sent malformed is said`() {
        let text = html(
            board("q=tetris") {
                $0.total = 81_204
                $0.isIncomplete = true
                $0.refused = 2
            })
        #expect(text.contains("81,204 repositories; GitHub returns the first 1,000."))
        #expect(text.contains("GitHub did not finish its search"))
        #expect(text.contains("2 repositories were skipped because GitHub sent invalid data."))
    }

    @Test func `what GitHub has against a search stands at its field, in its words`() {
        let list = board("q=stars:x", shown: 0) {
            $0.items = []
            $0.error = .invalidResponse(statusCode: 422)
            $0.refusal = "The search cannot be <read>."
        }
        #expect(!html(list).contains("Received unexpected response"))
        let query = RepositoriesQuery(carried: "q=stars:x")
        let page = rendered(
            RepositoriesView(
                layout: .sample, list: .init(board: list, query: query, choices: .init()), bookmarks: 0,
                web: "https://git.example"))
        #expect(page.contains("id=\"q-error\" role=\"status\">The search cannot be &lt;read&gt;.</p>"))
        #expect(page.contains("value=\"stars:x\"") && page.contains("aria-describedby=\"q-error\""))
    }

    @Test func `a filter says what it leaves, also when that is nothing`() {
        #expect(html(board("text=a", shown: 2)).contains("The filter leaves 2 of the 5 loaded."))
        #expect(html(board("text=a", shown: 0)).contains("Nothing that is loaded fits the filter."))
        let none = html(board("q=a", shown: 0) { ($0.items, $0.total) = ([], 0) })
        #expect(none.contains("GitHub has no repository like this.") && !none.contains("GitHub knows"))
    }

    @Test func `the fingerprint changes with what is shown, not with the time`() {
        let first = board()
        #expect(board { $0.now = Self.now + 30 }.fingerprint == first.fingerprint)
        #expect(board { $0.hasMorePages = false }.fingerprint != first.fingerprint)
        #expect(board { $0.error = .networkUnavailable }.fingerprint != first.fingerprint)
        #expect(board { $0.updatedAt = Self.now }.fingerprint != first.fingerprint)
        #expect(board(shown: 0).fingerprint != first.fingerprint)
    }
}
