import Foundation
import Testing

@testable import RoostSimulator

/// Each order has its own effect and no other.
@Suite struct GitHubEventTests {
    private let gitHub = TestGitHub()
    private var simulation: GitHubSimulation { gitHub.simulation }

    /// A pull request's state, and whether GitHub reports it as mergeable.
    private struct PullSnapshot {
        let pull: SimulatedPull
        let checks: String?
        let mergeable: String?
        /// Each fact as text, by its name.
        let facts: [String: String]
    }

    private func snapshot(_ key: String) throws -> PullSnapshot {
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

    /// A pull request of ada's with passed checks, read twice so that its mergeability is known.
    private func settled(draft: Bool = false) throws -> String {
        let pull = try simulation.open(.init(author: "ada", draft: draft))
        try simulation.passChecks(of: pull.key)
        _ = try snapshot(pull.key)
        gitHub.clock.advance(seconds: 600)
        return pull.key
    }

    private func change(of key: String, by command: (String) throws -> SimulatedPull) throws -> (
        before: PullSnapshot, after: PullSnapshot, facts: Set<String>
    ) {
        let before = try snapshot(key)
        gitHub.clock.advance(seconds: 5)
        let pull = try command(key)
        let after = try snapshot(key)
        let isUpdate = pull.updatedAt == simulation.world.now
        #expect(isUpdate || pull.updatedAt == before.pull.updatedAt)
        let names = Set(before.facts.keys).union(after.facts.keys)
        return (before, after, names.filter { before.facts[$0] != after.facts[$0] })
    }

    @Test func `a request of a person or a team adds one request`() throws {
        let key = try settled()
        let grace = try #require(SimulatedCast.person("grace"))
        let platform = try #require(SimulatedCast.team("lovelace-labs/platform"))
        var reviewers: [SimulatedReviewer] = []
        for (name, reviewer) in [("grace", .person(grace)), (platform.combinedSlug, .team(platform))]
            as [(String, SimulatedReviewer)]
        {
            reviewers.append(reviewer)
            let change = try change(of: key) { try simulation.requestReview(of: name, on: $0) }
            #expect(change.facts == ["updatedAt", "requests", "requestEvents"])
            #expect(change.after.pull.requests.map(\.reviewer) == reviewers)
        }
        let again = try change(of: key) { try simulation.requestReview(of: "grace", on: $0) }
        #expect(again.facts == ["updatedAt", "requestEvents"])
    }

    @Test func `a comment adds a comment, and a thread an open conversation`() throws {
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
        #expect(try snapshot(key).pull.commentCount == 3)
    }

    @Test func `a review decides, ends its author's requests, and stores the reviewed head`() throws {
        let key = try settled()
        try simulation.requestReview(of: "grace", on: key)
        try simulation.requestReview(of: "lovelace-labs/platform", on: key)
        try simulation.requestReview(of: "lovelace-labs/security", on: key)
        let comment = try change(of: key) { try simulation.review($0, by: "grace", .commented) }
        #expect(comment.facts == ["updatedAt", "reviews", "requests"])
        #expect(comment.after.pull.reviewDecision == "REVIEW_REQUIRED")
        let demand = try change(of: key) { try simulation.review($0, by: "shannon", .changesRequested) }
        #expect(demand.facts == ["updatedAt", "reviews", "reviewDecision", "requests"])
        #expect(demand.after.pull.reviewDecision == "CHANGES_REQUESTED")
        let security = try #require(SimulatedCast.team("lovelace-labs/security"))
        #expect(demand.after.pull.requests.map(\.reviewer) == [.team(security)])
        _ = try simulation.review(key, by: "edsger", .approved)
        #expect(try snapshot(key).pull.reviewDecision == "CHANGES_REQUESTED")
        let approval = try change(of: key) { try simulation.review($0, by: "shannon", .approved) }
        #expect(approval.after.pull.reviewDecision == "APPROVED")
        _ = try simulation.review(key, by: "shannon", .commented)
        #expect(try snapshot(key).pull.reviewDecision == "APPROVED")
        let review = try #require(approval.after.pull.reviews.last)
        #expect(review.oid == approval.after.pull.head.oid)
    }

    @Test func `a push is a new head, with unknown mergeability and new checks`() throws {
        let key = try settled()
        #expect(try snapshot(key).mergeable != "UNKNOWN")
        let push = try change(of: key) { try simulation.push(to: $0) }
        #expect(
            push.facts == [
                "updatedAt", "additions", "deletions", "changedFiles", "commits", "mergeable", "checks",
            ])
        let (before, after) = (push.before.pull, push.after.pull)
        #expect(push.after.mergeable == "UNKNOWN" && push.after.checks == "PENDING")
        #expect(after.head != before.head && after.additions - before.additions == 21)
        #expect(after.deletions - before.deletions == 8)
        #expect(try ["MERGEABLE", "CONFLICTING"].contains(snapshot(key).mergeable))
        gitHub.clock.advance(seconds: 600)
        let ended = try snapshot(key)
        #expect(["SUCCESS", "FAILURE"].contains(ended.checks))
        let checks = ended.pull.checks.checks
        #expect(
            checks.count > 1 && checks.allSatisfy { $0.status(at: simulation.world.now) == "COMPLETED" })
    }

    @Test func `checks fail and pass as ordered, a context stays a context, and a push restarts them`() throws
    {
        let repository = try #require(SimulatedRepository.named("lovelace-labs/bernoulli"))
        let key = try simulation.open(.init(repository: repository.fullName, author: "ada")).key
        _ = try snapshot(key)
        gitHub.clock.advance(seconds: 600)
        let kinds = { (snapshot: PullSnapshot) in snapshot.pull.checks.checks.map(\.isContext) }
        let before = try kinds(snapshot(key))
        #expect(before.last == true && before.count > 2)
        for (command, state) in [
            (simulation.failChecks, "FAILURE"), (simulation.passChecks, "SUCCESS"),
            (simulation.failChecks, "FAILURE"),
        ] as [((String) throws -> SimulatedPull, String)] {
            let change = try change(of: key, by: command)
            #expect(change.facts == ["checks"] || change.facts.isEmpty)
            #expect(change.after.checks == state)
            #expect(kinds(change.after) == before)
        }
        try simulation.push(to: key)
        #expect(try snapshot(key).checks == "PENDING")
    }

    @Test func `ready, merged and closed are reported once, and merging or closing ends the pull request`()
        throws
    {
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

    @Test
    func `an assignment, a queue, auto-merge and a conflict are reported, the conflict until the next push`()
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
            #expect(try snapshot(key).mergeable == (isConflict ? "CONFLICTING" : "MERGEABLE"))
        }
        let push = try change(of: key) { try simulation.push(to: $0) }
        #expect(push.facts.contains("conflictOverride"))
    }

    @Test func `a push dismisses an approval, which then no longer counts`() throws {
        let key = try settled()
        _ = try simulation.review(key, by: "grace", .approved)
        #expect(try snapshot(key).pull.reviewDecision == "APPROVED")
        let dismissal = try change(of: key) { try simulation.dismissApproval(of: "grace", on: $0) }
        #expect(dismissal.after.pull.reviewDecision == "REVIEW_REQUIRED")
        #expect(dismissal.after.pull.reviews.map(\.state) == [.dismissed])
        #expect(dismissal.after.pull.head != dismissal.before.pull.head)
        #expect(dismissal.after.pull.dismissals.map(\.author.login) == ["grace"])
    }

    @Test func `an order for a simulated pull request stays while it continues to change`() throws {
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
