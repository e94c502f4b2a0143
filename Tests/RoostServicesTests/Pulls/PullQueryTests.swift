import Foundation
import RoostServices
import Testing

/// Roost's queries against GitHub's own schema: every field, argument, fragment and variable.
@Suite struct PullQueryTests {
    @Test(.recordedPulls) func `every query asks only for what the schema has`() throws {
        let schema = try GraphQLSchema(RecordedPulls.read("gh-dash/api.github.com.graphql-schema.json"))
        for query in PullQuery.all {
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
        ])
    func `the check finds what is wrong`(query: String, fault: String) throws {
        let schema = try GraphQLSchema(RecordedPulls.read("gh-dash/api.github.com.graphql-schema.json"))
        let faults = try GraphQLCheck.faults(of: query, in: schema)
        #expect(fault.isEmpty ? faults.isEmpty : faults.contains { $0.contains(fault) }, "\(faults)")
    }

    @Test func `words that people wrote are no part of a query`() {
        let section = OwnSection(id: 3, name: "Mine", query: "\") { x } evil", order: 0)
        let question = PullSearchQuery(section)
        let query = PullQuery.inbox([.init(alias: question.search.alias)])
        #expect(!query.contains("evil") && question.words == "is:pr \") { x } evil")
    }

    @Test(arguments: [
        ("label:bug", "is:pr label:bug"), ("is:pr label:bug", "is:pr label:bug"),
        ("label:bug TYPE:pr", "label:bug TYPE:pr"), ("is:private", "is:pr is:private"),
        ("this:pr", "is:pr this:pr"),
    ])
    func `an own query asks for pull requests only`(query: String, words: String) {
        #expect(PullSearchQuery(OwnSection(id: 1, name: "x", query: query, order: 0)).words == words)
    }

    @Test func `a query asks for less where it must`() {
        let lean = PullQuery.inbox([.init(alias: "asked")], .init(pageSize: 10, hasTeams: false))
        #expect(
            lean.contains("first: 10") && !lean.contains("combinedSlug") && !lean.contains("fragment Threads")
        )
        let full = PullQuery.inbox([.init(alias: "yours", includesThreads: true, isContinued: true)])
        #expect(
            full.contains("after: $a0") && full.contains("combinedSlug") && full.contains("fragment Threads"))
    }

    @Test(arguments: [(nil, 50), (0, 10), (7, 10), (8, 20), (17, 20), (30, 35), (33, 50), (400, 50)])
    func `a short list asks for a short page, which costs fewer points`(expected: Int?, first: Int) {
        let query = PullQuery.inbox([.init(alias: "asked", expected: expected)])
        #expect(query.contains("type: ISSUE, first: \(first))"))
        let lean = PullQuery.inbox([.init(alias: "asked", expected: expected)], .init(pageSize: 5))
        #expect(lean.contains("type: ISSUE, first: 5)"))
        let further = PullQuery.inbox([.init(alias: "asked", isContinued: true, expected: expected)])
        #expect(further.contains("first: 50, after: $a0"))
    }

    @Test func `every reviewer that there can be is asked for, since a team may be the last of them`() {
        #expect(PullQuery.inbox([.init(alias: "asked")]).contains("reviewRequests(first: 100)"))
    }

    /// GitHub counts a query's points from the lists in it: 5,000 an hour must do for a refresh a minute.
    @Test func `a refresh a minute of all sections leaves room within the hour's points`() {
        let searches = PullSearch.standard.map {
            PullQuery.Search(alias: $0.alias, includesThreads: $0.includesThreads)
        }
        let query = PullQuery.inbox(searches)
        let lists = query.matches(of: #/\w+\((?:itemTypes: \[[\w, ]+\], )?(?:first|last): \d+\)/#).count
        // Each list of the facts is asked once a pull request; of three searches also the threads, and the comments of
        // fifteen of them.
        let threads = 50 * (1 + 15) * 3
        let points = ((lists - 2) * 50 * searches.count + threads) / 100
        #expect(lists == 12 && (10...60).contains(points), "\(points) points, \(lists) lists")
    }
}
