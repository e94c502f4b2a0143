import Foundation
import RoostSimulator
import Testing

/// Pages of GraphQL: each item once, in both directions, and wrong ones refused.
@Suite struct GraphQLPagingTests {
    private let gitHub = TestGitHub()

    private func search(_ arguments: String, _ inner: String = "") throws -> [String: Any] {
        try gitHub.data(
            """
            { search(query: "is:pr is:open", type: ISSUE, \(arguments)) { issueCount
              pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
              edges { cursor } nodes { ... on PullRequest { id \(inner) } } } }
            """
        ).object("search")
    }

    @Test(arguments: [1, 7, 99, 100])
    func `forwards and backwards every item comes once, in the same order`(size: Int) throws {
        var forwards: [String] = [], backwards: [String] = []
        var after = "", before = ""
        for _ in 0..<(size == 1 ? 12 : 40) {
            let page = try search("first: \(size)\(after)")
            forwards += page.texts("id")
            #expect(page.object("pageInfo")["hasPreviousPage"] as? Bool == !after.isEmpty)
            #expect(page.number("issueCount") == 200)
            guard page.object("pageInfo")["hasNextPage"] as? Bool == true else { break }
            after = ", after: \"\(page.object("pageInfo").text("endCursor") ?? "")\""
        }
        for _ in 0..<40 where size > 1 {
            let page = try search("last: \(size)\(before)")
            backwards = page.texts("id") + backwards
            #expect(page.object("pageInfo")["hasNextPage"] as? Bool == !before.isEmpty)
            guard page.object("pageInfo")["hasPreviousPage"] as? Bool == true else { break }
            before = ", before: \"\(page.object("pageInfo").text("startCursor") ?? "")\""
        }
        #expect(forwards.count == (size == 1 ? 12 : 200) && Set(forwards).count == forwards.count)
        #expect(size == 1 || backwards == forwards)
    }

    @Test func `cursors of the edges are those of the page, and an empty page has none`() throws {
        let page = try search("first: 5")
        let cursors = page.objects("edges").compactMap { $0.text("cursor") }
        #expect(cursors.count == 5 && Set(cursors).count == 5)
        #expect(page.object("pageInfo").text("startCursor") == cursors.first)
        #expect(page.object("pageInfo").text("endCursor") == cursors.last)
        let between = try search("first: 9, after: \"\(cursors[0])\", before: \"\(cursors[4])\"")
        #expect(between.texts("id") == Array(page.texts("id")[1...3]))
        let none = try search("first: 0").object("pageInfo")
        #expect(none.isNull("startCursor") && none.isNull("endCursor"))
        #expect(none["hasNextPage"] as? Bool == true)
        let end = try search("last: 1").object("pageInfo").text("endCursor") ?? ""
        let past = try search("first: 5, after: \"\(end)\"")
        #expect(past.texts("id").isEmpty && past.object("pageInfo")["hasNextPage"] as? Bool == false)
    }

    @Test(arguments: [
        ("first: 101", "EXCESSIVE_PAGINATION", "exceeds the `first` limit of 100 records"),
        ("last: 1000", "EXCESSIVE_PAGINATION", "exceeds the `last` limit of 100 records"),
        ("after: \"Y3Vyc29yOjE=\"", "MISSING_PAGINATION_BOUNDARIES", "must provide a `first` or `last`"),
        (
            "first: 1, after: \"nonsense\"", "INVALID_CURSOR_ARGUMENTS",
            "`nonsense` does not appear to be a valid cursor"
        ),
        ("first: 1, before: \"\"", "INVALID_CURSOR_ARGUMENTS", "valid cursor"),
        ("first: 1, after: \"Y3Vyc29yOi01\"", "INVALID_CURSOR_ARGUMENTS", "valid cursor"),
    ])
    func `a page that cannot be cut is null beside its error`(
        arguments: String, type: String, words: String
    ) throws {
        let query = "{ viewer { login } search(query: \"is:pr\", type: ISSUE, \(arguments)) { issueCount } }"
        let answer = try gitHub.graphQL(query).object
        let error = try #require(answer.objects("errors").first)
        #expect(error.text("type") == type && error.text("message")?.contains(words) == true, "\(error)")
        #expect(error["path"] as? [String] == ["search"])
        #expect(answer.object("data").isNull("search"))
        #expect(answer.object("data").object("viewer").text("login") == "ada")
    }

    @Test func `connections inside are cut by themselves and count all that there is`() throws {
        let pull = try gitHub.simulation.open()
        for number in 1...5 { try gitHub.simulation.comment(on: pull.key, "number \(number)") }
        let query = """
            { repository(owner: "lovelace-labs", name: "analytical-engine") {
              pullRequest(number: \(pull.number)) {
                first: comments(first: 2) { totalCount nodes { body } pageInfo { hasNextPage endCursor } }
                last: comments(last: 2) { totalCount nodes { body } pageInfo { hasPreviousPage } }
                none: reviews(first: 5) { totalCount nodes { id } } } } }
            """
        let found = try gitHub.data(query).object("repository").object("pullRequest")
        #expect(found.object("first").texts("body") == ["number 1", "number 2"])
        #expect(found.object("last").texts("body") == ["number 4", "number 5"])
        #expect(
            found.object("first").number("totalCount") == 5 && found.object("last").number("totalCount") == 5)
        #expect(found.object("first").object("pageInfo")["hasNextPage"] as? Bool == true)
        #expect(found.object("none").number("totalCount") == 0 && found.object("none").texts("id").isEmpty)
    }

    @Test func `fragments of other types answer nothing, and merged fields answer once`() throws {
        let query = """
            { search(query: "is:pr is:open author:@me", type: ISSUE, first: 1) { nodes {
              __typename ... on Issue { __typename } ... { __typename } ... on Node { id }
              ... on PullRequest { author { login } } ... on PullRequest { author { __typename } } } } }
            """
        let refused = try gitHub.graphQL(query).object
        let node = try #require(refused.object("data").object("search").objects("nodes").first, "\\(refused)")
        #expect(node.keys.sorted() == ["__typename", "author", "id"])
        #expect(node.object("author").keys.sorted() == ["__typename", "login"])
    }
}
