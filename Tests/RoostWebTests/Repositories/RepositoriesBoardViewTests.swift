import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

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

    @Test func `the list shows its freshness and the remaining requests, and offers more`() {
        let text = html(board("group=language"))
        #expect(text.contains("freshness-live"))
        #expect(text.contains("43 of 60 requests left, resets <time data-clock"))
        #expect(text.contains("data-more href=\"/repositories?since=0&amp;pages=2&amp;group=language\""))
        #expect(text.components(separatedBy: "<li class=\"repo\"").count == 6)
        #expect(!text.contains("End of the list"))
    }

    @Test func `an expired list shows its age, and a button retries it`() {
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
        #expect(renewing.contains("Refreshing."))
        #expect(renewing.contains("data-act=\"refresh\" aria-disabled=\"true\">Trying…</button>"))
        #expect(old.fingerprint != board { $0.updatedAt = Self.now - 720 }.fingerprint)
    }

    @Test func `a list at the end of its lifetime is not shown as expired at once`() {
        let text = html(board { $0.expiresAt = Self.now - 59 })
        #expect(text.contains("data-stale-after=\"2025-11-20T09:41:01Z\""))
        #expect(text.contains("freshness-live") && !text.contains("Out of date"))
        #expect(text.contains("data-act=\"refresh\">Refresh</button>"))
    }

    @Test func `without an account the list explains its benefits`() {
        #expect(html(board()).contains("href=\"/settings/github\""))
        #expect(!html(board { $0.isSignedIn = true }).contains("href=\"/settings/github\""))
    }

    @Test func `the end of the list is reported`() {
        let text = html(board { $0.hasMorePages = false })
        #expect(text.contains("End of the list."))
        #expect(!text.contains("data-more"))
    }

    @Test func `after the page limit a link continues the list on a new page`() {
        let text = html(
            board("pages=20&group=stars&text=a") {
                $0.pages = 20
                $0.next = 4_711
            })
        #expect(!text.contains("data-more"))
        #expect(text.contains("href=\"/repositories?since=4711&amp;text=a\">Continue from here</a>"))
    }

    @Test func `while a page is loading it is not requested again`() {
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

    @Test func `a rate limit is shown with its reset time, and loaded rows stay`() {
        let text = html(
            board {
                $0.error = .rateLimited(resetDate: Self.now + 1_800)
                $0.loading = .failed(.rateLimited(resetDate: Self.now + 1_800))
                $0.nextTryAt = Self.now + 1_800
            })
        #expect(
            text.contains(
                "GitHub rate limit exceeded. Resets at <time data-short datetime=\"2025-11-20T10:11:00Z\""))
        #expect(text.contains("Loaded content is kept.") && text.contains("<li class=\"repo\""))
        #expect(text.contains("Try again</button>") && text.contains("next try"))
        #expect(!text.contains("data-more"), "the button retries the next page")
        let emptyPage = html(
            board(shown: 0) {
                $0.items = []
                $0.error = .networkUnavailable
            })
        #expect(emptyPage.contains("No internet connection."))
        #expect(!emptyPage.contains("Loaded content is kept."))
        #expect(!emptyPage.contains("No repositories found."))
    }

    @Test func `a token that needs single sign-on links to GitHub's page for it`() {
        let url = "https://github.com/orgs/a/sso?authorization_request=b"
        let text = html(board { $0.error = .singleSignOn(authorizationURL: url) })
        #expect(text.contains("The organisation requires single sign-on"))
        #expect(text.contains("href=\"\(url)\""))
        #expect(!html(board { $0.error = .forbidden }).contains("Authorise the token"))
    }

    @Test func `incomplete results and skipped items are reported`() {
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

    @Test func `GitHub's error about a search is shown at its field`() {
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

    @Test func `a filter shows how many rows match, even if none do`() {
        #expect(html(board("text=a", shown: 2)).contains("Showing 2 of 5 loaded."))
        #expect(html(board("text=a", shown: 0)).contains("No loaded repository matches the filter."))
        let none = html(board("q=a", shown: 0) { ($0.items, $0.total) = ([], 0) })
        #expect(none.contains("No repositories found.") && !none.contains("GitHub knows"))
    }

    @Test func `the fingerprint changes with the content, not with the time`() {
        let first = board()
        #expect(board { $0.now = Self.now + 30 }.fingerprint == first.fingerprint)
        #expect(board { $0.hasMorePages = false }.fingerprint != first.fingerprint)
        #expect(board { $0.error = .networkUnavailable }.fingerprint != first.fingerprint)
        #expect(board { $0.updatedAt = Self.now }.fingerprint != first.fingerprint)
        #expect(board(shown: 0).fingerprint != first.fingerprint)
    }
}
