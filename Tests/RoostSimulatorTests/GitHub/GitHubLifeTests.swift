import Foundation
import Testing

@testable import RoostSimulator

/// The simulated world over weeks, and its checks over minutes.
@Suite struct GitHubLifeTests {
    @Test func `over five weeks there are always 200 open pull requests, and each lives once`() {
        let gitHub = TestGitHub()
        var ended: Set<String> = []
        for step in 0..<50 {
            let moment = gitHub.simulation.world.moment()
            #expect(moment.open.count == 200 && moment.pulls.count == 400)
            #expect(Set(moment.pulls.map(\.id)).count == 400 && Set(moment.pulls.map(\.key)).count == 400)
            #expect(ended.isDisjoint(with: moment.open.map(\.key)), "an ended pull request is open again")
            ended.formUnion(moment.pulls.filter { $0.state != .open }.map(\.key))
            gitHub.clock.advance(seconds: 61_000 + step * 97)
        }
        #expect(ended.count > 500)
    }

    @Test func `nothing in a pull request's history is taken back`() {
        let gitHub = TestGitHub()
        var before = Dictionary(uniqueKeysWithValues: gitHub.facts().map { ($0.key, $0) })
        for _ in 0..<6 {
            gitHub.clock.advance(seconds: 5_000)
            let after = Dictionary(uniqueKeysWithValues: gitHub.facts().map { ($0.key, $0) })
            for (key, new) in after {
                guard let old = before[key] else { continue }
                #expect(new.updated >= old.updated && new.created == old.created && new.title == old.title)
                #expect(new.comments.count >= old.comments.count && new.reviewers.starts(with: old.reviewers))
                #expect(old.state == "OPEN" || new.state == old.state)
                #expect(old.isDraft || !new.isDraft)
            }
            #expect(
                after.values.contains { new in before[new.key].map { $0.updated < new.updated } ?? false })
            before = after
        }
    }

    @Test func `the same seed and time give the same bytes, whatever was requested before`() {
        let (busy, idle, late) = (TestGitHub(seed: 11), TestGitHub(seed: 11), TestGitHub(seed: 11))
        for _ in 0..<3 {
            _ = busy.ask("/search/issues?q=is:pr")
            busy.clock.advance(seconds: 1_200)
        }
        idle.clock.advance(seconds: 3_600)
        // A clock that was ahead and is set back gives the earlier answers again.
        late.clock.advance(seconds: 90_000)
        _ = late.simulation.world.moment()
        late.clock.advance(seconds: 3_600 - 90_000)
        for target in [
            "/search/issues?q=is:pr&per_page=100&sort=updated", "/user", "/user/teams",
            "/avatars/u/4001?s=30",
        ] {
            let bodies = [busy, idle, late].map { $0.ask(target).body }
            #expect(bodies[0] == bodies[1] && bodies[1] == bodies[2], "\(target)")
        }
        #expect(
            TestGitHub(seed: 12).ask("/search/issues?q=is:pr").body
                != TestGitHub(seed: 11).ask("/search/issues?q=is:pr").body)
    }

    @Test func `requests before the world begins, and at its very beginning, are answered`() throws {
        let early = TestGitHub(at: 1_577_836_799_000)
        #expect(try early.ask("/search/issues?q=is:pr").object.number("total_count") == 0)
        #expect(TestGitHub(at: 1_577_836_800_000).simulation.world.moment().open.count == 200)
    }

    private struct Check: Equatable {
        let name: String
        let status: String
        let conclusion: String?
    }

    private func checks(_ gitHub: TestGitHub, _ pull: SimulatedPull) throws -> (
        state: String?, runs: [Check]
    ) {
        let moment = gitHub.simulation.world.moment()
        let schedule = try #require(moment.pull(key: pull.key)).checks
        let runs = schedule.checks.filter { !$0.isContext }.map { check in
            let status = check.status(at: moment.now)
            return Check(
                name: check.name, status: status, conclusion: status == "COMPLETED" ? check.conclusion : nil)
        }
        return (schedule.state(at: moment.now), runs)
    }

    @Test func `checks wait, run and end once each, and their summary follows`() throws {
        let gitHub = TestGitHub()
        let pulls = try (0..<8).map { try gitHub.simulation.open(.init(title: "Checks \($0)")) }
        let ranks = ["QUEUED": 0, "IN_PROGRESS": 1, "COMPLETED": 2]
        var last: [Int: [Check]] = [:]
        var states: Set<String> = []
        for _ in 0..<34 {
            for pull in pulls {
                let (state, runs) = try checks(gitHub, pull)
                states.insert(state ?? "none")
                let isFailed = runs.contains { ["FAILURE", "TIMED_OUT"].contains($0.conclusion) }
                let isRunning = runs.contains { $0.status != "COMPLETED" }
                #expect(state == (isFailed ? "FAILURE" : isRunning ? "PENDING" : "SUCCESS"))
                for (old, new) in zip(last[pull.id] ?? runs, runs) {
                    #expect(old.name == new.name && (ranks[old.status] ?? 9) <= (ranks[new.status] ?? -1))
                    #expect(old.conclusion == nil || old == new)
                }
                last[pull.id] = runs
            }
            gitHub.clock.advance(seconds: 15)
        }
        #expect(last.values.allSatisfy { $0.allSatisfy { $0.status == "COMPLETED" } })
        #expect(states.isSuperset(of: ["PENDING", "SUCCESS"]))
    }

    @Test func `a repository without checks has no summary of them`() throws {
        let gitHub = TestGitHub()
        let repository = try #require(SimulatedRepository.all.indices.first { $0 % 11 == 10 })
        let pull = try gitHub.simulation.open(.init(repository: SimulatedRepository.all[repository].fullName))
        #expect(try checks(gitHub, pull).state == nil)
    }
}
