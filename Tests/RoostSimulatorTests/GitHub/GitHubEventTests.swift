import Foundation
import RoostSimulator
import Testing

/// Each order changes what it says, and nothing else.
@Suite struct GitHubEventTests {
    private let gitHub = TestGitHub()
    private var simulation: GitHubSimulation { gitHub.simulation }

    private static let fields = """
        id title body isDraft state mergeable headRefOid additions deletions changedFiles reviewDecision
        totalCommentsCount createdAt updatedAt closedAt mergedAt mergedBy { login }
        labels(first: 20) { nodes { name } } commits(first: 50) { totalCount }
        comments(last: 1) { totalCount nodes { body author { login } } }
        reviews(last: 1) { totalCount nodes { state author { login } commit { oid } } }
        reviewRequests(first: 20) { nodes { asCodeOwner
          requestedReviewer { ... on User { login } ... on Team { combinedSlug } } } }
        timelineItems(itemTypes: [REVIEW_REQUESTED_EVENT], first: 50) { totalCount }
        reviewThreads(first: 50) { nodes { isResolved comments(first: 50) { totalCount } } }
        statusCheckRollup { state
          contexts(first: 50) { nodes { __typename ... on CheckRun { name status conclusion } } } }
        """

    /// What is told of one pull request, and whether it merges.
    private func told(_ key: String) throws -> [String: Any] {
        let pull = try #require(simulation.world.moment().pull(key: key))
        return try gitHub.data("{ node(id: \"PR_sim\(pull.id)\") { ... on PullRequest { \(Self.fields) } } }")
            .object("node")
    }

    /// The names of the fields in which the two differ.
    private func difference(_ one: [String: Any], _ other: [String: Any]) -> Set<String> {
        Set(
            one.keys.filter { key in
                let texts = [one, other].map {
                    try? JSONSerialization.data(withJSONObject: [$0[key]], options: .sortedKeys)
                }
                return texts[0] != texts[1]
            })
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
        before: [String: Any], after: [String: Any], fields: Set<String>
    ) {
        let before = try told(key)
        gitHub.clock.advance(seconds: 5)
        let pull = try order(key)
        let after = try told(key)
        #expect(pull.updatedAt == simulation.world.now)
        return (before, after, difference(before, after))
    }

    @Test func `a request of a person or a team is one request more`() throws {
        let key = try settled()
        for (index, whom) in ["grace", "lovelace-labs/platform"].enumerated() {
            let change = try change(of: key) { try simulation.requestReview(of: whom, on: $0) }
            #expect(change.fields == ["updatedAt", "reviewRequests", "timelineItems"])
            let requests = change.after.object("reviewRequests").objects("nodes")
            #expect(requests.count == index + 1)
            let reviewer = requests.last?.object("requestedReviewer") ?? [:]
            #expect((reviewer.text("login") ?? reviewer.text("combinedSlug")) == whom)
        }
        let again = try change(of: key) { try simulation.requestReview(of: "grace", on: $0) }
        #expect(again.fields == ["updatedAt", "timelineItems"])
    }

    @Test func `a comment is a comment more, a thread an open conversation more`() throws {
        let key = try settled()
        let comment = try change(of: key) { try simulation.comment(on: $0, by: "alan", "Why not?") }
        #expect(comment.fields == ["updatedAt", "comments", "totalCommentsCount"])
        let last = try #require(comment.after.object("comments").objects("nodes").last)
        #expect(last.text("body") == "Why not?" && last.object("author").text("login") == "alan")
        for _ in 0..<2 {
            let thread = try change(of: key) { try simulation.thread(on: $0, by: "alan") }
            #expect(thread.fields == ["updatedAt", "reviewThreads", "totalCommentsCount"])
        }
        for left in [1, 0] {
            let resolved = try change(of: key) { try simulation.resolve(on: $0) }
            #expect(resolved.fields == ["updatedAt", "reviewThreads"])
            let threads = resolved.after.object("reviewThreads").objects("nodes")
            #expect(threads.filter { $0["isResolved"] as? Bool == false }.count == left)
        }
        #expect(try told(key).number("totalCommentsCount") == 3)
    }

    @Test func `a review decides, ends the requests of its author, and holds the head that it saw`() throws {
        let key = try settled()
        try simulation.requestReview(of: "grace", on: key)
        try simulation.requestReview(of: "lovelace-labs/platform", on: key)
        try simulation.requestReview(of: "lovelace-labs/security", on: key)
        let words = try change(of: key) { try simulation.review($0, by: "grace", .commented) }
        #expect(words.fields == ["updatedAt", "reviews", "reviewRequests"])
        #expect(words.after.text("reviewDecision") == "REVIEW_REQUIRED")
        let demand = try change(of: key) { try simulation.review($0, by: "shannon", .changesRequested) }
        #expect(demand.fields == ["updatedAt", "reviews", "reviewDecision", "reviewRequests"])
        #expect(demand.after.text("reviewDecision") == "CHANGES_REQUESTED")
        let left = demand.after.object("reviewRequests").objects("nodes").compactMap {
            $0.object("requestedReviewer").text("combinedSlug")
        }
        #expect(left == ["lovelace-labs/security"])
        _ = try simulation.review(key, by: "edsger", .approved)
        #expect(try told(key).text("reviewDecision") == "CHANGES_REQUESTED")
        let approval = try change(of: key) { try simulation.review($0, by: "shannon", .approved) }
        #expect(approval.after.text("reviewDecision") == "APPROVED")
        _ = try simulation.review(key, by: "shannon", .commented)
        #expect(try told(key).text("reviewDecision") == "APPROVED")
        let review = try #require(approval.after.object("reviews").objects("nodes").last)
        #expect(review.object("commit").text("oid") == approval.after.text("headRefOid"))
    }

