import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// Marks follow the node ids of their pull requests, not the names of their repositories.
@Suite struct PullMarkRenameTests {
    private static let marks: [PullMark] = [
        .snoozedUntil(TestClock.start + 86_400), .snoozedUntilChange, .muted, .done,
    ]
    private let old = PullFixture.key(7)

    /// Makes the search for review requests find these: repository, node id (or nil) and number of each.
    private func find(
        _ pulls: [(repository: String, nodeId: String?, number: Int)], byREST: Bool = false,
        _ gitHub: PullScript
    ) {
        guard byREST else {
            gitHub.turn(graphQL: nil)
            gitHub.set(
                .reviewRequested,
                pulls.map { pull in
                    let id = pull.nodeId.map { #""id":"\#($0)""# } ?? #""id":null"#
                    return PullFixture.node(
                        pull.number, repository: pull.repository, PullFixture.asks("ada"),
                        #""headRefOid":"one""#, id)
                })
            return
        }
        gitHub.turn(graphQL: { _, _ in
            throw GitHubFailure(error: .invalidResponse(statusCode: 404), status: 404)
        })
        let items = pulls.map { pull in
            let item = PullFixture.item(pull.number).replacing("roost/nest", with: pull.repository)
            return pull.nodeId.map {
                item.replacing("{\"number\"", with: "{\"node_id\":\"\($0)\",\"number\"")
            }
                ?? item
        }
        gitHub.turn(rest: { path, _ in
            let isReviewSearch = path.removingPercentEncoding?.contains("review-requested:@me") == true
            return .init(status: 200, body: PullFixture.search(isReviewSearch ? items : []), etag: nil)
        })
    }

    private func refresh(_ fixture: PullServiceFixture) async {
        fixture.clock.advance(60)
        await fixture.refresh()
    }

    /// "owner/name#number" of each pull request that waits for the user.
    private func names(_ fixture: PullServiceFixture) async throws -> [String] {
        try await fixture.inbox.sections.first { $0.id == "turn" }?.items.map(\.pull.id) ?? []
    }

    private func hidden(_ pulls: PullService, of user: UserID) async throws -> [String] {
        try await pulls.inbox(of: user).hidden.map(\.key.description)
    }

    private func stored(_ fixture: PullServiceFixture) async throws -> [String] {
        try await fixture.database.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT host || '/' || owner || '/' || name || '/' || number || ' ' || node_id
                    FROM pull_marks ORDER BY 1
                    """)
        }
    }

    @Test(arguments: marks, [false, true])
    func `a mark stays when its repository is renamed or moved to another owner`(
        mark: PullMark, byREST: Bool
    ) async throws {
        try await withPulls { fixture in
            find([("roost/nest", "PR_7", 7)], byREST: byREST, fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, mark, for: fixture.user)
            for (repository, isRestarted) in [
                ("roost/tree", false), ("grace/tree", false), ("ada/Tree", true),
            ] {
                find([(repository, "PR_7", 7)], byREST: byREST, fixture.gitHub)
                let pulls = isRestarted ? fixture.restarted() : fixture.pulls
                fixture.clock.advance(60)
                await pulls.refresh(fixture.user)
                let inbox = try await pulls.inbox(of: fixture.user)
                #expect(inbox.sections.allSatisfy { $0.items.isEmpty } && inbox.waiting == 0)
                #expect(inbox.hidden.map(\.key.description) == ["github.com/\(repository)/7"])
                #expect(inbox.hidden.first?.mark == mark)
                #expect(try await stored(fixture) == ["github.com/\(repository)/7 PR_7"])
            }
            await refresh(fixture)
            try await fixture.pulls.unmark(PullFixture.key(7, "ada/tree"), for: fixture.user)
            #expect(try await names(fixture) == ["ada/Tree#7"])
            #expect(try await stored(fixture).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a new repository under the old name does not inherit marks`(byREST: Bool) async throws {
        try await withPulls { fixture in
            find([("roost/nest", "PR_7", 7)], byREST: byREST, fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            // The renamed pull request may be missing from the answer.
            find([("roost/nest", "PR_8", 7)], byREST: byREST, fixture.gitHub)
            await refresh(fixture)
            #expect(try await names(fixture) == ["roost/nest#7"])
            #expect(try await fixture.inbox.hidden.isEmpty)
            // Each has its own mark and loses only that.
            try await fixture.pulls.mark(old, .done, for: fixture.user)
            #expect(
                try await stored(fixture) == ["github.com/roost/nest/7 PR_7", "github.com/roost/nest/7 PR_8"])
            find([("roost/nest", "PR_8", 7), ("roost/tree", "PR_7", 7)], byREST: byREST, fixture.gitHub)
            await refresh(fixture)
            #expect(try await fixture.inbox.sections.allSatisfy { $0.items.isEmpty })
            #expect(
                try await Set(hidden(fixture.pulls, of: fixture.user))
                    == ["github.com/roost/nest/7", "github.com/roost/tree/7"])
            try await fixture.pulls.unmark(old, for: fixture.user)
            #expect(try await names(fixture) == ["roost/nest#7"])
            #expect(try await stored(fixture) == ["github.com/roost/tree/7 PR_7"])
        }
    }

    @Test func `a second mark replaces the first, even after a rename`() async throws {
        try await withPulls { fixture in
            find([("roost/nest", "PR_7", 7)], fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            find([("roost/tree", "PR_7", 7)], fixture.gitHub)
            await refresh(fixture)
            try await fixture.pulls.mark(PullFixture.key(7, "roost/tree"), .done, for: fixture.user)
            #expect(try await fixture.inbox.hidden.map(\.mark) == [.done])
            #expect(try await stored(fixture) == ["github.com/roost/tree/7 PR_7"])
        }
    }

    @Test func `a mark without a node id gets one when its pull request is next seen, and follows it then`()
        async throws
    {
        try await withPulls { fixture in
            find([("roost/nest", nil, 7)], byREST: true, fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            #expect(try await stored(fixture) == ["github.com/roost/nest/7 "])
            await refresh(fixture)
            #expect(try await names(fixture).isEmpty, "without ids from an older server the name decides")
            find([("roost/nest", "PR_7", 7)], byREST: true, fixture.gitHub)
            await refresh(fixture)
            #expect(try await stored(fixture) == ["github.com/roost/nest/7 PR_7"])
            find([("roost/tree", "PR_7", 7)], byREST: true, fixture.gitHub)
            await refresh(fixture)
            #expect(try await names(fixture).isEmpty)
            // An answer without the id does not remove it.
            find([("roost/tree", nil, 7)], byREST: true, fixture.gitHub)
            await refresh(fixture)
            #expect(try await names(fixture).isEmpty)
            #expect(try await stored(fixture) == ["github.com/roost/tree/7 PR_7"])
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 201)])
    func `an empty or overlong id is ignored`(id: String) async throws {
        try await withPulls { fixture in
            find([("roost/nest", id, 7)], byREST: true, fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            #expect(try await names(fixture).isEmpty)
            #expect(try await stored(fixture) == ["github.com/roost/nest/7 "])
        }
    }

    @Test func `a mark survives GitHub's change from one form of node ids to the other`() async throws {
        try await withPulls { fixture in
            let forms = ["MDExOlB1bGxSZXF1ZXN0Nw==", "PR_kwDOAB7", "MDExOlB1bGxSZXF1ZXN0Nw=="]
            find([("roost/nest", forms[0], 7)], byREST: true, fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            for form in forms.dropFirst() {
                find([("roost/nest", form, 7)], byREST: true, fixture.gitHub)
                await refresh(fixture)
                #expect(try await names(fixture).isEmpty)
                #expect(try await stored(fixture) == ["github.com/roost/nest/7 \(form)"])
            }
            try await fixture.pulls.mark(old, .done, for: fixture.user)
            #expect(try await stored(fixture).count == 1)
        }
    }

    @Test func `a node id applies to its own host and user only`() async throws {
        try await withPulls { fixture in
            let (enterprise, graces) = (PullScript(), PullScript())
            fixture.accounts.connect(2, to: enterprise, for: fixture.user, host: "github.example.com")
            fixture.accounts.connect(3, to: graces, for: fixture.other)
            fixture.pulls.accountsChanged()
            find([("roost/nest", "PR_7", 7)], fixture.gitHub)
            find([("elsewhere/nest", "PR_7", 9)], enterprise)
            find([("roost/nest", "PR_7", 7)], graces)
            await fixture.refresh()
            await fixture.pulls.refresh(fixture.other)
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            #expect(try await names(fixture) == ["elsewhere/nest#9"])
            #expect(try await fixture.numbers("turn", of: fixture.other) == [7])
        }
    }

    @Test func `two accounts may see one pull request under two names for a while`() async throws {
        try await withPulls { fixture in
            let second = PullScript()
            fixture.accounts.connect(2, to: second, for: fixture.user)
            fixture.pulls.accountsChanged()
            for gitHub in [fixture.gitHub, second] { find([("roost/nest", "PR_7", 7)], gitHub) }
            await fixture.refresh()
            try await fixture.pulls.mark(old, .muted, for: fixture.user)
            find([("roost/tree", "PR_7", 7)], second)
            fixture.gitHub.fail(.networkUnavailable)
            await refresh(fixture)
            #expect(try await fixture.inbox.sections.allSatisfy { $0.items.isEmpty })
            #expect(try await fixture.inbox.hidden.count == 1)
            fixture.gitHub.recover()
            find([("roost/tree", "PR_7", 7)], fixture.gitHub)
            fixture.clock.advance(600)
            await fixture.refresh()
            #expect(try await hidden(fixture.pulls, of: fixture.user) == ["github.com/roost/tree/7"])
            #expect(try await stored(fixture) == ["github.com/roost/tree/7 PR_7"])
        }
    }

    @Test func `a snooze ends on time under the new name`() async throws {
        try await withPulls { fixture in
            find([("roost/nest", "PR_7", 7)], fixture.gitHub)
            await fixture.refresh()
            try await fixture.pulls.mark(old, .snoozedUntil(fixture.clock.now + 100), for: fixture.user)
            find([("roost/tree", "PR_7", 7)], fixture.gitHub)
            await refresh(fixture)
            #expect(try await names(fixture).isEmpty)
            await refresh(fixture)
            #expect(try await names(fixture) == ["roost/tree#7"])
            #expect(try await stored(fixture).isEmpty)
        }
    }

    @Test(arguments: marks)
    func `marks also survive renames on the simulated GitHub`(mark: PullMark) async throws {
        try await withPulls { fixture in
            let gitHub = fixture.simulateGitHub()
            await fixture.refresh()
            let (waiting, item) = (
                try await fixture.inbox.waiting,
                try #require(try await fixture.inbox.sections.first?.items.first)
            )
            try await fixture.pulls.mark(item.key, mark, for: fixture.user)
            let name = item.pull.repositoryFullName
            try gitHub.run(RepositoryCommand(name, rename: name + "-moved"))
            await refresh(fixture)
            #expect(try await fixture.inbox.waiting == waiting - 1)
            #expect(
                try await hidden(fixture.pulls, of: fixture.user) == [
                    "github.com/\(name)-moved/\(item.pull.number)"
                ])
        }
    }

    @Test func `marks of the previous version are kept, and get their node ids`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let before = try DatabaseQueue(path: folder + "/roost.sqlite")
            try Migrations.migrator.migrate(before, upTo: "displays: pairing")
            try await before.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO users (id, username, name_key, role, created_at)
                        VALUES (1, 'ada', 'ada', 'member', 0);
                        INSERT INTO pull_marks (user_id, host, owner, name, number, kind, seen, marked_at)
                        VALUES (1, 'github.com', 'roost', 'nest', 7, 'mute',
                            '{"hasDetail":true,"updated":0,"reasons":[]}', 1790000000);
                        """)
            }
            try Migrations.migrator.migrate(before)
            let rows = try await before.read {
                try String.fetchAll(
                    $0,
                    sql: "SELECT name || ' ' || node_id || ' ' || kind || ' ' || marked_at FROM pull_marks")
            }
            #expect(rows == ["nest  mute 1790000000.0"])
            try before.close()
            let problems = try await Services.problems(in: folder)
            #expect(problems.isEmpty)
        }
    }
}
