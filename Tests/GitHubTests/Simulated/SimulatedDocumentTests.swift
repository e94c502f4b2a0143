import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Checks that the simulated GitHub knows Roost's documents and answers exactly what they request.
@Suite struct SimulatedDocumentTests {
    private let gitHub = GitHubSimulation(seed: 7)

    private func ask(_ document: String, _ variables: [String: Any]) throws -> [String: Any] {
        let name = try #require(document.prefixMatch(of: #/query (\w+)/#)).1
        let body: [String: Any] = [
            "operationName": String(name), "query": document, "variables": variables,
        ]
        let answer = gitHub.answer(
            GitHubRequest(
                method: "POST", target: "/graphql", token: GitHubTokens.classic(of: "ada"),
                contentType: "application/json",
                body: Array(try JSONSerialization.data(withJSONObject: body))))
        return try #require(
            try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// A search for every open pull request, with the end of its first page.
    private let words = Dictionary(uniqueKeysWithValues: (0..<9).map { ("q\($0)", "is:pr is:open") })
    private let cursors = Dictionary(uniqueKeysWithValues: (0..<9).map { ("a\($0)", "Y3Vyc29yOjE=") })

    @Test func `every document is known, and its answer has exactly the requested fields`() throws {
        let open = gitHub.world.moment().open
        let ids = open.prefix(50).map(\.nodeID)
        let pull = try #require(open.first { !$0.requests.isEmpty && !$0.threads.isEmpty })
        let names: [String: Any] = [
            "owner": pull.repository.owner, "name": pull.repository.name, "number": pull.number,
        ]
        for document in PullQuery.all {
            let lists = ["ids", "discussed", "others", "running", "open"].map { ($0, ids as Any) }
            let variables = Dictionary(uniqueKeysWithValues: lists)
                .merging(words.merging(cursors) { $1 }) { $1 }.merging(names) { $1 }
            let answer = try ask(document, variables)
            #expect(answer["errors"] == nil)
            let data = try #require(answer["data"], "\(answer)")
            #expect(GraphQLSelection(document).faults(in: data) == [])
        }
    }

    @Test func `every repository has exactly the requested fields`() throws {
        let ids = gitHub.repositories.moment().all.filter { !$0.isUnavailable }.prefix(50).map(\.nodeID)
        let answer = try ask(RepositoryQuery.nodes, ["ids": ids])
        let data = try #require(answer["data"] as? [String: Any], "\(answer)")
        #expect(answer["errors"] == nil && (data["nodes"] as? [Any])?.count == 50)
        #expect(GraphQLSelection(RepositoryQuery.nodes).faults(in: data) == [])
    }

    @Test(arguments: [
        (#"{"a":1}"#, ["data.b"]), (#"{"a":1,"b":{"c":2},"d":3}"#, ["data.d"]),
        (#"{"a":1,"b":[{"c":2},{}]}"#, ["data.b.c"]), (#"{"a":1,"b":2}"#, ["data.b is no object"]),
        (#"{"a":null,"b":null}"#, []), (#"{"a":1,"b":[{"c":2}]}"#, []),
    ])
    func `the comparison finds missing and extra fields`(data: String, faults: [String]) throws {
        let value = try JSONSerialization.jsonObject(with: Data(data.utf8))
        let selection = GraphQLSelection("query Q { a b: x(y: 1) { ...F } } fragment F on B { c }")
        #expect(selection.faults(in: value) == faults)
    }
}
