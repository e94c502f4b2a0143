import Foundation
import Testing

@testable import RoostSimulator

@Suite struct GitHubWorldTests {
    @Test func `there are 200 open pull requests in 40 repositories, at any time`() {
        let gitHub = TestGitHub()
        for _ in 0..<4 {
            let open = gitHub.simulation.world.moment().open
            #expect(open.count == 200)
            #expect(Set(open.map(\.repository)).count == 40)
            #expect(Set(open.map(\.key)).count == 200)
            gitHub.clock.advance(seconds: 3 * 86_400 + 17)
        }
    }

    @Test func `only the seed and the time determine the world`() {
        let (one, other, third) = (TestGitHub(), TestGitHub(), TestGitHub(seed: 8))
        // One is read in between, the other only at the end.
        _ = one.simulation.world.moment()
        for gitHub in [one, other, third] { gitHub.clock.advance(seconds: 7_200) }
        let facts = { (gitHub: TestGitHub) in
            gitHub.simulation.world.moment().pulls.map {
                "\($0.key) \($0.title) \($0.updatedAt) \($0.additions)"
            }
        }
        #expect(facts(one) == facts(other))
        #expect(facts(one) != facts(third))
    }

    @Test func `something happens about every minute`() {
        let gitHub = TestGitHub()
        let before = gitHub.simulation.world.moment().open
        gitHub.clock.advance(seconds: 600)
        let after = gitHub.simulation.world.moment().open
        let updateTimes = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0.updatedAt) })
        let moved = after.filter { updateTimes[$0.key] != $0.updatedAt }.count
        #expect((3...60).contains(moved))
    }

    @Test func `pull requests end and others replace them`() {
        let gitHub = TestGitHub()
        let before = Set(gitHub.simulation.world.moment().open.map(\.key))
        gitHub.clock.advance(seconds: 86_400)
        let moment = gitHub.simulation.world.moment()
        let gone = before.subtracting(moment.open.map(\.key))
        #expect((10...150).contains(gone.count))
        let ended = gone.compactMap { moment.pull(key: $0) }
        #expect(ended.contains { $0.state == .merged } && !ended.contains { $0.state == .open })
    }

    @Test func `nothing is newer than now, and nothing was updated before it was created`() {
        let now = TestMarket.moment
        for pull in TestGitHub().simulation.world.moment().open {
            #expect(pull.updatedAt <= now)
            #expect(pull.additions > 0 && pull.changedFiles > 0, "\(pull.key)")
        }
    }

    @Test func `there are drafts, labels, reviews, comments, bots and deleted authors`() {
        let open = TestGitHub().simulation.world.moment().open
        #expect(open.contains { $0.isDraft } && open.contains { !$0.isDraft })
        #expect(open.contains { $0.labels.isEmpty } && open.contains { $0.labels.count > 1 })
        #expect(open.contains { !$0.comments.isEmpty } && open.contains { !$0.reviews.isEmpty })
        #expect(open.contains { $0.author?.isBot == true } && open.contains { $0.author == nil })
        let decisions = Set(open.map { $0.reviewDecision ?? "" })
        #expect(decisions == ["APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED", ""])
    }
}
