import Foundation
import Testing

@testable import RoostSimulator

/// Compares every qualifier of the search syntax with the simulated world.
@Suite struct GitHubQualifierTests {
    typealias Case = (query: String, holds: @Sendable (PullSummary) -> Bool)

    static let states: [Case] = [
        ("is:open", { $0.state == "OPEN" }), ("state:closed", { $0.state != "OPEN" }),
        ("is:merged", { $0.state == "MERGED" }), ("is:unmerged", { $0.state != "MERGED" }),
        ("is:draft", { $0.isDraft }), ("draft:true", { $0.isDraft }), ("draft:false", { !$0.isDraft }),
        ("is:private", { $0.isPrivate }), ("is:public", { !$0.isPrivate }),
        ("status:success", { $0.checks == "SUCCESS" }), ("status:failure", { $0.checks == "FAILURE" }),
        ("review:required", { $0.decision == "REVIEW_REQUIRED" }),
        ("review:approved", { $0.decision == "APPROVED" }),
        ("review:changes_requested", { $0.decision == "CHANGES_REQUESTED" }),
        ("review:none", { $0.reviewers.isEmpty }),
        ("no:label", { $0.labels.isEmpty }), ("no:assignee", { $0.assignees.isEmpty }),
        ("label:bug", { $0.labels.contains("bug") }),
        ("label:\"good first issue\"", { $0.labels.contains("good first issue") }),
        ("label:BUG,dependencies", { !Set($0.labels).isDisjoint(with: ["bug", "dependencies"]) }),
        ("repo:lovelace-labs/loom", { $0.key.hasPrefix("lovelace-labs/loom#") }),
        ("org:Open-Almanac", { $0.owner == "open-almanac" }), ("user:grace", { $0.owner == "grace" }),
        ("comments:>6", { $0.commentCount > 6 }), ("comments:3..5", { (3...5).contains($0.commentCount) }),
        ("comments:<=2", { $0.commentCount <= 2 }),
    ]

    static let people: [Case] = [
        ("author:@me", { $0.author == "ada" }), ("author:Grace", { $0.author == "grace" }),
        ("author:app/dependabot", { $0.author == "dependabot" }),
        ("assignee:@me", { $0.assignees.contains("ada") }),
        ("review-requested:@me", { $0.requestsReview(of: "ada") }),
        ("review-requested:alan", { $0.requestsReview(of: "alan") }),
        ("user-review-requested:@me", { $0.requested.contains("ada") }),
        (
            "team-review-requested:kestrel-systems/backend",
            { $0.requested.contains("kestrel-systems/backend") }
        ),
        ("reviewed-by:@me", { $0.reviewers.contains("ada") }),
        ("reviewed-by:emmy", { $0.reviewers.contains("emmy") }),
        ("commenter:@me", { $0.comments.contains { $0.author == "ada" } }),
        ("mentions:@me", { $0.mentions("ada") }),
        (
            "involves:@me",
            { pull in
                pull.author == "ada" || pull.assignees.contains("ada") || pull.mentions("ada")
                    || pull.comments.contains { $0.author == "ada" }
            }
        ),
    ]

    static let moments: [Case] = [
        ("created:<2026-02-10", { $0.created < "2026-02-10" }),
        ("created:<=2026-02-10", { $0.created < "2026-02-11" }),
        ("created:>2026-02-10", { $0.created >= "2026-02-11" }),
        ("created:2026-02-15", { $0.created.hasPrefix("2026-02-15") }),
        ("created:2026-02-12..2026-02-14", { $0.created >= "2026-02-12" && $0.created < "2026-02-15" }),
        ("created:2026-02-14..*", { $0.created >= "2026-02-14" }),
        ("updated:>=2026-02-17T12:00:00Z", { $0.updated >= "2026-02-17T12:00:00Z" }),
        ("updated:<2026-02-17T14:00:00+02:00", { $0.updated < "2026-02-17T12:00:00Z" }),
        ("merged:>=2026-02-16", { $0.merged ?? "" >= "2026-02-16" }),
        ("closed:<2026-02-16", { $0.closed ?? "9" < "2026-02-16" }),
    ]

