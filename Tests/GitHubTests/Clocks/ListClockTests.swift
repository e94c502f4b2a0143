import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import Market
@testable import RoostSupport

/// Repositories, bookmarks, displays and undos when the machine's clock is set.
@Suite(.timeLimit(.minutes(2))) struct ListClockTests {
    private let day: TimeInterval = 86_400
    private let name = BookmarkFixture.name("a/b")

    @Test func `a repository fetched while the clock was ahead is fetched again`() async throws {
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
    func `a cached list ages at the same pace`(days: Double) async throws {
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

    @Test func `a bookmark checked while the clock was ahead is checked within a day`() async throws {
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

    @Test func `a repository that is gone is checked again after a week, and no later`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.source.refresh("a/b", gives: .success(.missing))
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

    @Test(arguments: [3.0, -3])
    func `a removed bookmark can be restored for a day`(days: Double) async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let done = try await fixture.bookmarks.remove(name, of: fixture.ada)
            fixture.clock.jump(days * day)
            fixture.clock.advance(86_399)
            let back = try await fixture.bookmarks.undo(done.undo ?? 0, for: fixture.ada)
            #expect(back.count == 1)
            let late = try await fixture.bookmarks.remove(name, of: fixture.ada)
            fixture.clock.jump(-days * day)
            fixture.clock.advance(86_401)
            let refused = await refusal {
                _ = try await fixture.bookmarks.undo(late.undo ?? 0, for: fixture.ada)
            }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, 2, -1])
    func `a removed coin can be restored for a day`(days: Double) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            try await fixture.services.market.watchlist.remove("bitcoin", from: owner)
            fixture.clock.jump(days * day)
            fixture.clock.advance(80_000)
            try await fixture.services.market.watchlist.undoRemove("bitcoin", for: owner)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a screen that polls is online, and one that has stopped is not`(days: Double) async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let displays = fixture.services.market.displays
            let kitchen = try await displays.add("Kitchen", for: owner).display
            displays.markSeen(kitchen)
            fixture.clock.jump(days * day)
            let version = { fixture.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            fixture.clock.advance(30)
            let display = try #require(try await displays.displays(of: owner).first)
            #expect(display.lastSeenAt == fixture.clock.now - 30 && display.isOnline(at: fixture.clock.now))
            displays.markSeen(display)
            #expect(version() == before)
            fixture.clock.advance(DisplayService.presence + 1)
            #expect(try await displays.displays(of: owner).first?.isOnline(at: fixture.clock.now) == false)
            displays.markSeen(display)
            #expect(version() > before)
        }
    }

    @Test func `a screen last seen while the clock was ahead is not shown as online`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            let id = try await fixture.services.market.displays.add("Kitchen", for: owner).display.id
            let tomorrow = fixture.clock.now.timeIntervalSince1970 + day
            try fixture.change("UPDATE displays SET last_seen_at = \(tomorrow) WHERE id = \(id)")
            let display = try #require(try await fixture.services.market.displays.displays(of: owner).first)
            #expect(!display.isOnline(at: fixture.clock.now))
            fixture.services.market.displays.markSeen(display)
            let seen = try #require(try await fixture.services.market.displays.displays(of: owner).first)
            #expect(seen.lastSeenAt == fixture.clock.now)
        }
    }

    @Test func `a picture fetched while the clock was ahead is fetched again`() {
        var index = PictureIndex(maximumBytes: 1 << 20)
        let now = TestClock.start
        _ = index.put(.init(size: 1, fetchedAt: now + 2 * day, usedAt: now + 2 * day), as: "a")
        let (isHere, isFresh) = index.recordView(of: "a", now: now)
        #expect(isHere && !isFresh)
    }
}
