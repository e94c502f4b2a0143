import Foundation
import Testing

@testable import RoostSimulator

/// Each order changes what it says, and nothing else.
@Suite struct GitHubEventTests {
    private let gitHub = TestGitHub()
    private var simulation: GitHubSimulation { gitHub.simulation }

    /// A pull request as it is, and whether GitHub says that it merges.
    private struct PullSnapshot {
        let pull: SimulatedPull
        let checks: String?
        let mergeable: String?
        /// Each fact as text, by its name.
        let facts: [String: String]
    }

    private func told(_ key: String) throws -> PullSnapshot {
        let moment = simulation.world.moment()
        let pull = try #require(moment.pull(key: key))
        let mergeable = try gitHub.mergeable([pull.nodeID]).first ?? nil
        var facts = Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: pull).children.map {
                ($0.label ?? "", String(describing: $0.value))
            })
        facts["checks"] = pull.checks.checks.map { "\($0) \($0.state(at: moment.now))" }.joined()
        facts["mergeable"] = mergeable
        facts["reviewDecision"] = pull.reviewDecision
        return PullSnapshot(
            pull: pull, checks: pull.checks.state(at: moment.now), mergeable: mergeable, facts: facts)
    }

    /// A finished, green pull request of ada's, looked at twice so that GitHub knows whether it merges.
    private func settled(draft: Bool = false) throws -> String {
        let pull = try simulation.open(.init(author: "ada", draft: draft))
        try simulation.passChecks(of: pull.key)
        _ = try told(pull.key)
        gitHub.clock.advance(seconds: 600)
        return pull.key
    }

    private func change(of key: String, by order: (String) throws -> SimulatedPull) throws -> (
        before: PullSnapshot, after: PullSnapshot, facts: Set<String>
    ) {
        let before = try told(key)
        gitHub.clock.advance(seconds: 5)
        let pull = try order(key)
        let after = try told(key)
        let isUpdate = pull.updatedAt == simulation.world.now
        #expect(isUpdate || pull.updatedAt == before.pull.updatedAt)
        let names = Set(before.facts.keys).union(after.facts.keys)
        return (before, after, names.filter { before.facts[$0] != after.facts[$0] })
    }

    @Test func `a request of a person or a team is one request more`() throws {
        let key = try settled()
        let grace = try #require(SimulatedCast.person("grace"))
        let platform = try #require(SimulatedCast.team("lovelace-labs/platform"))
        var asked: [SimulatedReviewer] = []
        for (whom, reviewer) in [("grace", .person(grace)), (platform.combinedSlug, .team(platform))]
            as [(String, SimulatedReviewer)]
        {
            asked.append(reviewer)
            let change = try change(of: key) { try simulation.requestReview(of: whom, on: $0) }
            #expect(change.facts == ["updatedAt", "requests", "requestEvents"])
            #expect(change.after.pull.requests.map(\.reviewer) == asked)
        }
        let again = try change(of: key) { try simulation.requestReview(of: "grace", on: $0) }
        #expect(again.facts == ["updatedAt", "requestEvents"])
    }

    @Test func `a comment is a comment more, a thread an open conversation more`() throws {
        let key = try settled()
        let comment = try change(of: key) { try simulation.comment(on: $0, by: "alan", "Why not?") }
        #expect(comment.facts == ["updatedAt", "comments"])
        let last = try #require(comment.after.pull.comments.last)
        #expect(last.text == "Why not?" && last.author.login == "alan")
        for _ in 0..<2 {
            let thread = try change(of: key) { try simulation.thread(on: $0, by: "alan") }
            #expect(thread.facts == ["updatedAt", "threads"])
        }
        for left in [1, 0] {
            let resolved = try change(of: key) { try simulation.resolve(on: $0) }
            #expect(resolved.facts == ["threads"])
            #expect(resolved.after.pull.threads.filter { !$0.isResolved }.count == left)
        }
        #expect(try told(key).pull.commentCount == 3)
    }

    @Test func `a review decides, ends the requests of its author, and holds the head that it saw`() throws {
        let key = try settled()
        try simulation.requestReview(of: "grace", on: key)
        try simulation.requestReview(of: "lovelace-labs/platform", on: key)
        try simulation.requestReview(of: "lovelace-labs/security", on: key)
        let words = try change(of: key) { try simulation.review($0, by: "grace", .commented) }
        #expect(words.facts == ["updatedAt", "reviews", "requests"])
        #expect(words.after.pull.reviewDecision == "REVIEW_REQUIRED")
        let demand = try change(of: key) { try simulation.review($0, by: "shannon", .changesRequested) }
        #expect(demand.facts == ["updatedAt", "reviews", "reviewDecision", "requests"])
        #expect(demand.after.pull.reviewDecision == "CHANGES_REQUESTED")
        let security = try #require(SimulatedCast.team("lovelace-labs/security"))
        #expect(demand.after.pull.requests.map(\.reviewer) == [.team(security)])
        _ = try simulation.review(key, by: "edsger", .approved)
        #expect(try told(key).pull.reviewDecision == "CHANGES_REQUESTED")
        let approval = try change(of: key) { try simulation.review($0, by: "shannon", .approved) }
        #expect(approval.after.pull.reviewDecision == "APPROVED")
        _ = try simulation.review(key, by: "shannon", .commented)
        #expect(try told(key).pull.reviewDecision == "APPROVED")
        let review = try #require(approval.after.pull.reviews.last)
        #expect(review.oid == approval.after.pull.head.oid)
    }

    @Test func `a push is a new head, whose merging is unknown and whose checks begin`() throws {
        let key = try settled()
        #expect(try told(key).mergeable != "UNKNOWN")
        let push = try change(of: key) { try simulation.push(to: $0) }
        #expect(
            push.facts == [
                "updatedAt", "additions", "deletions", "changedFiles", "commits", "mergeable", "checks",
            ])
        let (before, after) = (push.before.pull, push.after.pull)
        #expect(push.after.mergeable == "UNKNOWN" && push.after.checks == "PENDING")
        #expect(after.head != before.head && after.additions - before.additions == 21)
        #expect(after.deletions - before.deletions == 8)
        #expect(try ["MERGEABLE", "CONFLICTING"].contains(told(key).mergeable))
        gitHub.clock.advance(seconds: 600)
        let ended = try told(key)
        #expect(["SUCCESS", "FAILURE"].contains(ended.checks))
        let checks = ended.pull.checks.checks
        #expect(
            checks.count > 1 && checks.allSatisfy { $0.status(at: simulation.world.now) == "COMPLETED" })
    }

    @Test func `checks fail and pass as ordered, a context stays a context, and a push begins anew`() throws {
        let repository = try #require(SimulatedRepository.named("lovelace-labs/bernoulli"))
        let key = try simulation.open(.init(repository: repository.fullName, author: "ada")).key
        _ = try told(key)
        gitHub.clock.advance(seconds: 600)
        let kinds = { (told: PullSnapshot) in told.pull.checks.checks.map(\.isContext) }
        let before = try kinds(told(key))
        #expect(before.last == true && before.count > 2)
        for (order, state) in [
            (simulation.failChecks, "FAILURE"), (simulation.passChecks, "SUCCESS"),
            (simulation.failChecks, "FAILURE"),
        ] as [((String) throws -> SimulatedPull, String)] {
            let change = try change(of: key, by: order)
            #expect(change.facts == ["checks"] || change.facts.isEmpty)
            #expect(change.after.checks == state)
            #expect(kinds(change.after) == before)
        }
        try simulation.push(to: key)
        #expect(try told(key).checks == "PENDING")
    }

    @Test func `ready, merged and closed are said once and end what there is to say`() throws {
        let key = try settled(draft: true)
        let ready = try change(of: key) { try simulation.makeReady($0) }
        #expect(ready.facts == ["updatedAt", "isDraft", "readyAt"] && !ready.after.pull.isDraft)
        let merge = try change(of: key) { try simulation.merge($0, by: "emmy") }
        #expect(merge.facts == ["updatedAt", "state", "endedAt", "mergedBy"])
        #expect(merge.after.pull.state == .merged && merge.after.pull.mergedBy?.login == "emmy")
        #expect(merge.after.pull.endedAt == merge.after.pull.updatedAt)
        #expect(throws: GitHubSimulation.UnknownName.self) { try simulation.comment(on: key) }
        let other = try settled()
        let close = try change(of: other) { try simulation.close($0) }
        #expect(close.facts == ["updatedAt", "state", "endedAt"] && close.after.pull.state == .closed)
        #expect(try gitHub.found("is:pr is:closed -is:merged").contains(other))
    }

    @Test func `an assignment, a queue, auto-merge and a conflict are said, the last until the next push`()
        throws
    {
        let key = try settled()
        let assignment = try change(of: key) { try simulation.assign("alan", to: $0) }
        #expect(assignment.facts == ["updatedAt", "assignments"])
        #expect(try gitHub.found("is:pr is:open assignee:alan").contains(key))
        #expect(try change(of: key) { try simulation.queue($0) }.facts == ["updatedAt", "isInMergeQueue"])
        let auto = try change(of: key) { try simulation.enableAutoMerge(of: $0) }
        #expect(auto.facts == ["updatedAt", "autoMergeAt"])
        for isConflict in [true, false, true] {
            _ = try simulation.setConflict(isConflict, of: key)
            #expect(try told(key).mergeable == (isConflict ? "CONFLICTING" : "MERGEABLE"))
        }
        let push = try change(of: key) { try simulation.push(to: $0) }
        #expect(push.facts.contains("orderedConflict"))
    }

    @Test func `a push dismisses an approval, which decides nothing any more`() throws {
        let key = try settled()
        _ = try simulation.review(key, by: "grace", .approved)
        #expect(try told(key).pull.reviewDecision == "APPROVED")
        let dismissal = try change(of: key) { try simulation.dismissApproval(of: "grace", on: $0) }
        #expect(dismissal.after.pull.reviewDecision == "REVIEW_REQUIRED")
        #expect(dismissal.after.pull.reviews.map(\.state) == [.dismissed])
        #expect(dismissal.after.pull.head != dismissal.before.pull.head)
        #expect(dismissal.after.pull.dismissals.map(\.author.login) == ["grace"])
    }

    @Test func `what is ordered for a pull request of the world stays while its own life goes on`() throws {
        let pull = try #require(simulation.world.moment().open.first { $0.author?.login == "ada" })
        let other = TestGitHub()
        try simulation.comment(on: pull.key, by: "alan", "Ordered.")
        for gitHub in [gitHub, other] { gitHub.clock.advance(seconds: 3_600) }
        let one = gitHub.facts(), two = other.facts()
        #expect(one.map(\.key) == two.map(\.key))
        let changed = zip(one, two).filter {
            $0.comments.count != $1.comments.count || $0.updated != $1.updated
        }
        #expect(changed.count == 1 && changed.first?.0.key == pull.key)
        #expect(changed.first?.0.comments.contains { $0.text == "Ordered." } == true)
        simulation.restore()
        #expect(gitHub.facts().map(\.updated) == two.map(\.updated))
    }
}
