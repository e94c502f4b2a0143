import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Folders of recordings with repositories, in unusual forms.
@Suite struct RecordedRepositoryTests {
    private static func item(_ id: Int, _ more: String = "") -> String {
        #"{"id":\#(id),"node_id":"N\#(id)","full_name":"o/r\#(id)","#
            + #""owner":{"login":"o","type":"User"}\#(more)}"#
    }

    private static func mapping(_ target: String, _ body: String, link: String = "") -> String {
        let headers = link.isEmpty ? "{}" : #"{"Link":"\#(link)"}"#
        return
            #"{"request":{"method":"GET","url":"\#(target)"},"response":{"status":200,"#
            + #""headers":\#(headers),"jsonBody":\#(body)}}"#
    }

    private func source(_ files: [String: String]) throws -> RecordedGitHub {
        let folder = try RecordingsFolder(files)
        return RecordedGitHub(directory: folder.path, clock: .fixed(TestMarket.moment))
    }

    private func ask(_ source: RecordedGitHub, _ target: String, accept: String = "application/json")
        -> SimulatedResponse
    {
        source.answer(GitHubRequest(target: target, accept: accept))
    }

    private func ids(_ answer: SimulatedResponse) throws -> [Int] {
        try answer.items.compactMap { $0.number("id").map { Int($0) } }
    }

    @Test func `recorded pages are replayed as they are, and other values of since return what follows`()
        throws
    {
        let source = try source([
            "a/mappings/1.json": Self.mapping(
                "/repositories", "[\(Self.item(1)),\(Self.item(5))]", link: "as recorded"),
            "a/mappings/2.json": Self.mapping("/repositories?since=5", "[\(Self.item(9))]"),
        ])
        for target in ["/repositories", "/repositories?since=0", "/repositories?per_page=100"] {
            #expect(try ids(ask(source, target)) == [1, 5])
            #expect(ask(source, target).header("Link") == "as recorded")
        }
        #expect(try ids(ask(source, "/repositories?since=5&per_page=100")) == [9])
        #expect(try ids(ask(source, "/repositories?since=2")) == [5, 9])
        let end = ask(source, "/repositories?since=9")
        #expect(try end.status == 200 && ids(end).isEmpty)
        #expect(end.header("Link") == "<http://github.test/api/v3/repositories{?since}>; rel=\"first\"")
    }

