import Foundation
import Testing

@testable import GitHub

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
        let lean = PullQuery.Extent(pageSize: 20, hasTeams: false, hasMergeState: false)
        #expect(PullQuery.inbox([.init(alias: "asked")], lean).contains("type: ISSUE, first: 20)"))
        #expect(!PullQuery.inbox([.init(alias: "asked")], lean).contains("isInMergeQueue"))
        #expect(!PullQuery.details(lean).contains("combinedSlug"))
        #expect(!PullQuery.details(lean).contains("isInMergeQueue"))
        #expect(PullQuery.details().contains("combinedSlug"))
        #expect(PullQuery.inbox([.init(alias: "yours", isContinued: true)]).contains("after: $a0"))
    }

    @Test func `every reviewer that there can be is asked for, since a team may be the last of them`() {
        #expect(PullQuery.details().contains("reviewRequests(first: 100)"))
    }

    /// GitHub counts a query's points from the lists in it, each as often as it may be asked for.
    @Test func `what is asked with every refresh has no list within a list`() {
        let query = PullQuery.inbox(PullSearch.standard.map { .init(alias: $0.alias) })
        let lists = query.matches(of: #/\w+\([^)]*(?:first|last): \d+/#)
        #expect(lists.count == PullSearch.standard.count)
    }
}
