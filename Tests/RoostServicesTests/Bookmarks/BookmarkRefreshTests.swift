import Foundation
import RoostServices
import Testing

/// The daily look at every bookmark.
@Suite struct BookmarkRefreshTests {
    private let day: TimeInterval = 86_400

    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `nothing is asked before a day is over, then the stalest first, and each once a day`()
        async throws
    {
        try await withBookmarks { bench in
            for number in 1...3 {
                let item = try BookmarkFixture.item(
                    Int64(number), "a/n\(number)", fetchedAt: TestClock.start - Double(number) * 60)
                try await bench.add(item)
                bench.source.refresh("a/n\(number)", gives: .success(.unchanged))
            }
            let early = await bench.refreshDue()
            #expect(!early && bench.source.asked.isEmpty)
            bench.clock.advance(day)
            #expect(await bench.refreshDue())
            #expect(
                bench.source.refreshed == ["refresh 1 a/n3", "refresh 1 a/n2", "refresh 1 a/n1"])
            let more = await bench.refreshDue()
            let checked = try await bench.find("a/n3")?.checkedAt
            #expect(!more && checked == bench.clock.now)
        }
    }

    @Test func `a click asks before the day is over, but not at once again, and not while GitHub wants rest`()
        async throws
    {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            bench.source.refresh("a/b", gives: .success(.unchanged))
            bench.clock.advance(60)
            #expect(await bench.refreshDue() == false)
            var wish = try await bench.refresher.retry(for: bench.ada)
            #expect(wish == .started)
            #expect(await bench.refreshDue())
            wish = try await bench.refresher.retry(for: bench.ada)
            #expect(wish == .started)
            #expect(await bench.refreshDue() == false)
            bench.clock.advance(60)
            let limit = GitHubFailure(
                error: .rateLimited(resetDate: bench.clock.now + 300), retryAfter: 300)
            for failure in [GitHubFailure(error: .networkUnavailable), limit] {
                bench.source.refresh("a/b", gives: .failure(failure))
                wish = try await bench.refresher.retry(for: bench.ada)
                #expect(wish == .started)
                #expect(await bench.refreshDue())
            }
            let refused = try await bench.refresher.retry(for: bench.ada)
            #expect(refused == .mustWait(until: bench.clock.now + 300))
        }
    }

    @Test func `a rename is followed, and said`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "old/name"))
            bench.clock.advance(day)
            let item = try BookmarkFixture.item(5, "new/name", fetchedAt: bench.clock.now)
            bench.source.refresh("old/name", gives: .success(.changed(item)))
            await bench.refreshDue()
            let bookmark = try await bench.find("new/name")
            #expect(bookmark?.changes == [.renamed(from: "old/name")] && bookmark?.item == item)
        }
    }

    @Test func `one that is gone is kept and marked, asked about weekly, and comes back`()
        async throws
    {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            _ = try await bench.bookmarks.edit(name("a/b"), tags: ["x"], note: "n", of: bench.ada)
            bench.clock.advance(day)
            bench.source.refresh("a/b", gives: .success(.gone))
            await bench.refreshDue()
            let gone = try await bench.find("a/b")
            #expect(gone?.state == .gone && gone?.changes == [.gone] && gone?.facts?.stars == 100)
            #expect(gone?.tags == ["x"])
            #expect(gone?.note == "n")
            #expect(try await bench.kept() == [5])
            bench.clock.advance(day)
            #expect(await bench.refreshDue() == false)
            _ = try await bench.bookmarks.change([gone?.id ?? 0], .markSeen, of: bench.ada)
            bench.clock.advance(6 * day)
            bench.source.refresh("a/b", gives: .success(.unchanged))
            await bench.refreshDue()
            let back = try await bench.find("a/b")
            #expect(back?.state == .present && back?.changes == [.back])
        }
    }

    @Test func `a stranger under the old name is not taken for the repository`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b", description: "mine"))
            bench.clock.advance(day)
            let stranger = try BookmarkFixture.item(
                666, "a/b", description: "evil", fetchedAt: bench.clock.now)
            bench.source.refresh("a/b", gives: .success(.changed(stranger)))
            await bench.refreshDue()
            let bookmark = try await bench.find("a/b")
            #expect(bookmark?.state == .gone && bookmark?.about == "mine" && bookmark?.item?.id == 5)
            // Unchanged: but it is the stranger that is.
            bench.source.refresh("a/b", gives: .success(.unchanged))
            bench.source.set("a/b", to: .success(stranger))
            bench.clock.advance(7 * day)
            await bench.refreshDue()
            let still = try await bench.find("a/b")
            #expect(still?.state == .gone && still?.item?.id == 5)
            // The user may have both.
            bench.source.know(stranger)
            _ = try await bench.bookmarks.add(name("a/b"), for: bench.ada)
            let ids = try await bench.listing().groups.flatMap(\.items).compactMap { $0.item?.id }
            #expect(Set(ids) == [5, 666])
        }
    }

    @Test func `users have turns: a long import of one does not keep the others waiting`() async throws {
        try await withBookmarks { bench in
            try await bench.fill(50, for: bench.ada)
            bench.clock.advance(1)
            _ = try await bench.read("x/one\nx/two\n", for: bench.grace)
            await bench.refreshDue()
            let users = bench.source.refreshed.map { $0.split(separator: " ")[1] }
            #expect(users.prefix(6) == ["1", "2", "1", "2", "1", "1"])
            #expect(users.count == 52)
        }
    }

    @Test func `a private one that is out of sight is asked about daily`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b", isPrivate: true))
            bench.clock.advance(day)
            bench.source.refresh("a/b", gives: .success(.gone))
            #expect(await bench.refreshDue())
            bench.clock.advance(day)
            #expect(await bench.refreshDue())
        }
    }

    @Test(arguments: [true, false])
    func `a private one is not gone because its user's account is`(isSaid: Bool) async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b", isPrivate: true))
            bench.clock.advance(day)
            bench.connected.set(false)
            // GitHub says so, or Roost no longer finds it in what it knows without the account.
            bench.source.refresh("a/b", gives: isSaid ? .success(.gone) : .success(.unchanged))
            #expect(await bench.refreshDue())
            let kept = try #require(try await bench.find("a/b"))
            #expect(kept.state == .present && kept.changes.isEmpty)
            #expect(await bench.refreshDue() == false)
            bench.connected.set(true)
            bench.source.refresh("a/b", gives: .success(.gone))
            bench.clock.advance(day)
            #expect(await bench.refreshDue())
            #expect(try await bench.find("a/b")?.state == .gone)
        }
    }

    @Test func `one user's question answers for all who have bookmarked it`() async throws {
        try await withBookmarks { bench in
            let item = try BookmarkFixture.item(5, "a/b")
            try await bench.add(item)
            try await bench.add(item, for: bench.grace)
            bench.clock.advance(day)
            bench.source.refresh("a/b", gives: .success(.unchanged))
            await bench.refreshDue()
            #expect(bench.source.refreshed == ["refresh 1 a/b"])
            let more = await bench.refreshDue()
            let hers = try await bench.find("a/b", of: bench.grace)?.checkedAt
            #expect(!more && hers == bench.clock.now)
        }
    }

    @Test func `the answer about a private one is its user's alone`() async throws {
        try await withBookmarks { bench in
            let item = try BookmarkFixture.item(5, "a/b", isPrivate: true)
            try await bench.add(item)
            try await bench.add(item, for: bench.grace)
            bench.clock.advance(day)
            let news = try BookmarkFixture.item(
                5, "a/b", stars: 7, isPrivate: true, fetchedAt: bench.clock.now)
            bench.source.refresh("a/b", gives: .success(.changed(news)))
            await bench.refreshDue()
            let stars = [
                try await bench.find("a/b")?.facts?.stars,
                try await bench.find("a/b", of: bench.grace)?.facts?.stars,
            ]
            #expect(stars == [7, 100])
        }
    }

    @Test func `a limit rests the user until its reset, and nobody else`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(
                try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 60), for: bench.grace)
            bench.clock.advance(2 * day)
            let reset = bench.clock.now + 1_800
            bench.source.refresh(
                "a/b",
                gives: .failure(GitHubFailure(error: .rateLimited(resetDate: reset), retryAfter: 1_800)))
            bench.source.refresh("c/d", gives: .success(.unchanged))
            for expected in [true, false] {
                let isDone = await bench.refreshDue()
                #expect(isDone == expected)
            }
            #expect(bench.source.refreshed.count == 2)
            bench.clock.advance(1_799)
            #expect(await bench.refreshDue() == false)
            bench.clock.advance(2)
            bench.source.refresh("a/b", gives: .success(.unchanged))
            #expect(await bench.refreshDue())
        }
    }

    @Test func `an outage is met with longer and longer rests, and changes no bookmark`() async throws {
        try await withBookmarks { bench in
            let before = try await bench.add(try BookmarkFixture.item(5, "a/b"))
            bench.clock.advance(2 * day)
            bench.source.refresh("a/b", gives: .failure(GitHubFailure(error: .networkUnavailable)))
            for wait in [60.0, 120, 240] {
                #expect(await bench.refreshDue())
                // A fifth more or less.
                bench.clock.advance(wait * 0.8 - 1)
                #expect(await bench.refreshDue() == false)
                bench.clock.advance(wait * 0.4 + 2)
            }
            let after = try await bench.find("a/b")
            #expect(after == before)
        }
    }

    @Test func `one that GitHub refuses does not keep the others waiting`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            bench.clock.advance(2 * day)
            bench.source.refresh("a/b", gives: .failure(GitHubFailure(error: .forbidden, status: 403)))
            bench.source.refresh("c/d", gives: .success(.unchanged))
            await bench.refreshDue()
            let checked = try await bench.find("c/d")?.checkedAt
            #expect(checked == bench.clock.now)
            #expect(await bench.refreshDue() == false)
            bench.clock.advance(6 * 3_600)
            #expect(await bench.refreshDue())
        }
    }

    @Test func `one at which GitHub breaks does not keep the others waiting`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            bench.clock.advance(2 * day)
            bench.source.refresh(
                "a/b", gives: .failure(GitHubFailure(error: .serverError(statusCode: 502), status: 502)))
            bench.source.refresh("c/d", gives: .success(.unchanged))
            await bench.refreshDue()
            #expect(bench.source.refreshed == ["refresh 1 a/b"])
            bench.clock.advance(73)
            await bench.refreshDue()
            #expect(bench.source.refreshed == ["refresh 1 a/b", "refresh 1 c/d"])
            let checked = try await bench.find("c/d")?.checkedAt
            #expect(checked == bench.clock.now)
        }
    }

    @Test func `what became due while a question was under way is asked about after it`() async throws {
        try await withBookmarks { bench in
            _ = try await bench.read("x/one")
            bench.source.during { [source = bench.source, files = bench.files] in
                guard source.refreshed.count == 1 else { return }
                _ = try? await files.read(Array("x/two".utf8), for: 1)
                _ = try? await files.read(Array("y/one".utf8), for: 2)
            }
            await bench.refreshDue()
            #expect(
                bench.source.refreshed == ["refresh 1 x/one", "refresh 2 y/one", "refresh 1 x/two"])
        }
    }

    @Test func `after a restart the bookmarks that are due are asked about`() async throws {
        try await withBookmarks { bench in
            try await bench.fill(2)
            try await bench.fill(1, for: bench.grace)
            let restarted = try await bench.restarted()
            await restarted.refresher.settle()
            #expect(bench.source.refreshed.count == 3)
        }
    }

    @Test func `imported names are resolved, and those that GitHub does not know are marked`()
        async throws
    {
        try await withBookmarks { bench in
            _ = try await bench.read(#"["a/b", "no/where", "c/d"]"#)
            let item = try BookmarkFixture.item(5, "a/b", fetchedAt: bench.clock.now)
            bench.source.refresh("a/b", gives: .success(.changed(item)))
            // Unchanged since somebody else asked.
            bench.source.refresh("c/d", gives: .success(.unchanged))
            bench.source.set("c/d", to: .success(try BookmarkFixture.item(6, "c/d")))
            await bench.refreshDue()
            let states = [
                try await bench.find("a/b")?.state, try await bench.find("no/where")?.state,
                try await bench.find("c/d")?.state,
            ]
            #expect(states == [.present, .gone, .present])
            #expect(try await bench.marked() == [5, 6])
            let lost = try await bench.find("no/where")
            #expect(lost?.item == nil && lost?.changes == [.gone])
        }
    }

    @Test func `what the user does while GitHub is asked is not undone by its answer`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            try await bench.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            bench.clock.advance(day + 1)
            for full in ["a/b", "c/d"] { bench.source.refresh(full, gives: .success(.gone)) }
            bench.source.during { [bookmarks = bench.bookmarks] in
                _ = try? await bookmarks.remove(BookmarkFixture.name("a/b"), of: 1)
                _ = try? await bookmarks.edit(
                    BookmarkFixture.name("c/d"), tags: ["new"], note: nil, of: 1)
            }
            await bench.refreshDue()
            let names = try await bench.names()
            let other = try await bench.find("c/d")
            #expect(names == ["c/d"] && other?.tags == ["new"] && other?.state == .gone)
        }
    }

    @Test func `the background work resolves names and takes news without being asked`() async throws {
        try await withBookmarks { bench in
            let item = try BookmarkFixture.item(5, "a/b", fetchedAt: bench.clock.now)
            bench.source.refresh("a/b", gives: .success(.changed(item)))
            let work = Task { await bench.parts.run() }
            _ = try await bench.read(#"["a/b"]"#)
            try await wait(for: "the name to be resolved") {
                try await bench.find("a/b")?.state == .present
            }
            bench.clock.advance(60)
            try await bench.tell(
                try BookmarkFixture.item(5, "a/b", stars: 101, fetchedAt: bench.clock.now))
            try await wait(for: "the news") { try await bench.find("a/b")?.changes == [.stars(1)] }
            work.cancel()
            await work.value
        }
    }
}
