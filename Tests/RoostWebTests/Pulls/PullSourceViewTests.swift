import Foundation
import Testing

@testable import GitHub
@testable import RoostSupport
@testable import RoostWeb

@Suite struct PullSourceViewTests {
    let now = PullSample.now

    /// The words of the lines and panels about the sources, as they are read.
    private func words(_ sources: InboxSource...) -> String {
        let text = rendered(PullBoardView(sources: sources, lists: .none, now: now))
        return text.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }

    @Test func `freshness and budget are said in the common words`() {
        let budget = RateBudget(resource: "graphql", limit: 5_000, remaining: 4_812, resetAt: now + 1_800)
        let clock = RelativeTime.clock(now + 1_800)
        #expect(
            words(PullSample.source(budget: budget))
                == "Updated 12 s ago · next in 48 s · 4,812 of 5,000 left, resets \(clock)")
        let searches = RateBudget(resource: "search", limit: 30, remaining: 29, resetAt: now + 60)
        #expect(words(PullSample.source(budget: searches)).contains("29 of 30 searches left"))
    }

    @Test func `several sources have a line and a name each`() {
        let text = words(PullSample.source(), PullSample.source("git.example.org", updated: nil))
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
    func `an error says what happened, what to do, and how old the rest is`(error: APIError, sentence: String)
    {
        let text = words(PullSample.source(error: error, updated: now - 840, next: now + 32))
        #expect(text.hasPrefix("Out of date · updated 14 min ago · next try in 32 s"))
        #expect(text.contains("ada at github.com: \(sentence) What you see from there is from 14 min ago ."))
        #expect(text.hasSuffix("Try again"))
    }

    @Test func `a limit's end is a time that scripts put into the reader's zone`() {
        let reset = now + 600
        let source = PullSample.source(error: .rateLimited(resetDate: reset))
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(
            text.contains(
                "Resets at <time data-short datetime=\"2026-11-10T12:10:00Z\">\(RelativeTime.day(reset)), \(RelativeTime.clock(reset))</time>."
            ))
        #expect(text.contains("Wait for the rate limit to reset."))
    }

    @Test func `an expired session leads to connecting anew, not to trying again`() {
        let source = PullSample.source(error: .unauthorized)
        let text = words(source)
        #expect(text.contains("Your session has expired. Please log in again."))
        #expect(text.contains("Connect GitHub") && !text.contains("Try again"))
    }

    @Test func `while it is tried again, the button says so`() {
        var source = PullSample.source(error: .networkUnavailable)
        source.loading = .loading
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(text.contains("<button class=\"subtle\" aria-disabled=\"true\">Trying…</button>"))
    }

    @Test func `less detail, unfinished searches and malformed items are said`() {
        var source = PullSample.source(hasLessDetail: true, refused: 1)
        source.isIncomplete = true
        let text = words(source)
        #expect(text.contains("GitHub answers only simple searches: no checks, reviews, sizes or threads"))
        #expect(text.contains("GitHub did not finish its search"))
        #expect(text.contains("1 pull request was skipped because GitHub sent invalid data"))
    }

    @Test func `a token that wants single sign-on leads to GitHub's page for it`() {
        let url = "https://github.com/orgs/a/sso?authorization_request=b"
        let source = PullSample.source(error: .singleSignOn(authorizationURL: url))
        let text = rendered(PullBoardView(sources: [source], lists: .none, now: now))
        #expect(text.contains("The organisation asks for single sign-on"))
        #expect(
            text.contains(
                "<a class=\"button\" href=\"\(url)\" target=\"_blank\" rel=\"noopener noreferrer\">"))
        let without = rendered(
            PullBoardView(
                sources: [PullSample.source(error: .singleSignOn(authorizationURL: nil))], lists: .none,
                now: now))
        #expect(without.contains("The organisation asks for single sign-on"))
        #expect(!without.contains("Authorise the token<span"))
    }

    @Test
    func `a budget that is saved for other tools is said, with its end, and a button that asks all the same`()
    {
        let reset = now + 1_800
        var source = PullSample.source()
        #expect(!words(source).contains("your other tools"))
        source.pace = .paused(until: reset)
        let paused = words(source)
        #expect(paused.contains("GitHub is not asked by itself until \(RelativeTime.clock(reset)) :"))
        #expect(paused.hasSuffix("Ask now"))
        (source.updatedAt, source.nextTryAt) = (now - 600, reset + 1)
        #expect(words(source).hasPrefix("Out of date · updated 10 min ago"))
        source = PullSample.source()
        source.pace = .slowed(until: reset)
        let slowed = words(source)
        #expect(slowed.contains("GitHub is asked less often until \(RelativeTime.clock(reset)) ,"))
        #expect(!slowed.contains("Ask now"))
    }

    @Test func `what is silent for too long is called stale`() {
        let text = words(PullSample.source(updated: now - 400, next: now - 100))
        #expect(text == "Updated 6 min ago · New ones are on their way. · next try now")
    }
}
