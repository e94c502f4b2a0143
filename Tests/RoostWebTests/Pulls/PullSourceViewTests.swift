import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct PullSourceViewTests {
    let now = PullSample.now

    /// The visible text of the lines and panels about the sources.
    private func visibleText(_ sources: InboxSource...) -> String {
        let text = rendered(PullBoardView(sources: sources, lists: .none, now: now))
        return text.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }

    @Test func `freshness and budget use the common wording`() {
        let budget = RateBudget(resource: "graphql", limit: 5_000, remaining: 4_812, resetAt: now + 1_800)
        let clock = RelativeTime.clock(now + 1_800)
        #expect(
            visibleText(PullSample.source(budget: budget))
                == "Updated 12 s ago · next in 48 s · 4,812 of 5,000 left, resets \(clock)")
        let searches = RateBudget(resource: "search", limit: 30, remaining: 29, resetAt: now + 60)
        #expect(visibleText(PullSample.source(budget: searches)).contains("29 of 30 searches left"))
    }

    @Test func `several sources have a line and a name each`() {
        let text = visibleText(PullSample.source(), PullSample.source("git.example.org", updated: nil))
        #expect(text.contains("ada at github.com Updated 12 s ago"))
        #expect(text.contains("ada at git.example.org Loading from GitHub…"))
    }

    @Test(arguments: [
        (
            APIError.networkUnavailable,
            "No internet connection. Please check your network. Check your internet connection and try again."
        ),
        (
            .serverError(statusCode: 503),
            "GitHub is temporarily unavailable. Please try again later. Try again in a few moments."
        ),
        (.forbidden, "GitHub refused access to this. Check what the token may read."),
    ])
    func `an error says what happened, what to do, and how old the data is`(error: APIError, sentence: String)
    {
        let text = visibleText(PullSample.source(error: error, updated: now - 840, next: now + 32))
        #expect(text.hasPrefix("Out of date · updated 14 min ago · next try in 32 s"))
        #expect(text.contains("ada at github.com: \(sentence) Last updated 14 min ago ."))
        #expect(text.hasSuffix("Try again"))
    }

    @Test func `a rate limit's end is a time that scripts convert to the user's zone`() {
        let reset = now + 600
        let source = PullSample.source(error: .rateLimited(resetDate: reset))
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(
            text.contains(
                "Resets at <time data-short datetime=\"2026-11-10T12:10:00Z\">\(RelativeTime.day(reset)), \(RelativeTime.clock(reset))</time>."
            ))
        #expect(text.contains("Wait for the rate limit to reset."))
    }

    @Test func `an expired session links to connecting again instead of retrying`() {
        let source = PullSample.source(error: .unauthorized)
        let text = visibleText(source)
        #expect(text.contains("Your session has expired. Please log in again."))
        #expect(text.contains("Connect GitHub") && !text.contains("Try again"))
    }

    @Test func `the button says that a retry is running`() {
        var source = PullSample.source(error: .networkUnavailable)
        source.loading = .loading
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(text.contains("<button class=\"subtle\" aria-disabled=\"true\">Trying…</button>"))
    }

    @Test func `less detail, unfinished searches and skipped items are reported`() {
        var source = PullSample.source(hasLessDetail: true, refused: 1)
        source.isIncomplete = true
        let text = visibleText(source)
        #expect(
            text.contains("GitHub supports only simple searches, without checks, reviews, sizes and threads"))
        #expect(text.contains("GitHub did not finish its search"))
        #expect(text.contains("1 pull request was skipped because GitHub sent invalid data"))
    }

    @Test func `a token that needs single sign-on links to GitHub's page for it`() {
        let url = "https://github.com/orgs/a/sso?authorization_request=b"
        let source = PullSample.source(error: .singleSignOn(authorizationURL: url))
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(text.contains("The organisation requires single sign-on"))
        #expect(
            text.contains(
                "<a class=\"button\" href=\"\(url)\" target=\"_blank\" rel=\"noopener noreferrer\">"))
        let without = rendered(
            PullBoardView(
                sources: [PullSample.source(error: .singleSignOn(authorizationURL: nil))], lists: .none,
                now: now))
        #expect(without.contains("The organisation requires single sign-on"))
        #expect(!without.contains("Authorise the token<span"))
    }

    @Test
    func `a budget reserved for other tools is shown with its end, and a button refreshes anyway`() {
        let reset = now + 1_800
        var source = PullSample.source()
        #expect(!visibleText(source).contains("your other tools"))
        source.pace = .paused(until: reset)
        let paused = visibleText(source)
        #expect(
            paused.contains("Automatic refresh from GitHub is paused until \(RelativeTime.clock(reset)) ."))
        #expect(paused.hasSuffix("Refresh now"))
        (source.updatedAt, source.nextTryAt) = (now - 600, reset + 1)
        #expect(visibleText(source).hasPrefix("Out of date · updated 10 min ago"))
        source = PullSample.source()
        source.pace = .slowed(until: reset)
        let slowed = visibleText(source)
        #expect(
            slowed.contains("Automatic refresh from GitHub is slower until \(RelativeTime.clock(reset)) ."))
        #expect(!slowed.contains("Refresh now"))
    }

    @Test func `a source without updates for too long is stale`() {
        let text = visibleText(PullSample.source(updated: now - 400, next: now - 100))
        #expect(text == "Updated 6 min ago · Refreshing. · next try now")
    }
}