    @Test func `a push is a new head, whose merging is unknown and whose checks begin`() throws {
        let key = try settled()
        #expect(try told(key).text("mergeable") != "UNKNOWN")
        let push = try change(of: key) { try simulation.push(to: $0) }
        #expect(
            push.fields.isSuperset(of: [
                "updatedAt", "headRefOid", "additions", "deletions", "changedFiles", "commits", "mergeable",
                "statusCheckRollup",
            ]))
        #expect(push.fields.count == 8 && push.after.text("mergeable") == "UNKNOWN")
        #expect(push.after.object("statusCheckRollup").text("state") == "PENDING")
        #expect((push.after.number("additions") ?? 0) - (push.before.number("additions") ?? 0) == 21)
        #expect((push.after.number("deletions") ?? 0) - (push.before.number("deletions") ?? 0) == 8)
        #expect(try ["MERGEABLE", "CONFLICTING"].contains(told(key).text("mergeable")))
        gitHub.clock.advance(seconds: 600)
        let ended = try told(key).object("statusCheckRollup")
        #expect(["SUCCESS", "FAILURE"].contains(ended.text("state")))
        let checks = ended.object("contexts").objects("nodes")
        #expect(checks.count > 1 && checks.allSatisfy { $0.text("status") == "COMPLETED" })
    }

    @Test func `checks fail and pass as ordered, a context stays a context, and a push begins anew`() throws {
        let repository = try #require(SimulatedRepository.named("lovelace-labs/bernoulli"))
        let key = try simulation.open(.init(repository: repository.fullName, author: "ada")).key
        _ = try told(key)
        gitHub.clock.advance(seconds: 600)
        let kinds = { (pull: [String: Any]) in
            pull.object("statusCheckRollup").object("contexts").texts("__typename")
        }
        let before = try kinds(told(key))
        #expect(before.last == "StatusContext" && before.count > 2)
        for (order, state) in [
            (simulation.failChecks, "FAILURE"), (simulation.passChecks, "SUCCESS"),
            (simulation.failChecks, "FAILURE"),
        ] as [((String) throws -> SimulatedPull, String)] {
            let change = try change(of: key, by: order)
            #expect(change.fields.isSubset(of: ["updatedAt", "statusCheckRollup"]))
            #expect(change.after.object("statusCheckRollup").text("state") == state)
            #expect(kinds(change.after) == before)
        }
        try simulation.push(to: key)
        #expect(try told(key).object("statusCheckRollup").text("state") == "PENDING")
    }

    @Test func `ready, merged and closed are said once and end what there is to say`() throws {
        let key = try settled(draft: true)
        let ready = try change(of: key) { try simulation.makeReady($0) }
        #expect(ready.fields == ["updatedAt", "isDraft"] && ready.after["isDraft"] as? Bool == false)
        let merge = try change(of: key) { try simulation.merge($0, by: "emmy") }
        #expect(merge.fields == ["updatedAt", "state", "closedAt", "mergedAt", "mergedBy"])
        #expect(
            merge.after.text("state") == "MERGED" && merge.after.object("mergedBy").text("login") == "emmy")
        #expect(merge.after.text("mergedAt") == merge.after.text("updatedAt"))
        #expect(throws: GitHubSimulation.UnknownName.self) { try simulation.comment(on: key) }
        let other = try settled()
        let close = try change(of: other) { try simulation.close($0) }
        #expect(close.fields == ["updatedAt", "state", "closedAt"] && close.after.isNull("mergedAt"))
        #expect(try gitHub.found("is:pr is:closed -is:merged").contains(other))
    }

    @Test func `what is ordered for a pull request of the world stays while its own life goes on`() throws {
        let pull = try #require(simulation.world.moment().open.first { $0.author?.login == "ada" })
        let other = TestGitHub()
        try simulation.comment(on: pull.key, by: "alan", "Ordered.")
        for gitHub in [gitHub, other] { gitHub.clock.advance(seconds: 3_600) }
        let one = try gitHub.facts(), two = try other.facts()
        #expect(one.map(\.key) == two.map(\.key))
        let changed = zip(one, two).filter {
            $0.comments.count != $1.comments.count || $0.updated != $1.updated
        }
        #expect(changed.count == 1 && changed.first?.0.key == pull.key)
        #expect(changed.first?.0.comments.contains { $0.text == "Ordered." } == true)
        simulation.restore()
        #expect(try gitHub.facts().map(\.updated) == two.map(\.updated))
    }
}
