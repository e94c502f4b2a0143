import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSimulator
@testable import RoostSupport

/// A pull request's page: what it shows at once, when it asks GitHub, and who sees it.
@Suite(.timeLimit(.minutes(2))) struct PullDetailsTests {
    private struct Page {
        let fixture: PullServiceFixture
        let gitHub: GitHubSimulation
        let key: PullKey

        func view(of user: UserID? = nil, key other: PullKey? = nil, in service: PullService? = nil)
            async throws -> PullDetailsView
        {
            let service = service ?? fixture.pulls
            let key = other ?? key
            return try await service.database.read { reads in
                try service.details(
                    reads, owner: key.owner, name: key.name, number: key.number, host: nil,
                    for: user ?? fixture.user)
            }
        }

        /// Opens the page and lets the background work run.
        @discardableResult
        func load() async throws -> PullDetails {
            _ = try await view()
            await fixture.pulls.refreshDue()
            return try #require(try await view().details)
        }

        /// As the pane does with the next row.
        func prefetch(_ other: PullKey? = nil, for user: UserID? = nil) async throws {
            try await fixture.pulls.prefetchDetails(of: other ?? key, for: user ?? fixture.user)
        }

        var requests: Int { fixture.gitHub.asked.pages.count }
        var paths: [String] { fixture.gitHub.asked.paths.filter { $0.hasPrefix("/repos/") } }
    }

    /// A pull request of grace's that waits for ada's review.
    private func withPage(_ body: (Page) async throws -> Void) async throws {
        try await withPulls { fixture in
            let gitHub = fixture.simulateGitHub()
            try await fixture.storeAccount()
            let pull = try gitHub.requestReview(.init(title: "Carry the one", body: "Please look, @ada."))
            try gitHub.comment(on: pull.key, by: "alan", "Why so?")
            try gitHub.thread(on: pull.key, by: "alan", "Is this fast?")
            try gitHub.review(pull.key, by: "shannon", .approved)
            let key = PullFixture.key(pull.number, pull.repository.fullName)
            // The service learns its accounts.
            await fixture.pulls.refreshDue()
            try await body(Page(fixture: fixture, gitHub: gitHub, key: key))
        }
    }

    @Test func `opening a pull request loads it in one request, with the priority of a click`() async throws {
        try await withPage { page in
            let first = try await page.view()
            #expect(first.details == nil && first.isLoading && !first.isMissing && first.error == nil)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 1 && page.fixture.gitHub.asked.priorities.contains(.click))
            let view = try await page.view()
            let details = try #require(view.details)
            #expect(!view.isLoading && view.error == nil && view.item?.isTurn == true)
            #expect(details.pull.title == "Carry the one" && details.pull.state == .open)
            #expect(details.baseBranch == "main" && details.headBranch == "topic/carry-the-one")
            #expect(details.headCommit.count == 40 && details.baseCommit.count == 40)
            #expect(details.description.html.contains("Please look, @ada."))
            #expect(details.reviewers.map(\.name) == ["ada", "shannon", "alan"])
            #expect(details.reviewers.map(\.verdict) == [.requested, .approved, .commented])
            #expect(details.permissions.canReview && details.permissions.canUpdate)
            #expect(details.permissions.mergeMethods == ["squash", "rebase"])
            #expect(!details.checks.isEmpty && !details.hasLessDetail && details.omittedEntries == 0)
        }
    }

    @Test func `the timeline tells what happened in its order`() async throws {
        try await withPage { page in
            page.fixture.clock.advance(60)
            try page.gitHub.push(to: "\(page.key.owner)/\(page.key.name)#\(page.key.number)")
            let details = try await page.load()
            let kinds = details.timeline.map { entry in
                switch entry.event {
                case .comment: "comment"
                case .review(_, _, let verdict, _, let threads, _): "\(verdict.rawValue) \(threads.count)"
                case .commits(let commits): "commits \(commits.count)"
                case .reviewRequested(_, let name): "asks \(name)"
                default: "other"
                }
            }
            #expect(
                Set(kinds) == ["comment", "approved 0", "commented 1", "commits 1", "asks ada"], "\(kinds)")
            #expect(kinds.last == "commits 1" && kinds.filter { $0 == "commits 1" }.count == 2)
            let times = details.timeline.map(\.at)
            #expect(times == times.sorted())
        }
    }

    @Test func `the last state is there after a restart, with its age`() async throws {
        try await withPage { page in
            let before = try await page.load()
            page.fixture.clock.advance(3_600)
            let view = try await page.view(in: page.fixture.restarted())
            #expect(view.details == before && view.details?.fetchedAt == page.fixture.clock.now - 3_600)
            #expect(view.isLoading)
        }
    }

    @Test func `a refresh without a change only stores its time`() async throws {
        try await withPage { page in
            let before = try await page.load()
            let json = { try await page.fixture.database.read { try String.fetchOne($0, sql: Self.stored) } }
            let stored = try await json()
            page.fixture.clock.advance(1)
            page.fixture.pulls.refreshDetails(of: page.key, for: page.fixture.user)
            await page.fixture.pulls.refreshDue()
            let after = try #require(try await page.view().details)
            #expect(after.fetchedAt == before.fetchedAt + 1 && page.requests == 2)
            let again = try await json()
            #expect(stored == again && stored?.isEmpty == false)
        }
    }

    private static let stored = "SELECT details FROM pull_details"

    @Test func `no one else sees it`() async throws {
        try await withPage { page in
            try await page.load()
            let view = try await page.view(of: page.fixture.other)
            #expect(view.details == nil && view.isMissing && view.item == nil && !view.isLoading)
            await #expect(throws: RoostError.self) {
                try await page.fixture.pulls.files(of: page.key, page: 1, for: page.fixture.other)
            }
        }
    }

    @Test func `an open page is refreshed every minute, and no longer once it is closed`() async throws {
        try await withPage { page in
            try await page.load()
            for (wait, count) in [(59.0, 1), (1, 2), (600, 2)] {
                page.fixture.clock.advance(wait)
                await page.fixture.pulls.refreshDue()
                #expect(page.requests == count, "after \(wait)")
            }
        }
    }

    @Test func `a refresh publishes the user's topic`() async throws {
        try await withPage { page in
            let topics = [page.fixture.pulls.topic(of: page.key, for: page.fixture.user)]
            let before = page.fixture.feed.version(of: topics)
            try await page.load()
            #expect(page.fixture.feed.version(of: topics) > before)
        }
    }

    @Test func `a pull request that GitHub does not show is missing until someone asks again`() async throws {
        try await withPage { page in
            let key = PullFixture.key(77_777, "lovelace-labs/loom")
            for _ in 0..<3 {
                _ = try await page.view(key: key)
                await page.fixture.pulls.refreshDue()
            }
            #expect(page.requests == 1)
            let view = try await page.view(key: key)
            #expect(view.isMissing && view.details == nil && !view.isLoading)
            page.fixture.pulls.refreshDetails(of: key, for: page.fixture.user)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 2)
        }
    }

    @Test func `a pull request that the account may not see any more is forgotten`() async throws {
        try await withPage { page in
            try await page.load()
            page.fixture.gitHub.turn(nodes: { query, _ in
                query.hasPrefix("query PullDetails(") ? PullScript.noRepository : nil
            })
            page.fixture.pulls.refreshDetails(of: page.key, for: page.fixture.user)
            await page.fixture.pulls.refreshDue()
            #expect(try await page.view().isMissing)
            let rows = try await page.fixture.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM pull_details")
            }
            #expect(rows == 0)
        }
    }

    @Test func `only the reserve is left: an open page waits, a click does not`() async throws {
        try await withPage { page in
            try await page.load()
            page.fixture.gitHub.set(
                budget: RateBudget(
                    resource: "graphql", limit: 5_000, remaining: 1_001,
                    resetAt: page.fixture.clock.now + 1_800))
            page.fixture.clock.advance(60)
            _ = try await page.view()
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 1)
            page.fixture.pulls.refreshDetails(of: page.key, for: page.fixture.user)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 2)
        }
    }

    @Test func `the next one in the list is fetched once, in the background`() async throws {
        try await withPage { page in
            for _ in 0..<3 {
                try await page.prefetch()
                await page.fixture.pulls.refreshDue()
                #expect(page.requests == 1)
            }
            #expect(page.fixture.gitHub.asked.priorities.last == .background)
            // It is not open, so it is not fetched again by itself.
            page.fixture.clock.advance(3_600)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 1)
            try await page.prefetch()
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 2)
            // Opening it is no reason for another request.
            let view = try await page.view()
            #expect(view.details != nil && !view.isLoading)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 2)
        }
    }

    @Test(arguments: [(1_001, 0), (1_002, 1)])
    func `the next one in the list waits while only the reserve is left`(remaining: Int, count: Int)
        async throws
    {
        try await withPage { page in
            page.fixture.gitHub.set(
                budget: RateBudget(
                    resource: "graphql", limit: 5_000, remaining: remaining,
                    resetAt: page.fixture.clock.now + 1_800))
            try await page.prefetch()
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == count)
            // It is not fetched later either.
            page.fixture.clock.advance(3_600)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == count)
        }
    }

    @Test func `the next one in the list is not fetched while GitHub asks for a pause, or after a failure`()
        async throws
    {
        try await withPage { page in
            page.fixture.gitHub.block("graphql", until: page.fixture.clock.now + 60)
            try await page.prefetch()
            page.fixture.gitHub.block("graphql", until: nil)
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 0)
            page.fixture.gitHub.turn(nodes: { _, _ in
                throw GitHubFailure(error: .networkUnavailable, detail: "scripted")
            })
            try await page.prefetch()
            await page.fixture.pulls.refreshDue()
            let failed = page.requests
            page.fixture.clock.advance(600)
            try await page.prefetch()
            await page.fixture.pulls.refreshDue()
            #expect(failed > 0 && page.requests == failed)
        }
    }

    @Test func `only a pull request of the user's own inbox is fetched before it is opened`() async throws {
        try await withPage { page in
            _ = try? await page.prefetch(for: page.fixture.other)
            try await page.prefetch(PullFixture.key(77_777, "lovelace-labs/loom"))
            await #expect(throws: RoostError.self) {
                try await page.prefetch(PullKey(host: "github.com", owner: "..", name: "loom", number: 1))
            }
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 0)
        }
    }

    @Test func `opening a pull request that waits to be fetched does not wait for the reserve`() async throws
    {
        try await withPage { page in
            try await page.prefetch()
            page.fixture.gitHub.set(
                budget: RateBudget(
                    resource: "graphql", limit: 5_000, remaining: 1_001,
                    resetAt: page.fixture.clock.now + 1_800))
            _ = try await page.view()
            await page.fixture.pulls.refreshDue()
            #expect(page.requests == 1)
            #expect(page.fixture.gitHub.asked.priorities.last == .click)
        }
    }

    @Test func `a failure is shown next to the last state`() async throws {
        try await withPage { page in
            let before = try await page.load()
            page.fixture.gitHub.turn(nodes: { _, _ in
                throw GitHubFailure(error: .networkUnavailable, detail: "scripted")
            })
            page.fixture.pulls.refreshDetails(of: page.key, for: page.fixture.user)
            await page.fixture.pulls.refreshDue()
            let view = try await page.view()
            #expect(view.details == before && view.error == .networkUnavailable)
        }
    }

    @Test func `a disconnected account shows its error, and nothing stored`() async throws {
        try await withPage { page in
            try await page.load()
            page.fixture.accounts.change(1) { $0.state = .unauthenticated }
            let view = try await page.view()
            #expect(view.details == nil && view.error == .unauthorized && !view.isMissing)
        }
    }

    @Test func `stored details go with their account`() async throws {
        try await withPage { page in
            try await page.load()
            let rows = try await page.fixture.database.write { database in
                let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM pull_details")
                try database.execute(sql: "DELETE FROM github_accounts")
                return (before, try Int.fetchOne(database, sql: "SELECT count(*) FROM pull_details"))
            }
            #expect(rows == (1, 0))
        }
    }

    @Test func `the newest 200 of an account are stored`() async throws {
        try await withPage { page in
            let details = try await page.load()
            for number in 1...204 {
                var one = details
                one.fetchedAt += Double(number)
                let stored = try StoredPullDetails(one, of: PullFixture.key(number))
                try await page.fixture.pulls.database.write { try $0.putPullDetails(stored, as: 1) }
            }
            let numbers = try await page.fixture.database.read {
                try Int.fetchAll($0, sql: "SELECT number FROM pull_details ORDER BY fetched_at")
            }
            #expect(numbers == Array(5...204))
        }
    }

    @Test func `an account's details have a limit in bytes, and the newest stay in any case`() async throws {
        try await withPage { page in
            let details = try await page.load()
            let sizes = try await page.fixture.database.read {
                try Int.fetchAll(
                    $0,
                    sql: """
                        SELECT bytes FROM pull_details
                        UNION ALL SELECT length(CAST(details AS BLOB)) FROM pull_details
                        """)
            }
            try #require(sizes.count == 2 && sizes[0] == sizes[1])
            let three = 3 * sizes[0] + 1
            for (number, maximumBytes, kept) in [
                (90_001, three, 2), (90_002, three, 3), (90_003, three, 3), (90_004, 1, 1),
            ] {
                var one = details
                one.fetchedAt += Double(number)
                let stored = try StoredPullDetails(one, of: PullFixture.key(number))
                try await page.fixture.pulls.database.write {
                    try $0.putPullDetails(stored, as: 1, maximumBytes: maximumBytes)
                }
                let numbers = try await page.fixture.database.read {
                    try Int.fetchAll($0, sql: "SELECT number FROM pull_details ORDER BY fetched_at")
                }
                #expect(numbers.count == kept && numbers.last == number, "\(numbers)")
            }
        }
    }

    @Test func `details whose texts were sanitized by other rules are fetched again`() async throws {
        try await withPage { page in
            let details = try await page.load()
            let old = try StoredPullDetails(details, of: page.key, version: PullMarkup.version + 1)
            try await page.fixture.pulls.database.write { try $0.putPullDetails(old, as: 1) }
            let view = try await page.view()
            #expect(view.details == nil && view.isLoading)
            #expect(try await page.load() == details && page.requests == 2)
        }
    }

    @Test func `a refresh keeps the account that the page shows`() async throws {
        try await withPage { page in
            let (fixture, second) = (page.fixture, PullScript())
            second.ask(page.gitHub)
            fixture.accounts.connect(2, to: second, for: fixture.user)
            try await fixture.database.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO github_accounts (id, user_id, host, login, connected_at)
                        VALUES (2, 1, 'github.com', 'ada-2', 0)
                        """)
            }
            // Only the second account sees the pull request.
            fixture.gitHub.turn(nodes: { query, _ in
                query.hasPrefix("query PullDetails(") ? PullScript.noRepository : nil
            })
            for _ in 0..<2 {
                _ = try await page.view()
                await fixture.pulls.refreshDue()
            }
            #expect(try await page.view().details != nil)
            let before = (page.requests, second.asked.pages.count)
            fixture.pulls.refreshDetails(of: page.key, for: fixture.user)
            #expect(fixture.pulls.account(for: page.key, of: fixture.user)?.id == 2)
            await fixture.pulls.refreshDue()
            #expect((page.requests, second.asked.pages.count) == (before.0, before.1 + 1))
        }
    }

    @Test func `without an account on github.com, the host is the account's, also before the first answer`()
        async throws
    {
        try await withPage { page in
            page.fixture.accounts.disconnect(1)
            page.fixture.accounts.connect(
                2, to: page.fixture.gitHub, for: page.fixture.user, host: "git.example.org")
            let view = try await page.view()
            #expect(view.key.host == "git.example.org" && view.details == nil && !view.isMissing)
        }
    }

    @Test func `without GraphQL, conditional REST requests fetch it with less detail`() async throws {
        try await withPage { page in
            page.fixture.gitHub.turn(nodes: { _, _ in
                throw GitHubFailure(error: .invalidResponse(statusCode: 404), status: 404, detail: "scripted")
            })
            let details = try await page.load()
            #expect(details.hasLessDetail && page.paths.count == 6)
            #expect(details.pull.title == "Carry the one" && details.baseBranch == "main")
            #expect(details.description.html.contains("Please look, @ada."))
            #expect(details.reviewers.map(\.name) == ["ada", "shannon", "alan"])
            #expect(details.permissions == PullDetails.Permissions(canReview: true))
            let threads = details.timeline.compactMap { entry in
                if case .review(_, _, _, _, let threads, _) = entry.event { threads } else { nil }
            }.flatMap(\.self)
            #expect(threads.count == 1 && threads.first?.comments.count == 1)
            #expect(!details.checks.isEmpty)
            page.fixture.clock.advance(60)
            await page.fixture.pulls.refreshDue()
            #expect(page.paths.count == 12)
            let asked = page.fixture.gitHub.asked
            let again = zip(asked.paths, asked.etags).filter { $0.0.hasPrefix("/repos/") }.suffix(6)
            #expect(again.allSatisfy { $0.1 != nil })
        }
    }

    @Test(arguments: [
        ("<h2>a</h2><h3>b</h3><h2>c</h2>", "<h3>a</h3><h4>b</h4><h3>c</h3>"),
        ("<h1>a</h1><h4>b</h4>", "<h3>a</h3><h4>b</h4>"),
        ("<H5>a</H5>", "<h3>a</h3>"),
        (
            "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5>",
            "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>"
        ),
    ])
    func `a text's headings follow the page's without a gap`(text: String, shown: String) {
        var markup = PullMarkup(htmlURL: "https://github.com/lovelace-labs/engine/pull/1")
        #expect(markup.clean(text).html == shown)
    }
}

extension PullDetails.Markup {
    /// Without the pictures.
    var html: String {
        reduce(into: "") { if case .markup(let markup) = $1 { $0 += markup.html } }
    }
}