    @Test(arguments: [states, people, moments])
    func `a qualifier finds its matches, and its negation the rest`(cases: [Case]) throws {
        let gitHub = TestGitHub()
        let facts = gitHub.facts()
        #expect(facts.count == 400)
        for (query, holds) in cases {
            let expected = facts.filter(holds).map(\.key), rest = facts.filter { !holds($0) }.map(\.key)
            #expect(!expected.isEmpty && !rest.isEmpty, "\(query) proves nothing")
            let found = try gitHub.found("is:pr \(query)"), excluded = try gitHub.found("is:pr -\(query)")
            #expect(Set(found) == Set(expected) && found.count == expected.count, "\(query)")
            #expect(Set(excluded) == Set(rest) && excluded.count == rest.count, "-\(query)")
        }
    }

    @Test func `every time of a pull request finds that pull request and not its neighbours`() throws {
        let gitHub = TestGitHub()
        let pull = try #require(gitHub.facts().first { $0.state == "OPEN" })
        let repository = "is:pr repo:\(pull.key.split(separator: "#")[0])"
        #expect(try gitHub.found("\(repository) created:\(pull.created)").contains(pull.key))
        #expect(try gitHub.found("\(repository) created:>=\(pull.created)").contains(pull.key))
        #expect(try gitHub.found("\(repository) created:<=\(pull.created)").contains(pull.key))
        #expect(try !gitHub.found("\(repository) created:>\(pull.created)").contains(pull.key))
        #expect(try !gitHub.found("\(repository) created:<\(pull.created)").contains(pull.key))
        #expect(try gitHub.found("is:pr sha:\(pull.head)") == [pull.key])
    }

    @Test func `words are searched for in title, text and comments, or where the query says`() throws {
        let gitHub = TestGitHub()
        let facts = gitHub.facts()
        let word = "arm64"
        let bodies = facts.filter { $0.body.contains(word) }.map(\.key)
        let comments = facts.filter { $0.comments.contains { $0.text.contains(word) } }.map(\.key)
        #expect(!bodies.isEmpty && !Set(comments).isSubset(of: bodies))
        #expect(try Set(gitHub.found("is:pr \(word)")) == Set(bodies + comments))
        #expect(try Set(gitHub.found("is:pr ARM64 in:body")) == Set(bodies))
        #expect(try Set(gitHub.found("is:pr in:comments \(word)")) == Set(comments))
        let titles = facts.filter { $0.title.contains("the tile cache") }.map(\.key)
        #expect(try Set(gitHub.found("is:pr \"the tile cache\" in:title")) == Set(titles))
        #expect(try gitHub.found("is:pr \"cache tile the\" in:title").isEmpty && !titles.isEmpty)
        let fixes = facts.filter { $0.title.hasPrefix("Fix ") && !$0.title.contains("parser") }.map(\.key)
        let without = { (word: String) in try Set(gitHub.found("is:pr \"fix \" \(word) in:title")) }
        #expect(try without("-parser").isSuperset(of: fixes) && without("-parser") == without("NOT parser"))
        #expect(try without("-parser") != without("parser"))
    }

    @Test func `quotes keep a qualifier together or make it a word`() throws {
        let gitHub = TestGitHub()
        #expect(try gitHub.found("is:pr \"is:open\"").isEmpty)
        #expect(try gitHub.found("is:pr label:\"needs: review\"").isEmpty == false)
        #expect(
            try gitHub.found("is:pr label:needs: review") != gitHub.found("is:pr label:\"needs: review\""))
        #expect(try gitHub.found("is:pr unknown-qualifier:1").isEmpty)
        #expect(
            try gitHub.found("is:pr label:bug label:documentation").allSatisfy(
                Set(gitHub.found("is:pr label:bug")).contains))
    }

    @Test(arguments: [
        "created:yesterday", "updated:>=2026-13-01", "created:2026-02-30", "merged:2026-02-01..soon",
        "closed:<2026-02-01T25:00:00Z", "author:no-such-person", "repo:lovelace-labs/no-such", "org:no-such",
        "review-requested:no-such", "%20", "",
    ])
    func `an invalid date and an unknown name are refused with 422`(query: String) throws {
        let answer = TestGitHub().ask("/search/issues?q=\(query)")
        #expect(answer.status == 422 && answer.header("ETag") == nil)
        #expect(try answer.object.text("message") == "Validation Failed")
        let error = try #require(try answer.object.objects("errors").first)
        #expect(error.text("resource") == "Search" && error.text("field") == "q")
        if query.contains("yesterday") {
            #expect(error.text("message")?.hasPrefix("\"yesterday\" is not a recognized date") == true)
        }
    }

    @Test func `@me is refused without a user`() {
        let answer = TestGitHub().ask("/search/issues?q=author:@me", as: nil)
        #expect(answer.status == 422 && answer.header("X-RateLimit-Limit") == "10")
    }
}
