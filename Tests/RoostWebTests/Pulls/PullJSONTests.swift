import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer
@testable import RoostSupport
@testable import TextFormats

@Suite struct PullJSONTests {
    /// An inbox as `GET /api/v1/pulls` returns it.
    private func json(_ inbox: Inbox) throws -> [String: Any] {
        let data = try JSONEncoder().encode(InboxJSON(inbox))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func inbox(_ items: [InboxItem], sources: [InboxSource] = [], hidden: [HiddenItem] = []) -> Inbox
    {
        Inbox(
            sections: [InboxSection(id: "turn", kind: .turn, name: "Your turn", items: items)],
            sources: sources, hidden: hidden, waiting: items.count, now: PullSample.now)
    }

    private func first(_ value: Any?) throws -> [String: Any] {
        try #require((value as? [[String: Any]])?.first)
    }

    @Test func `an item has the model's names, and unknown values are left out`() throws {
        let section = try first(json(inbox([try PullSample.item()]))["sections"])
        #expect(section["id"] as? String == "turn" && section["name"] as? String == "Your turn")
        let item = try first(section["items"])
        let texts = [
            "id": "apple/swift-nio#7", "repositoryOwner": "apple", "repositoryName": "swift-nio",
            "repositoryFullName": "apple/swift-nio", "title": "Close idle channels",
            "authorLogin": "glbrntt", "htmlURL": "https://github.com/apple/swift-nio/pull/7",
            "host": "github.com", "key": "github.com/apple/swift-nio/7", "pressure": "calm",
            "updatedAt": "2026-11-10T10:00:00Z", "waitingSince": "2026-11-10T07:00:00Z",
            "relativeUpdateTime": "2 hours ago",
        ]
        for (name, text) in texts { #expect(item[name] as? String == text, "\(name)") }
        #expect(item["number"] as? Int == 7)
        #expect(item["reasons"] as? [String] == ["review requested"])
        for name in ["authorAvatarURL", "createdAt", "isDraft", "additions", "checks", "reviewDecision"] {
            #expect(item[name] == nil, "\(name)")
        }
    }

    @Test func `all known values are included`() throws {
        let full = try PullSample.item {
            $0.isDraft = true
            $0.labels = [.init(name: "bug", color: "d73a4a")]
            ($0.additions, $0.deletions, $0.changedFiles) = (1, 2, 3)
            $0.checks = .init(state: .failed, passed: 1, failed: 2)
            $0.reviewDecision = .changesRequested
            $0.mergeable = .conflicting
            ($0.comments, $0.unresolvedThreads) = (4, 5)
            $0.isRequestedDirectly = true
            $0.requestedTeams = ["a/b"]
            $0.isFromBot = true
        }
        let item = try first(first(json(inbox([full]))["sections"])["items"])
        let numbers = [
            "additions": 1, "deletions": 2, "changedFiles": 3, "comments": 4, "unresolvedThreads": 5,
        ]
        for (name, number) in numbers { #expect(item[name] as? Int == number, "\(name)") }
        for name in ["isDraft", "isRequestedDirectly", "isFromBot"] {
            #expect(item[name] as? Bool == true, "\(name)")
        }
        #expect(item["reviewDecision"] as? String == "changesRequested")
        #expect(item["mergeable"] as? String == "conflicting")
        #expect((item["checks"] as? [String: Any])?["state"] as? String == "failed")
        #expect((item["labels"] as? [[String: String]]) == [["name": "bug", "color": "d73a4a"]])
        #expect(item["requestedTeams"] as? [String] == ["a/b"])
    }

    @Test func `a source has its state, and an error has its advice`() throws {
        var source = PullSample.source(error: .rateLimited(resetDate: PullSample.now + 60), refused: 2)
        source.hiddenByGitHub = 3
        source.loading = .failed(.rateLimited(resetDate: PullSample.now + 60))
        source.budget = RateBudget(
            resource: "graphql", limit: 5_000, remaining: 0, resetAt: PullSample.now + 60)
        let sourceJSON = try first(json(inbox([], sources: [source]))["sources"])
        #expect(sourceJSON["state"] as? String == "failed")
        #expect(sourceJSON["authentication"] as? String == "authenticated")
        #expect(sourceJSON["host"] as? String == "github.com" && sourceJSON["login"] as? String == "ada")
        #expect(sourceJSON["refusedAccess"] as? Int == 3)
        #expect(sourceJSON["refused"] as? Int == 2 && sourceJSON["lessDetail"] as? Bool == false)
        let error = try #require(sourceJSON["error"] as? [String: String])
        #expect(error["code"] == "rateLimited" && error["suggestion"] == "Wait for the rate limit to reset.")
        #expect(error["message"] == "GitHub rate limit exceeded. Resets at 2026-11-10T12:01:00Z.")
        #expect((sourceJSON["budget"] as? [String: Any])?["resetAt"] as? String == "2026-11-10T12:01:00Z")
        let idle = try first(
            json(inbox([], sources: [PullSample.source(updated: nil, next: nil)]))["sources"])
        for name in ["error", "updatedAt", "nextTryAt", "budget"] { #expect(idle[name] == nil, "\(name)") }
        let states: [(LoadingState<Date>, String)] = [
            (.idle, "idle"), (.loading, "loading"), (.loaded(PullSample.now), "loaded"),
            (.failed(.unauthorized), "failed"),
        ]
        for (loading, name) in states {
            source.loading = loading
            let sourceJSON = try first(json(inbox([], sources: [source]))["sources"])
            #expect(sourceJSON["state"] as? String == name)
        }
    }

    @Test func `a source has its authorisation address, and when its back-off ends`() throws {
        let url = "https://github.com/orgs/a/sso?authorization_request=b"
        var source = PullSample.source(error: .singleSignOn(authorizationURL: url))
        let error = try first(json(inbox([], sources: [source]))["sources"])["error"] as? [String: String]
        #expect(error?["code"] == "singleSignOn" && error?["authorizationURL"] == url)
        source.pace = .paused(until: PullSample.now + 60)
        let paused = try first(json(inbox([], sources: [source]))["sources"])
        #expect(paused["pausedUntil"] as? String == "2026-11-10T12:01:00Z")
        #expect(paused["slowedUntil"] == nil)
        source.pace = .slowed(until: PullSample.now + 60)
        let slowed = try first(json(inbox([], sources: [source]))["sources"])
        #expect(slowed["slowedUntil"] as? String == "2026-11-10T12:01:00Z")
        #expect(slowed["pausedUntil"] == nil)
    }

    @Test func `a hidden item says how it was hidden`() throws {
        let key = PullKey(host: "github.com", owner: "a", name: "b", number: 1)
        let marks: [(PullMark, String, String?)] = [
            (.muted, "mute", nil), (.done, "done", nil), (.snoozedUntilChange, "snooze", "change"),
            (.snoozedUntil(PullSample.now), "snooze", "2026-11-10T12:00:00Z"),
        ]
        for (mark, action, until) in marks {
            let item = HiddenItem(key: key, mark: mark, markedAt: PullSample.now, pull: nil)
            let itemJSON = try first(json(inbox([], hidden: [item]))["hidden"])
            #expect(itemJSON["key"] as? String == "github.com/a/b/1" && itemJSON["mark"] as? String == action)
            #expect(itemJSON["until"] as? String == until)
        }
    }

    @Test func `a snooze until a time of day uses this time zone`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let mark = { text in try PullMark.snooze(until: text, now: PullSample.now, zone: zone) }
        let tomorrow = try #require(ISO8601.parse("2026-11-11T07:00:00Z"))
        #expect(try mark("change") == .snoozedUntilChange)
        #expect(try mark("hour") == .snoozedUntil(PullSample.now + 3_600))
        #expect(try mark("tomorrow") == .snoozedUntil(tomorrow))
        #expect(try mark("week") == .snoozedUntil(tomorrow + 6 * 86_400))
        #expect(
            try mark("2026-12-24T18:00:00+01:00")
                == .snoozedUntil(
                    try #require(ISO8601.parse("2026-12-24T17:00:00Z"))))
        #expect(throws: RoostError.self) { try mark("tonight") }
    }
}
