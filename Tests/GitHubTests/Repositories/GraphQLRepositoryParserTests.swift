import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

@Suite struct GraphQLRepositoryParserTests {
    private typealias Fixture = RepositoryFixture

    private static func read(_ text: String) throws -> GraphQLRepositoryParser {
        try GraphQLRepositoryParser(Data(text.utf8), now: TestClock.start)
    }

    @Test func `a node has the same facts as REST`() throws {
        let node = try Self.read(Fixture.nodes([Fixture.node(5)])).found.first
        let rest = try Fixture.read(Fixture.detail(5))
        #expect(node?.detail == rest.detail)
        #expect(node?.repository.fullName == rest.repository.fullName)
        #expect(node?.repository.htmlURL == rest.repository.htmlURL)
        #expect(node?.hasParentField == true && node?.hasTopicsField == true)
    }

    @Test func `open issues count issues and pull requests together`() throws {
        let text = Fixture.node(5).replacing(
            #""issues":{"totalCount":1}"#, with: #""issues":{"totalCount":41}"#)
        #expect(try Self.read(Fixture.nodes([text])).found.first?.detail?.openIssues == 42)
    }

    @Test(arguments: [
        (#""primaryLanguage":{"name":"Swift"}"#, #""primaryLanguage":null"#),
        (#""licenseInfo":{"spdxId":"MIT","name":"MIT License"}"#, #""licenseInfo":null"#),
        (#""defaultBranchRef":{"name":"trunk"}"#, #""defaultBranchRef":null"#),
        (#""pushedAt":"2026-11-01T10:00:00Z""#, #""pushedAt":null"#),
        (#""homepageUrl":"https://roost.example""#, #""homepageUrl":"""#),
        (
            #""repositoryTopics":{"nodes":[{"topic":{"name":"birds"}}]}"#,
            #""repositoryTopics":{"nodes":[null]}"#
        ),
    ])
    func `optional fields may be absent`(part: String, absent: String) throws {
        let text = Fixture.node(5)
        #expect(text.contains(part))
        let nodes = try Self.read(Fixture.nodes([text.replacing(part, with: absent)]))
        #expect(nodes.found.count == 1 && nodes.refused == 0)
    }

    @Test(arguments: [
        (#""isPrivate":false"#, #""isPrivate":null"#), (#""isPrivate":false"#, #""isPrivate":true"#),
        (#""visibility":"PUBLIC""#, #""visibility":"INTERNAL""#),
    ])
    func `a node is private unless it clearly says that it is public`(part: String, other: String) throws {
        let nodes = try Self.read(Fixture.nodes([Fixture.node(5).replacing(part, with: other)]))
        #expect(nodes.found.first?.repository.isPrivate == true)
    }

    @Test func `null, empty and malformed nodes are skipped`() throws {
        let nodes = try Self.read(
            Fixture.nodes(
                ["null", "{}", "7", #"{"databaseId":5}"#, Fixture.node(6)], errors: "Could not resolve"))
        #expect(nodes.found.map(\.repository.id) == [6])
        #expect(nodes.hasNodes && nodes.problem == "Could not resolve" && !nodes.isUnsupported)
    }

    @Test func `an older schema and a missing scope are unsupported, and an outage is not`() throws {
        let unknown = #"{"errors":[{"message":"Field 'visibility' doesn't exist on type 'Repository'"}]}"#
        #expect(try Self.read(unknown).isUnsupported)
        #expect(try Self.read(#"{"errors":[{"type":"INSUFFICIENT_SCOPES","message":"x"}]}"#).isUnsupported)
        let outage = try Self.read(#"{"data":null,"errors":[{"message":"Something went wrong"}]}"#)
        #expect(!outage.isUnsupported && !outage.hasNodes)
    }

    @Test(arguments: ["", "<html>", "{", #"{"data":"#, String(repeating: "[", count: 99_999)])
    func `invalid JSON is an error`(text: String) {
        #expect(throws: JSONReader.Malformed.self) { try Self.read(text) }
    }

    @Test(arguments: [
        ("R_kgDOABCDEF", true), ("MDEwOlJlcG9zaXRvcnkx", true), ("MDEwOlJlcG9zaXRvcnk2ODkxMTY4Mw==", true),
        ("a+b/c-d", true), ("", false), ("R_\"}", false), ("R 1", false), ("R_é", false),
        (String(repeating: "x", count: 101), false),
    ])
    func `a node id has letters, digits and five punctuation characters`(id: String, isOne: Bool) {
        #expect(RepositoryQuery.isNodeId(id) == isOne)
    }
}
