import Foundation
import Testing

@testable import GitHub
@testable import RoostWeb

@Suite struct PullsTileViewTests {
    private func tile(_ items: [InboxItem], waiting: Int, _ sources: InboxSource...) -> String {
        let rows = items.map { PullRow($0, avatar: nil, now: PullSample.now) }
        return rendered(
            PullsTileView(rows: rows, waiting: waiting, sources: sources, now: PullSample.now))
    }

    @Test func `the tile shows the first five with their reasons, and how many more there are`() throws {
        let items = try (1...7).map { try PullSample.item("a/b", $0, pressure: .red) }
        let text = tile(items, waiting: 12, PullSample.source())
        #expect(text.components(separatedBy: "<li ").count == 6)
        #expect(text.contains("<span class=\"total\">12</span>") && text.contains("7 more"))
        #expect(text.contains("a/b #1 · review requested"))
        #expect(text.contains("<span class=\"wait red\">") && text.contains(", far too long</span>"))
        #expect(text.contains("target=\"_blank\" rel=\"noopener noreferrer\""))
    }

    @Test func `the account that is worst off speaks for all`() {
        let bad = PullSample.source("git.example.org", error: .networkUnavailable, updated: nil)
        let text = tile([], waiting: 0, PullSample.source(), bad)
        #expect(text.contains("Not updated yet") && text.contains("No internet connection."))
        #expect(tile([], waiting: 0, PullSample.source()).contains("freshness-live"))
    }

    @Test func `what failed can be tried again from the home page, what is signed out cannot`() {
        let failed = tile([], waiting: 0, PullSample.source(error: .serverError(statusCode: 500)))
        #expect(failed.contains("action=\"/pulls/refresh\"") && failed.contains(">Try again</button>"))
        var gone = PullSample.source(error: .unauthorized, updated: nil)
        gone.authentication = .unauthenticated
        for text in [tile([], waiting: 0, gone), tile([], waiting: 0, PullSample.source())] {
            #expect(!text.contains("<form"))
        }
    }

    @Test func `as long as no account has answered the tile does not say that nothing waits`() {
        let asking = tile([], waiting: 0, PullSample.source(updated: nil))
        #expect(asking.contains("Asking GitHub …"))
        let failed = tile([], waiting: 0, PullSample.source(error: .networkUnavailable, updated: nil))
        #expect(failed.contains("No internet connection.") && !failed.contains("class=\"empty\""))
        var gone = PullSample.source(error: .unauthorized, updated: nil)
        gone.authentication = .unauthenticated
        let out = tile([], waiting: 0, gone)
        #expect(out.contains("<a href=\"/settings/github\">Connect GitHub again</a>"))
        for text in [asking, failed, out] {
            #expect(!text.contains("Nothing waits for you.") && !text.contains("class=\"total\""))
        }
        #expect(tile([], waiting: 0, gone, PullSample.source()).contains("Nothing waits for you."))
    }

    @Test func `nothing that waits is one thing, nothing connected another`() {
        #expect(tile([], waiting: 0, PullSample.source()).contains("Nothing waits for you."))
        let text = tile([], waiting: 0)
        #expect(text.contains("Connect GitHub</a>") && !text.contains("class=\"freshness"))
    }
}
