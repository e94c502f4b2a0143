import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct BookmarkRefreshTests {
    private let day: TimeInterval = 86_400

    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `bookmarks are refreshed once a day, the least recently checked first`()
        async throws
    {
        try await withBookmarks { fixture in
            for number in 1...3 {
                let item = try BookmarkFixture.item(
                    Int64(number), "a/n\(number)", fetchedAt: TestClock.start - Double(number) * 60)
                try await fixture.add(item)
                fixture.source.refresh("a/n\(number)", gives: .success(.unchanged))
            }
            let early = await fixture.refreshDue()
            #expect(!early && fixture.source.asked.isEmpty)
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue())
            #expect(
                fixture.source.refreshed == ["refresh 1 a/n3", "refresh 1 a/n2", "refresh 1 a/n1"])
            let more = await fixture.refreshDue()
            let checked = try await fixture.find("a/n3")?.checkedAt
            #expect(!more && checked == fixture.clock.now)
        }
    }

    @Test func `a click refreshes early, but not twice in a row and not during a back-off`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            fixture.clock.advance(60)
            #expect(await fixture.refreshDue() == false)
            var outcome = try await fixture.refresher.retry(for: fixture.ada)
            #expect(outcome == .started)
            #expect(await fixture.refreshDue())
            outcome = try await fixture.refresher.retry(for: fixture.ada)
            #expect(outcome == .started)
            #expect(await fixture.refreshDue() == false)
            fixture.clock.advance(60)
            let limit = GitHubFailure(
                error: .rateLimited(resetDate: fixture.clock.now + 300), retryAfter: 300)
            for failure in [GitHubFailure(error: .networkUnavailable), limit] {
                fixture.source.refresh("a/b", gives: .failure(failure))
                outcome = try await fixture.refresher.retry(for: fixture.ada)
                #expect(outcome == .started)
                #expect(await fixture.refreshDue())
            }
            let refused = try await fixture.refresher.retry(for: fixture.ada)
            #expect(refused == .mustWait(until: fixture.clock.now + 300))
        }
    }

    @Test func `a rename is followed and reported`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "old/name"))
            fixture.clock.advance(day)
            let item = try BookmarkFixture.item(5, "new/name", fetchedAt: fixture.clock.now)
            fixture.source.refresh("old/name", gives: .success(.changed(item)))
            await fixture.refreshDue()
            let bookmark = try await fixture.find("new/name")
            #expect(bookmark?.changes == [.renamed(from: "old/name")] && bookmark?.item == item)
        }
    }

    @Test func `a repository that is blocked for legal reasons is not reported as gone`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.clock.advance(day)
            let failure = GitHubFailure(error: .legallyBlocked, status: 451)
            fixture.source.refresh("a/b", gives: .failure(failure))
            await fixture.refreshDue()
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.state == .present && bookmark?.changes == [])
        }
    }

    @Test func `a bookmark of a repository that is gone is kept, marked, checked weekly, and can come back`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            _ = try await fixture.bookmarks.edit(name("a/b"), tags: ["x"], note: "n", of: fixture.ada)
            fixture.clock.advance(day)
            fixture.source.refresh("a/b", gives: .success(.missing))
            await fixture.refreshDue()
            let gone = try await fixture.find("a/b")
            #expect(gone?.state == .gone && gone?.changes == [.gone] && gone?.facts?.stars == 100)
            #expect(gone?.tags == ["x"])
            #expect(gone?.note == "n")
            #expect(try await fixture.kept() == [5])
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue() == false)
            _ = try await fixture.bookmarks.change([gone?.id ?? 0], .markSeen, of: fixture.ada)
            fixture.clock.advance(6 * day)
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            await fixture.refreshDue()
            let back = try await fixture.find("a/b")
            #expect(back?.state == .present && back?.changes == [.back])
        }
    }

    @Test func `another repository under the old name is not mistaken for the bookmarked one`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", description: "mine"))
            fixture.clock.advance(day)
            let stranger = try BookmarkFixture.item(
                666, "a/b", description: "evil", fetchedAt: fixture.clock.now)
            fixture.source.refresh("a/b", gives: .success(.changed(stranger)))
            await fixture.refreshDue()
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.state == .gone && bookmark?.about == "mine" && bookmark?.item?.id == 5)
            // Unchanged refers to the other repository here.
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            fixture.source.set("a/b", to: .success(stranger))
            fixture.clock.advance(7 * day)
            await fixture.refreshDue()
            let still = try await fixture.find("a/b")
            #expect(still?.state == .gone && still?.item?.id == 5)
            // The user may bookmark both.
            fixture.source.know(stranger)
            _ = try await fixture.bookmarks.add(name("a/b"), for: fixture.ada)
            let ids = try await fixture.listing().groups.flatMap(\.items).compactMap { $0.item?.id }
            #expect(Set(ids) == [5, 666])
        }
    }

    @Test func `users take turns, so a long import of one does not delay the others`() async throws {
        try await withBookmarks { fixture in
            try await fixture.fill(50, for: fixture.ada)
            fixture.clock.advance(1)
            _ = try await fixture.read("x/one\nx/two\n", for: fixture.grace)
            await fixture.refreshDue()
            let users = fixture.source.refreshed.map { $0.split(separator: " ")[1] }
            #expect(users.prefix(6) == ["1", "2", "1", "2", "1", "1"])
            #expect(users.count == 52)
        }
    }

    @Test func `a private repository that is out of sight is checked daily`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", isPrivate: true))
            fixture.clock.advance(day)
            fixture.source.refresh("a/b", gives: .success(.missing))
            #expect(await fixture.refreshDue())
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue())
        }
    }

    @Test(arguments: [true, false])
    func `a private repository is not marked as gone when its user's account is disconnected`(isSaid: Bool)
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", isPrivate: true))
            fixture.clock.advance(day)
            fixture.accounts.set(nil, for: fixture.ada)
            // Either GitHub answers 404, or Roost no longer finds it among what is visible without the account.
            fixture.source.refresh("a/b", gives: isSaid ? .success(.missing) : .success(.unchanged))
            #expect(await fixture.refreshDue())
            let kept = try #require(try await fixture.find("a/b"))
            #expect(kept.state == .present && kept.changes.isEmpty)
            #expect(await fixture.refreshDue() == false)
            fixture.accounts.set(RepositoryScript(), for: fixture.ada)
            fixture.source.refresh("a/b", gives: .success(.missing))
            fixture.clock.advance(day)
            #expect(await fixture.refreshDue())
            #expect(try await fixture.find("a/b")?.state == .gone)
        }
    }

    @Test func `one user's request answers for everyone who bookmarked the repository`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "a/b")
            try await fixture.add(item)
            try await fixture.add(item, for: fixture.grace)
            fixture.clock.advance(day)
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b"])
            let more = await fixture.refreshDue()
            let graceCheckedAt = try await fixture.find("a/b", of: fixture.grace)?.checkedAt
            #expect(!more && graceCheckedAt == fixture.clock.now)
        }
    }

    @Test func `an answer about a private repository is for its user only`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "a/b", isPrivate: true)
            try await fixture.add(item)
            try await fixture.add(item, for: fixture.grace)
            fixture.clock.advance(day)
            let news = try BookmarkFixture.item(
                5, "a/b", stars: 7, isPrivate: true, fetchedAt: fixture.clock.now)
            fixture.source.refresh("a/b", gives: .success(.changed(news)))
            fixture.source.during { [source = fixture.source] in
                // Her own account has no access to it.
                source.refresh("a/b", gives: .failure(GitHubFailure(error: .forbidden, status: 403)))
            }
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b", "refresh 2 a/b"])
            let stars = [
                try await fixture.find("a/b")?.facts?.stars,
                try await fixture.find("a/b", of: fixture.grace)?.facts?.stars,
            ]
            #expect(stars == [7, 100])
        }
    }

    @Test func `a rate limit pauses its user until the reset, and no one else`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(
                try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 60), for: fixture.grace)
            fixture.clock.advance(2 * day)
            let reset = fixture.clock.now + 1_800
            fixture.source.refresh(
                "a/b",
                gives: .failure(GitHubFailure(error: .rateLimited(resetDate: reset), retryAfter: 1_800)))
            fixture.source.refresh("c/d", gives: .success(.unchanged))
            for expected in [true, false] {
                let isDone = await fixture.refreshDue()
                #expect(isDone == expected)
            }
            #expect(fixture.source.refreshed.count == 2)
            fixture.clock.advance(1_799)
            #expect(await fixture.refreshDue() == false)
            fixture.clock.advance(2)
            fixture.source.refresh("a/b", gives: .success(.unchanged))
            #expect(await fixture.refreshDue())
        }
    }

    @Test func `an outage makes the pauses longer and longer, and changes no bookmark`() async throws {
        try await withBookmarks { fixture in
            let before = try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            fixture.clock.advance(2 * day)
            fixture.source.refresh("a/b", gives: .failure(GitHubFailure(error: .networkUnavailable)))
            for wait in [60.0, 120, 240] {
                #expect(await fixture.refreshDue())
                // With 20% jitter.
                fixture.clock.advance(wait * 0.8 - 1)
                #expect(await fixture.refreshDue() == false)
                fixture.clock.advance(wait * 0.4 + 2)
            }
            let after = try await fixture.find("a/b")
            #expect(after == before)
        }
    }

    @Test func `a bookmark that GitHub refuses does not delay the others`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            fixture.clock.advance(2 * day)
            fixture.source.refresh("a/b", gives: .failure(GitHubFailure(error: .forbidden, status: 403)))
            fixture.source.refresh("c/d", gives: .success(.unchanged))
            await fixture.refreshDue()
            let checked = try await fixture.find("c/d")?.checkedAt
            #expect(checked == fixture.clock.now)
            #expect(await fixture.refreshDue() == false)
            fixture.clock.advance(6 * 3_600)
            #expect(await fixture.refreshDue())
        }
    }

    @Test func `a bookmark that makes GitHub fail does not delay the others`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            fixture.clock.advance(2 * day)
            fixture.source.refresh(
                "a/b", gives: .failure(GitHubFailure(error: .serverError(statusCode: 502), status: 502)))
            fixture.source.refresh("c/d", gives: .success(.unchanged))
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b", "refresh 1 c/d"])
            let checked = try await fixture.find("c/d")?.checkedAt
            #expect(checked == fixture.clock.now)
            // It is tried again after a while, however often it has failed.
            for round in 2...4 {
                fixture.clock.advance(6 * 3_600)
                await fixture.refreshDue()
                #expect(fixture.source.refreshed.filter { $0 == "refresh 1 a/b" }.count == round)
            }
        }
    }

    @Test(arguments: [
        GitHubFailure(error: .serverError(statusCode: 503), retryAfter: 100, status: 503),
        GitHubFailure(error: .legallyBlocked, retryAfter: 100, status: 451),
    ])
    func `a Retry-After delays the user's other bookmarks too, whatever the failure`(
        failure: GitHubFailure
    ) async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            fixture.clock.advance(2 * day)
            fixture.source.refresh("a/b", gives: .failure(failure))
            fixture.source.refresh("c/d", gives: .success(.unchanged))
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b"])
            let outcome = try await fixture.refresher.retry(for: fixture.ada)
            #expect(outcome == .mustWait(until: fixture.clock.now + 100))
            fixture.clock.advance(99)
            #expect(await fixture.refreshDue() == false)
            // Then the next bookmark is tried: the failure may concern that one repository only.
            fixture.clock.advance(1)
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b", "refresh 1 c/d"])
        }
    }

    @Test
    func `after failures of two bookmarks in a row GitHub gets a pause, then the next one is tried`()
        async throws
    {
        try await withBookmarks { fixture in
            for (number, full) in ["a/b", "c/d", "e/f"].enumerated() {
                try await fixture.add(
                    try BookmarkFixture.item(
                        Int64(number + 5), full, fetchedAt: TestClock.start + Double(number)))
                fixture.source.refresh(full, gives: .failure(GitHubFailure(error: .timedOut)))
            }
            fixture.clock.advance(2 * day)
            await fixture.refreshDue()
            #expect(fixture.source.refreshed == ["refresh 1 a/b", "refresh 1 c/d"])
            fixture.source.refresh("e/f", gives: .success(.unchanged))
            fixture.clock.advance(73)
            await fixture.refreshDue()
            #expect(fixture.source.refreshed.last == "refresh 1 e/f")
            let checked = try await fixture.find("e/f")?.checkedAt
            #expect(checked == fixture.clock.now)
        }
    }

    @Test func `a bookmark that becomes due during a request is checked after it`() async throws {
        try await withBookmarks { fixture in
            _ = try await fixture.read("x/one")
            fixture.source.during { [source = fixture.source, files = fixture.files] in
                guard source.refreshed.count == 1 else { return }
                _ = try? await files.read(Array("x/two".utf8), for: 1)
                _ = try? await files.read(Array("y/one".utf8), for: 2)
            }
            await fixture.refreshDue()
            #expect(
                fixture.source.refreshed == ["refresh 1 x/one", "refresh 2 y/one", "refresh 1 x/two"])
        }
    }

    @Test func `after a restart the due bookmarks are checked`() async throws {
        try await withBookmarks { fixture in
            try await fixture.fill(2)
            try await fixture.fill(1, for: fixture.grace)
            let restarted = try await fixture.restarted()
            await restarted.refresher.runUntilIdle()
            #expect(fixture.source.refreshed.count == 3)
        }
    }

    @Test func `imported names are resolved, and those that GitHub does not know are marked`()
        async throws
    {
        try await withBookmarks { fixture in
            _ = try await fixture.read(#"["a/b", "no/where", "c/d"]"#)
            let item = try BookmarkFixture.item(5, "a/b", fetchedAt: fixture.clock.now)
            fixture.source.refresh("a/b", gives: .success(.changed(item)))
            // Unchanged since another user asked.
            fixture.source.refresh("c/d", gives: .success(.unchanged))
            fixture.source.set("c/d", to: .success(try BookmarkFixture.item(6, "c/d")))
            await fixture.refreshDue()
            let states = [
                try await fixture.find("a/b")?.state, try await fixture.find("no/where")?.state,
                try await fixture.find("c/d")?.state,
            ]
            #expect(states == [.present, .gone, .present])
            #expect(try await fixture.marked() == [5, 6])
            let missing = try await fixture.find("no/where")
            #expect(missing?.item == nil && missing?.changes == [.gone])
        }
    }

    @Test func `a change that the user makes during a request is not undone by its answer`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            try await fixture.add(try BookmarkFixture.item(6, "c/d", fetchedAt: TestClock.start + 1))
            fixture.clock.advance(day + 1)
            for full in ["a/b", "c/d"] { fixture.source.refresh(full, gives: .success(.missing)) }
            fixture.source.during { [bookmarks = fixture.bookmarks] in
                _ = try? await bookmarks.remove(BookmarkFixture.name("a/b"), of: 1)
                _ = try? await bookmarks.edit(
                    BookmarkFixture.name("c/d"), tags: ["new"], note: nil, of: 1)
            }
            await fixture.refreshDue()
            let names = try await fixture.names()
            let other = try await fixture.find("c/d")
            #expect(names == ["c/d"] && other?.tags == ["new"] && other?.state == .gone)
        }
    }

    @Test func `the background work resolves names and picks up changes automatically`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "a/b", fetchedAt: fixture.clock.now)
            fixture.source.refresh("a/b", gives: .success(.changed(item)))
            let work = Task { await fixture.parts.run() }
            _ = try await fixture.read(#"["a/b"]"#)
            try await wait(for: "the name to be resolved") {
                try await fixture.find("a/b")?.state == .present
            }
            fixture.clock.advance(60)
            try await fixture.tell(
                try BookmarkFixture.item(5, "a/b", stars: 101, fetchedAt: fixture.clock.now))
            try await wait(for: "the change") { try await fixture.find("a/b")?.changes == [.stars(1)] }
            work.cancel()
            await work.value
        }
    }
}
