import Foundation
import Testing

@testable import GitHub

/// Checks Roost's queries against GitHub's own schema: every field, argument, fragment and variable.
@Suite struct PullQueryTests {
    /// Read once: it has megabytes.
    private static let schema = Result {
        try GraphQLSchema(RecordedPulls.read("gh-dash/api.github.com.graphql-schema.json"))
    }

    @Test(.recordedPulls) func `every query requests only what the schema has`() throws {
        let schema = try Self.schema.get()
        for query in PullQuery.all + PullMutation.all {
            #expect(try GraphQLCheck.faults(of: query, in: schema) == [], "\(query)")
        }
    }

    @Test(
        .recordedPulls,
        arguments: [
            ("query Q { viewer { login shoeSize } }", "User.shoeSize"),
            ("query Q { viewer { login(size: 3) } }", "User.login(size)"),
            ("query Q { viewer }", "Query.viewer has no selection"),
            ("query Q { viewer { login { x } } }", "User.login has a selection"),
            ("query Q { viewer { ...Gone } }", "fragment Gone"),
            ("query Q { search(query: \"x\", first: 1) { issueCount } }", "Query.search lacks type"),
            ("query Q { search(query: $q, type: ISSUE) { issueCount } }", "$q is not declared"),
            ("query Q($q: String!) { viewer { login } }", "$q is not used"),
            ("query Q { search(query: \"x\", type: NONSENSE) { issueCount } }", "NONSENSE"),
            ("query Q { search(query: \"x\", type: ISSUE) { nodes { ... on User { login } } } }", ""),
            ("query Q { viewer { ... on Gone { login } } }", "type Gone"),
            ("query Q($ids: [ID!]!) { nodes(ids: $ids) { id } }", ""),
            ("query Q($ids: [Gone!]!) { nodes(ids: $ids) { id } }", "type Gone"),
            ("query Q($ids: [ID!]!) { viewer { login } }", "$ids is not used"),
            ("mutation M { resolveReviewThread(input: {threadId: \"x\"}) { thread { id } } }", ""),
            (
                "mutation M { resolveReviewThread(input: {}) { thread { id } } }",
                "ResolveReviewThreadInput lacks threadId"
            ),
            (
                "mutation M { resolveReviewThread(input: {threadId: \"x\", size: 3}) { thread { id } } }",
                "ResolveReviewThreadInput.size is not there"
            ),
            ("mutation M { tidyUp(input: {}) { thread { id } } }", "Mutation.tidyUp is not there"),
        ])
    func `the check finds mistakes`(query: String, fault: String) throws {
        let schema = try Self.schema.get()
        let faults = try GraphQLCheck.faults(of: query, in: schema)
        #expect(fault.isEmpty ? faults.isEmpty : faults.contains { $0.contains(fault) }, "\(faults)")
    }

    @Test func `text from users is passed as variables, not in the query`() {
        let section = OwnSection(id: 3, name: "Mine", query: "\") { x } evil", order: 0)
        let question = PullSearchQuery(section)
        let query = PullQuery.inbox([.init(alias: question.search.alias)])
        #expect(!query.contains("evil") && question.query == "is:pr \") { x } evil")
    }

    @Test(arguments: [
        ("label:bug", "is:pr label:bug"), ("is:pr label:bug", "is:pr label:bug"),
        ("label:bug TYPE:pr", "label:bug TYPE:pr"), ("is:private", "is:pr is:private"),
        ("this:pr", "is:pr this:pr"),
    ])
    func `an own query finds pull requests only`(query: String, expected: String) {
        #expect(PullSearchQuery(OwnSection(id: 1, name: "x", query: query, order: 0)).query == expected)
    }

    @Test func `a query can request less`() {
        let lean = PullQuery.Options(pageSize: 20, hasTeams: false, hasMergeState: false)
        #expect(PullQuery.inbox([.init(alias: "asked")], lean).contains("type: ISSUE, first: 20)"))
        #expect(!PullQuery.inbox([.init(alias: "asked")], lean).contains("isInMergeQueue"))
        #expect(!PullQuery.details(lean).contains("combinedSlug"))
        #expect(!PullQuery.details(lean).contains("isInMergeQueue"))
        #expect(PullQuery.details().contains("combinedSlug"))
        #expect(PullQuery.inbox([.init(alias: "yours", isContinued: true)]).contains("after: $a0"))
    }

    @Test func `all possible reviewers are requested, because a team may be the last of them`() {
        #expect(PullQuery.details().contains("reviewRequests(first: 100)"))
    }

    /// GitHub counts a query's points from the lists in it, each as often as it may be requested.
    @Test func `the query of every refresh has no nested lists`() {
        let query = PullQuery.inbox(PullSearch.standard.map { .init(alias: $0.alias) })
        let lists = query.matches(of: #/\w+\([^)]*(?:first|last): \d+/#)
        #expect(lists.count == PullSearch.standard.count)
    }

    /// Each list once, and the comments of each thread, divided by 100 and rounded.
    @Test func `a pull request's page costs one point`() {
        let query = PullQuery.page()
        let lists = query.matches(of: #/(\w+)\([^)]*(?:first|last): \d+\)/#).map { String($0.1) }
        #expect(lists.count == 10 && lists.filter { $0 == "comments" }.count == 1)
        #expect(query.contains("reviewThreads(last: 100)"))
        let requests = 9 + 100
        #expect((requests + 50) / 100 == 1)
    }
}
