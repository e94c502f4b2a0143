import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

@Suite struct RESTRepositoryParserTests {
    private typealias Fixture = RepositoryFixture

    private static func list(_ items: String...) throws -> RESTRepositoryParser.List {
        try RESTRepositoryParser.list(Data("[\(items.joined(separator: ","))]".utf8), now: TestClock.start)
    }

    @Test func `a list’s item has the fields of lists and no figures`() throws {
        let list = try Self.list(Fixture.item(5, "ada/engine", fork: true, type: "Organization"))
        let found = try #require(list.found.first)
        #expect(found.repository.id == 5)
        #expect(found.repository.fullName == "ada/engine")
        #expect(found.repository.owner.type == .organization)
        #expect(found.repository.owner.avatarURL == "https://x.example/5.png")
        #expect(found.repository.fork)
        #expect(!found.repository.isPrivate)
        #expect(found.detail == nil)
    }

    @Test(arguments: ["", #""node_id":null,"#, #""node_id":"","#, #""node_id":" ","#, #""node_id":7,"#])
    func `a repository without a node id is read`(nodeId: String) throws {
        let list = try Self.list(Fixture.item(5).replacing(#""node_id":"R_5","#, with: nodeId))
        let repository = try #require(list.found.first?.repository)
        #expect(repository.id == 5)
        #expect(repository.nodeId == nil)
    }

    @Test func `a detail has every figure`() throws {
        let found = try Fixture.read(
            Fixture.detail(5, fork: true, more: #""parent":{"full_name":"grace/origin","private":true}"#))
        let detail = try #require(found.detail)
        #expect(detail.stars == 7 && detail.forks == 3 && detail.openIssues == 2)
        #expect(detail.language == "Swift" && detail.licence == "MIT" && detail.topics == ["birds"])
        #expect(detail.defaultBranch == "trunk" && detail.parent == "grace/origin")
        #expect(detail.pushedAt == ISO8601.parse("2026-11-01T10:00:00Z"))
        #expect(detail.homepage == "https://roost.example")
        #expect(!found.repository.isPrivate)
    }

    @Test func `an empty repository's last push is its creation`() throws {
        let found = try Fixture.read(Fixture.detail(5, more: #""pushed_at":null"#))
        #expect(found.detail?.pushedAt == ISO8601.parse("2020-01-01T10:00:00Z"))
    }

    @Test(arguments: [
        (#"{"spdx_id":"MIT","name":"MIT License"}"#, "MIT"),
        (#"{"spdx_id":"NOASSERTION","name":"Other"}"#, "Other"),
        (#"{"spdx_id":null,"name":"Perch"}"#, "Perch"),
        ("null", nil), (#""MIT""#, nil),
    ])
    func `a licence has its short name if there is one`(json: String, licence: String?) throws {
        let plain = Fixture.detail(5).replacing(
            #""license":{"spdx_id":"MIT","name":"MIT License"}"#, with: #""license":\#(json)"#)
        #expect(try Fixture.read(plain).detail?.licence == licence)
    }

    @Test(arguments: [
        (#""private":false"#, false), (#""private":false,"visibility":"public""#, false),
        (#""private":false,"visibility":null"#, false), (#""private":true"#, true),
        (#""private":false,"visibility":"internal""#, true), (#""private":false,"visibility":7"#, true),
        (#""visibility":"public""#, true), (#""private":null"#, true), (#""private":"false""#, true),
        (#""private":true,"visibility":"public""#, true),
    ])
    func `a repository is private unless the answer clearly says that it is public`(
        json: String, isPrivate: Bool
    ) throws {
        let text = Fixture.item(5).replacing(#""private":false"#, with: json)
        let list = try Self.list(text)
        #expect(list.found.first?.repository.isPrivate == isPrivate)
    }

    @Test func `malformed items are skipped and counted, and the others are kept`() throws {
        let list = try Self.list(
            Fixture.item(1), "null", "7", "{}", Fixture.item(0), Fixture.item(2, type: "Bot"),
            Fixture.item(3).replacing("https://github.com", with: "javascript:alert"),
            Fixture.item(4).replacing(#""full_name":"owner4/repo4""#, with: #""full_name":"../../x""#),
            Fixture.item(5).replacing(#""owner":{"#, with: #""owner":null,"x":{"#), Fixture.item(6))
        #expect(list.found.map(\.repository.id) == [1, 6])
        #expect(list.refused == 8)
        #expect(list.why != nil)
    }

    @Test(arguments: [
        "", "{}", "null", "<html>", "[{]", #"{"message":"x"}"#, String(repeating: "[", count: 100_000),
    ])
    func `an answer that is not a list is an error`(body: String) {
        #expect(throws: (any Error).self) {
            try RESTRepositoryParser.list(Data(body.utf8), now: TestClock.start)
        }
        #expect(throws: (any Error).self) {
            try RESTRepositoryParser.search(Data(body.utf8), now: TestClock.start)
        }
    }

    @Test func `a huge list of tiny items does not grow in memory`() throws {
        let body = "[" + String(repeating: "{},", count: 200_000) + "{}]"
        let list = try RESTRepositoryParser.list(Data(body.utf8), now: TestClock.start)
        #expect(list.found.isEmpty && list.refused == 1_000)
    }

    @Test func `a search has its total and whether it is complete`() throws {
        let body = Fixture.search([Fixture.detail(1), "7"], total: 70_000, isIncomplete: true)
        let list = try RESTRepositoryParser.search(Data(body.utf8), now: TestClock.start)
        #expect(list.total == 70_000 && list.isIncomplete && list.refused == 1)
        #expect(list.found.first?.detail?.stars == 7)
    }

    @Test func `stars have their time, and a star without one is skipped`() throws {
        let stars = """
            [{"starred_at":"2026-01-02T03:04:05Z","repo":\(Fixture.detail(1))},{"repo":\(Fixture.detail(2))},
            {"starred_at":"2027-01-02T03:04:05Z","repo":\(Fixture.detail(3))}]
            """
        let list = try RESTRepositoryParser.stars(Data(stars.utf8), now: TestClock.start)
        #expect(list.found.map(\.repository.id) == [1, 3])
        #expect(list.starredAt == [ISO8601.parse("2026-01-02T03:04:05Z"), TestClock.start])
        #expect(list.refused == 1)
    }

    @Test(arguments: [
        (#""starred_at":"2026-01-02T03:04:05Z","#, "", "The date of the star is missing."),
        (#""full_name":"a/b""#, #""full_name":"a b""#, "Its name is missing or invalid."),
        (#""id":5,"#, "", "Its number is missing or invalid."),
        ("https://github.com", "javascript:alert", "Its address is missing or is not a web page."),
        (#""type":"User""#, #""type":"Bot""#, "Its owner is neither a user nor an organisation."),
        (#""login":"a","#, "", "Its owner is missing or invalid."),
        (#""fork":false"#, #""fork":7"#, "It does not say whether it is a fork."),
    ])
    func `a refused star is reported with its name and reason`(said: String, instead: String, why: String)
        throws
    {
        let star = #"{"starred_at":"2026-01-02T03:04:05Z","repo":\#(Fixture.detail(5, "a/b"))}"#
        let body = "[\(star.replacing(said, with: instead))]"
        let list = try RESTRepositoryParser.stars(Data(body.utf8), now: TestClock.start)
        #expect(list.found.isEmpty)
        let name = instead.contains("a b") ? "a b" : "a/b"
        #expect(list.refusals.first == [.init(name: name, why: why)])
    }

    @Test func `a star without a name is counted, and the first ten of many are named`() throws {
        let nameless = String(repeating: #"{"repo":null},"#, count: 11)
        let list = try RESTRepositoryParser.stars(Data("[\(nameless)7]".utf8), now: TestClock.start)
        #expect(list.refusals.count == 12)
        #expect(list.refusals.first.count == 10)
        #expect(list.refusals.first[0] == .init(name: nil, why: "This is not a repository."))
    }

    @Test func `fields missing from an answer keep their known values`() throws {
        let whole = try Fixture.read(Fixture.detail(1, fork: true, more: #""parent":{"full_name":"a/b"}"#))
        let old = whole.item(after: nil, at: TestClock.start)
        let plain = Fixture.detail(1, stars: 9, fork: true).replacing(#""topics":["birds"],"#, with: "")
        let list = try RESTRepositoryParser.search(Data(Fixture.search([plain]).utf8), now: TestClock.start)
        let new = try #require(list.found.first).item(after: old, at: TestClock.start + 5)
        #expect(new.detail?.stars == 9)
        #expect(new.detail?.parent == "a/b" && new.detail?.topics == ["birds"])
        #expect(new.fetchedAt == TestClock.start + 5)
        let source = try Fixture.read(Fixture.detail(1, fork: true)).item(after: old, at: TestClock.start)
        #expect(source.detail?.parent == nil)
    }
}
