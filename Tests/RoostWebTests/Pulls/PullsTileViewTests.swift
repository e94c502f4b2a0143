import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb

@Suite struct PullsTileViewTests {
    private func tile(_ items: [InboxItem], waiting: Int, _ sources: InboxSource...) -> String {
        let rows = items.map { PullRow($0, PullPreferences(), avatar: nil, now: PullSample.now) }
        return rendered(
            PullsTileView(rows: rows, waiting: waiting, sources: sources, now: PullSample.now))
    }

    @Test func `the tile shows the first five with their first reason, and how many more there are`() throws {
        let items = try (1...7).map { try PullSample.item("a/b", $0, waited: 200 * 3_600) }
        let text = tile(items, waiting: 12, PullSample.source())
        #expect(text.components(separatedBy: "<li ").count == 6)
        #expect(text.contains("<span class=\"total\">12</span>") && text.contains("7 more"))
        #expect(text.contains("a/b #1&nbsp;· review requested</span>"))
        #expect(text.contains("<span class=\"wait red\">") && text.contains(", far too long</span>"))
        #expect(text.contains("<a class=\"name\" dir=\"auto\" href=\"/pulls/a/b/1\">"))
    }

    private func sentences(_ sources: InboxSource...) -> [String] {
        PullsTileView(rows: [], waiting: 0, sources: sources, now: PullSample.now).tile.sentences
    }

    private func sentence(_ items: [InboxItem], visited hours: Double? = nil) -> String? {
        PullsTileView.sentence(
            items, since: hours.map { PullSample.now - $0 * 3_600 }, now: PullSample.now)
    }

    @Test func `a sentence says how many wait, how many are new, and how long the longest waits`() throws {
        let old = try PullSample.item("a/b", 1, waited: 9 * 86_400)
        let new = try PullSample.item("a/b", 2, waited: 3_600)
        let failing = try PullSample.item("a/b", 3, reasons: [.checksFail], waited: 7_200)
        #expect(sentence([]) == nil)
        #expect(sentence([new]) == "1 review waits for you, for 1 hour.")
        #expect(sentence([new, old]) == "2 reviews wait for you, the longest for 9 days.")
        #expect(
            sentence([new, old, failing], visited: 1.5)
                == "3 pull requests wait for you, 1 of them new, the longest for 9 days.")
        #expect(sentence([new, failing], visited: 24)?.contains(", all new,") == true)
    }

    @Test func `the tile shows the worst state of all accounts`() {
        let bad = PullSample.source("git.example.org", error: .networkUnavailable, updated: nil)
        let text = tile([], waiting: 0, PullSample.source(), bad)
        #expect(text.contains("Not updated yet") && text.contains("No internet connection."))
        #expect(tile([], waiting: 0, PullSample.source()).contains("freshness-live"))
    }

    @Test func `a failed account can be retried from the home page, and a signed-out one cannot`() {
        let failed = tile([], waiting: 0, PullSample.source(error: .serverError(statusCode: 500)))
        #expect(failed.contains("action=\"/pulls/refresh\"") && failed.contains(">Try again</button>"))
        var signedOut = PullSample.source(error: .unauthorized, updated: nil)
        signedOut.authentication = .unauthenticated
        for text in [tile([], waiting: 0, signedOut), tile([], waiting: 0, PullSample.source())] {
            #expect(!text.contains("<form"))
        }
    }

    @Test func `before the first answer the tile does not say that nothing waits`() {
        let asking = tile([], waiting: 0, PullSample.source(updated: nil))
        #expect(asking.contains("Loading …"))
        let failed = tile([], waiting: 0, PullSample.source(error: .networkUnavailable, updated: nil))
        #expect(failed.contains("No internet connection.") && !failed.contains("class=\"empty\""))
        var signedOut = PullSample.source(error: .unauthorized, updated: nil)
        signedOut.authentication = .unauthenticated
        let out = tile([], waiting: 0, signedOut)
        #expect(out.contains("<a href=\"/settings/github\">Connect GitHub again</a>"))
        #expect(sentences(PullSample.source(updated: nil)) == ["Your pull requests are loading."])
        #expect(sentences(signedOut) == ["GitHub must be connected again."])
        #expect(sentences(PullSample.source()).isEmpty && sentences().isEmpty)
        for text in [asking, failed, out] {
            #expect(!text.contains("Nothing waits for you.") && !text.contains("class=\"total\""))
        }
        #expect(tile([], waiting: 0, signedOut, PullSample.source()).contains("Nothing waits for you."))
    }

    @Test func `an empty inbox and a missing account have different messages`() {
        #expect(tile([], waiting: 0, PullSample.source()).contains("Nothing waits for you."))
        let text = tile([], waiting: 0)
        #expect(text.contains("Connect GitHub</a>") && !text.contains("class=\"freshness"))
    }
}