    @Test func `a detail is found wherever it was recorded, by name in any case and by number`() throws {
        let source = try source([
            "list.json": "[\(Self.item(1)),\(Self.item(2)),\(Self.item(3))]",
            "one.json": Self.item(1, #","stargazers_count":11"#),
            "search.json": #"{"total_count":900,"items":[\#(Self.item(2, #","stargazers_count":22"#))]}"#,
        ])
        #expect(try ask(source, "/repos/O/R1").object.number("stargazers_count") == 11)
        #expect(try ask(source, "/repositories/2").object.number("stargazers_count") == 22)
        #expect(try ask(source, "/repos/o/r3").object.text("full_name") == "o/r3")
        #expect(ask(source, "/repos/o/r4").status == 404 && ask(source, "/repositories/x").status == 404)
        let found = try ask(source, "/search/repositories?q=anything").object
        #expect(found.number("total_count") == 2 && found.objects("items").count == 2)
        #expect(ask(source, "/search/repositories").status == 422)
    }

    @Test func `without a recorded list all known repositories are listed by ascending number`() throws {
        let source = try source([
            "stars.json":
                #"[{"starred_at":"2020-01-01T00:00:00Z","repo":\#(Self.item(7))},"#
                + #"{"starred_at":"2019-01-01T00:00:00Z","repo":\#(Self.item(4))}]"#
        ])
        #expect(try ids(ask(source, "/repositories")) == [4, 7])
        let request = GitHubRequest(target: "/user/starred?per_page=1&page=2", token: "t")
        let star = try #require(try source.answer(request).items.first)
        #expect(star.text("starred_at") == "2019-01-01T00:00:00Z")
    }

    @Test func `long lists are divided into pages of a hundred, linked to the next`() throws {
        let items = (1...250).map { Self.item($0) }.joined(separator: ",")
        let source = try source(["list.json": "[\(items)]"])
        let first = ask(source, "/repositories")
        #expect(try ids(first).count == 100)
        #expect(first.header("Link")?.contains("repositories?since=100>; rel=\"next\"") == true)
        let last = ask(source, "/repositories?since=200")
        #expect(try ids(last).count == 50 && last.header("Link")?.contains("next") == false)
    }

    @Test func `nodes are made from REST's recordings, and null without one`() throws {
        let more =
            #","stargazers_count":5,"language":"Perl","license":{"spdx_id":"MIT","name":"M"},"topics":["a"],"#
            + #""open_issues_count":3,"default_branch":"main","parent":{"full_name":"p/q"}"#
        let source = try source(["one.json": Self.item(1, more), "list.json": "[\(Self.item(2))]"])
        let request = GitHubRequest.graphQL(RepositoryQuery.nodes, ["ids": ["N1", "N2"]], token: "t")
        let nodes = try source.answer(request).object.object("data")["nodes"] as? [Any] ?? []
        #expect(nodes.count == 2 && nodes.last is NSNull)
        let node = nodes.first as? [String: Any] ?? [:]
        #expect(node.number("databaseId") == 1 && node.number("stargazerCount") == 5)
        #expect(node.object("primaryLanguage").text("name") == "Perl")
        #expect(node.object("licenseInfo").text("spdxId") == "MIT")
        #expect(node.object("repositoryTopics").objects("nodes").count == 1)
        #expect(node.object("issues").number("totalCount") == 3)
        #expect(node.object("parent").text("nameWithOwner") == "p/q")
        #expect(node.object("owner").text("__typename") == "User" && node.isNull("homepageUrl"))
    }

    @Test func `a README recorded in JSON is returned as HTML text`() throws {
        let content = Data("# <b>A & B</b>".utf8).base64EncodedString()
        let body = #"{"path":"README.md","encoding":"base64","content":"\#(content)\n"}"#
        let source = try source(["r/mappings/1.json": Self.mapping("/repos/o/r/readme", body)])
        let html = ask(source, "/repos/o/r/readme", accept: "application/vnd.github.html")
        #expect(html.text.contains("<pre># &lt;b&gt;A &amp; B&lt;/b&gt;</pre></article></div>"))
        #expect(html.header("Content-Type")?.hasPrefix("application/vnd.github.html") == true)
        #expect(ask(source, "/repos/o/r/readme").text == body)
    }
}

@Suite(.enabled(if: SharedRecordings.mustRun, "no recordings next to the project (../shared/recordings)"))
struct SharedRepositoryTests {
    private static let recorded = RecordedGitHub(directory: "\(SharedRecordings.directory)/github")

    private func ask(_ target: String) -> SimulatedResponse {
        Self.recorded.answer(GitHubRequest(target: target))
    }

    @Test func `the two recorded pages follow each other by their links, byte for byte`() throws {
        let folder = "\(SharedRecordings.directory)/github/hub4j/repositories_list/__files"
        for (target, file) in [("/repositories", "2"), ("/repositories?since=369", "3")] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)-repositories.json"))
            #expect(Data(ask(target).body) == bytes)
        }
        #expect(
            ask("/repositories").header("Link")?.contains("repositories?since=369>; rel=\"next\"") == true)
        #expect(try ask("/repositories?since=876").items.isEmpty)
        #expect(try ask("/repositories?since=300").items.first?.number("id") ?? 0 > 300)
    }

    @Test func `details and searches of the recordings are found`() throws {
        #expect(try ask("/repositories/40763577").object.number("id") == 40_763_577)
        let search = ask("/search/repositories?sort=stars&q=tetris+language%3Aassembly")
        #expect(try search.object.number("total_count") == 1_677)
        #expect(try ask("/search/repositories?q=x").object.objects("items").count > 25)
        #expect(try ask("/repos/daniel-e/TETROS").object.number("stargazers_count") ?? 0 > 600)
        #expect(try ask("/repos/mojombo/grit").object.text("full_name") == "mojombo/grit")
    }
}
