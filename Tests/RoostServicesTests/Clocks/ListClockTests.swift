import Foundation
import Testing

@testable import GitHub
@testable import Market
@testable import RoostSupport

/// Repositories, bookmarks, displays and undos when somebody sets the machine's clock.
@Suite(.timeLimit(.minutes(2))) struct ListClockTests {
    private let day: TimeInterval = 86_400
    private let name = BookmarkFixture.name("a/b")

    @Test func `a repository fetched by a clock that was ahead is asked for again`() async throws {
        try await withRepositories { fixture in
            fixture.github.set("/repos/ada/engine", RepositoryFixture.detail(5, "ada/engine"))
            fixture.github.set("/repos/ada/engine/readme", "<p>")
            fixture.clock.jump(2 * day)
            _ = try await fixture.view("ada/engine")
            fixture.clock.jump(-2 * day)
            let view = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.count == 4)
            #expect(view.item?.fetchedAt == fixture.clock.now && view.loading == .loaded(fixture.clock.now))
        }
    }

    @Test(arguments: [1.0, -1])
    func `a list in memory grows old at the same pace`(days: Double) async throws {
        try await withRepositories { fixture in
            fixture.script(pages: 1)
            _ = try await fixture.listing(.all(since: 0))
            fixture.clock.jump(days * day)
            fixture.clock.advance(600)
            let listing = try await fixture.listing(.all(since: 0))
            #expect(listing.updatedAt == fixture.clock.now - 600)
            #expect(fixture.github.paths.count == 1)
            fixture.clock.advance(1)
            #expect(try await fixture.listing(.all(since: 0)).updatedAt == fixture.clock.now)
            #expect(fixture.github.paths.count == 2)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a repository that GitHub did not answer for is tried again as soon as before`(days: Double)
        async throws
    {
        try await withRepositories { fixture in
            fixture.github.fail("/repos/ada/engine", .rateLimited(resetDate: fixture.clock.now + 300))
            let before = try await fixture.view("ada/engine")
            #expect(before.nextTryAt == fixture.clock.now + 300)
            fixture.clock.jump(days * day)
            let after = try await fixture.view("ada/engine")
            #expect(after.nextTryAt == fixture.clock.now + 300)
            #expect(after.error == .rateLimited(resetDate: fixture.clock.now + 300))
            let asked = fixture.github.asked.count
            fixture.clock.advance(301)
            _ = try await fixture.view("ada/engine")
            #expect(fixture.github.asked.count > asked)
        }
    }

    @Test func `a bookmark checked by a clock that was ahead is checked within its day`() async throws {
        try await withBookmarks { fixture in
            fixture.clock.jump(2 * day)
            try await fixture.add(try BookmarkFixture.item(5, "a/b", fetchedAt: fixture.clock.now))
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            #expect(await fixture.refreshDue() == false)
            fixture.clock.jump(-2 * day)
            fixture.clock.advance(600)
            #expect(await fixture.refreshDue())
            #expect(try await fixture.find("a/b")?.checkedAt == fixture.clock.now)
            #expect(await fixture.refreshDue() == false)
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue())
        }
    }

    @Test func `one that is gone keeps its week, and no more than that`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.source.refresh("a/b", gives: .success(.gone))
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue())
            fixture.clock.jump(-day / 1_000)
            fixture.clock.advance(600)
            #expect(await fixture.refreshDue() == false)
            fixture.clock.jump(-2 * day)
            fixture.clock.advance(600)
            #expect(await fixture.refreshDue())
        }
    }

    @Test(arguments: [1.0, -1])
    func `GitHub is left alone as long as it asked for`(days: Double) async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", fetchedAt: fixture.clock.now - 3 * day))
            let limit = GitHubFailure(
                error: .rateLimited(resetDate: fixture.clock.now + 600), retryAfter: 600)
            fixture.source.refresh("a/b", gives: .failure(limit))
            #expect(await fixture.refreshDue())
            fixture.clock.jump(days * day)
            #expect(
                try await fixture.refresher.retry(for: fixture.ada)
                    == .mustWait(until: fixture.clock.now + 600))
            fixture.clock.advance(600)
            #expect(try await fixture.refresher.retry(for: fixture.ada) == .started)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a removed bookmark comes back for an hour`(days: Double) async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let done = try await fixture.bookmarks.remove(name, of: fixture.ada)
            fixture.clock.jump(days * day)
            fixture.clock.advance(3_599)
            let back = try await fixture.bookmarks.undo(done.undo ?? "", for: fixture.ada)
            #expect(back.count == 1)
            let late = try await fixture.bookmarks.remove(name, of: fixture.ada)
            fixture.clock.jump(-days * day)
            fixture.clock.advance(3_601)
            let refused = await refusal {
                _ = try await fixture.bookmarks.undo(late.undo ?? "", for: fixture.ada)
            }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, 2, -1])
    func `a removed coin comes back for a day`(days: Double) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try await fixture.services.watchlist.remove("bitcoin", from: owner)
            fixture.clock.jump(days * day)
            fixture.clock.advance(80_000)
            try await fixture.services.watchlist.undoRemove("bitcoin", for: owner)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a screen that asks is there, and one that stopped is not`(days: Double) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let displays = fixture.services.displays
            let kitchen = try await displays.add("Kitchen", for: owner).display
            displays.markSeen(kitchen)
            fixture.clock.jump(days * day)
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            fixture.clock.advance(30)
            let display = try #require(try await displays.displays(of: owner).first)
            #expect(display.lastSeenAt == fixture.clock.now - 30 && display.isHere(at: fixture.clock.now))
            displays.markSeen(display)
            #expect(version() == before)
            fixture.clock.advance(DisplayService.presence + 1)
            #expect(try await displays.displays(of: owner).first?.isHere(at: fixture.clock.now) == false)
            displays.markSeen(display)
            #expect(version() > before)
        }
    }

    @Test func `a screen last seen by a clock that was ahead is not taken to be there`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let id = try await fixture.services.displays.add("Kitchen", for: owner).display.id
            let tomorrow = fixture.clock.now.timeIntervalSince1970 + day
            try fixture.change("UPDATE displays SET last_seen_at = \(tomorrow) WHERE id = \(id)")
            let display = try #require(try await fixture.services.displays.displays(of: owner).first)
            #expect(!display.isHere(at: fixture.clock.now))
            fixture.services.displays.markSeen(display)
            let seen = try #require(try await fixture.services.displays.displays(of: owner).first)
            #expect(seen.lastSeenAt == fixture.clock.now)
        }
    }

    @Test func `a picture fetched by a clock that was ahead is fetched again`() {
        var index = PictureIndex(maximumBytes: 1 << 20)
        let now = TestClock.start
        _ = index.put(.init(size: 1, fetchedAt: now + 2 * day, usedAt: now + 2 * day), as: "a")
        let (isHere, isFresh) = index.look(for: "a", now: now)
        #expect(isHere && !isFresh)
    }
}
