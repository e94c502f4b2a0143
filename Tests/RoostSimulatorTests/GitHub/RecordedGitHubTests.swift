import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// Folders of recordings in unusual forms.
@Suite struct RecordedGitHubTests {
    private static func item(_ number: Int, isPull: Bool = true) -> String {
        let pull = isPull ? #","pull_request":{"url":"u"}"# : ""
        return
            #"{"html_url":"https://github.com/a/b/pull/\#(number)","title":"T\#(number)","size":1.50\#(pull)}"#
    }

    private static func mapping(_ target: String, _ status: Int, _ rest: String, headers: String = "{}")
        -> String
    {
        #"{"request":{"method":"GET","url":"\#(target)"},"response":{"status":\#(status),"headers":\#(headers),\#(rest)}}"#
    }

    private static let user = #"{"login":"octo","name":"O","avatar_url":"https://a/1"}"#

    private func source(_ files: [String: String]) throws -> RecordedGitHub {
        let folder = try RecordingsFolder(files)
        return RecordedGitHub(directory: folder.path, clock: .fixed(TestMarket.moment))
    }

    private func ask(
        _ source: RecordedGitHub, _ target: String, token: String? = "ghp_any", etag: String? = nil
    )
        -> SimulatedResponse
    {
        source.answer(GitHubRequest(target: target, token: token, ifNoneMatch: etag))
    }

    private func data(
        _ source: RecordedGitHub, _ document: String, _ variables: [String: Any]
    ) throws -> [String: Any] {
        try source.answer(.graphQL(document, variables, token: "t")).object.object("data")
    }

    @Test func `any search finds every recorded pull request once, as recorded`() throws {
        let source = try source([
            "one/mappings/2.json": Self.mapping("/search/issues?q=a", 200, #""bodyFileName":"2.json""#),
            "one/__files/2.json": #"{"total_count":2,"items":[\#(Self.item(1)),\#(Self.item(2))]}"#,
            "two/search.json":
                #"{"total_count":3,"items":[\#(Self.item(2)),\#(Self.item(3)),\#(Self.item(9, isPull: false))]}"#,
            "broken.json": "{\"request\":", "notes.json": "[]",
        ])
        let answer = try ask(source, "/search/issues?q=is%3Apr+review-requested%3A%40me&per_page=100").object
        #expect(answer.objects("items").compactMap { $0.text("title") } == ["T1", "T2", "T3"])
        #expect(answer.number("total_count") == 3)
        let page = ask(source, "/search/issues?q=x&per_page=2&page=2")
        #expect(page.text.contains("T3") && page.text.contains("1.50") && !page.text.contains("T2"))
        #expect(ask(source, "/search/issues?q=x&per_page=2").header("Link")?.contains("page=2") == true)
        #expect(try ask(source, "/search/issues?q=a").object.objects("items").count == 2)
    }

    @Test func `user, teams and literal recordings are replayed, with current limits`() throws {
        let headers =
            #"{"ETag":"W/\"e\"","X-RateLimit-Remaining":"7","X-RateLimit-Reset":"1","Date":"old","Vary":["a","b"]}"#
        let source = try source([
            "r/mappings/1.json": Self.mapping("/user", 200, #""jsonBody":\#(Self.user)"#, headers: headers),
            "r/mappings/2.json": Self.mapping("/repos/a/b", 200, #""body":"first""#),
            "r/mappings/3.json": Self.mapping("/repos/a/b", 200, #""body":"second""#),
            "other/user.json": #"{"login":"second","avatar_url":"x"}"#,
            "teams.json": #"[{"slug":"t","organization":{"login":"o"}}]"#,
        ])
        let user = ask(source, "/user", token: "ghp_octo")
        #expect(user.text == Self.user && user.header("X-RateLimit-Remaining") == "7")
        #expect(
            user.headers.filter { $0.name == "X-RateLimit-Reset" }.map(\.value) == [
                String(TestMarket.moment / 1000 + 3_600)
            ])
        #expect(user.header("Date") == nil)
        #expect(ask(source, "/user", token: "ghp_octo", etag: "\"e\"").status == 304)
        #expect(ask(source, "/user", token: "for-second").text.contains("second"))
        #expect(ask(source, "/user", token: nil).status == 401)
        #expect(ask(source, "/user/teams?per_page=100").text.contains(#""slug":"t""#))
        #expect(
            ["1", "2", "3"].map { _ in ask(source, "/repos/a/b").text } == ["first", "second", "second"])
        #expect(ask(source, "/nowhere").status == 404)
    }

    @Test func `without a recorded user a placeholder answers, by REST and GraphQL`() throws {
        let search = #"{"total_count":1,"items":[\#(Self.item(1))]}"#
        let node = #"{"data":{"search":{"nodes":[{"url":"https://github.com/a/b/pull/2","title":"two"}]}}}"#
        for files in [["search.json": search], ["one/nodes.json": node]] {
            let source = try source(files)
            let user = ask(source, "/user")
            let login = try #require(user.object.text("login"))
            #expect(user.status == 200 && !login.isEmpty && user.header("X-OAuth-Scopes") != nil)
            #expect(ask(source, "/user", token: nil).status == 401)
            #expect(ask(source, "/user/teams").text == "[]")
        }
        let inbox = PullQuery.inbox([.init(alias: "a")])
        let viewer = try data(source(["nodes.json": node]), inbox, ["q0": "x"]).object("viewer")
        #expect(viewer.text("login") == "reader")
        let recorded = try source(["search.json": search, "user.json": Self.user])
        #expect(ask(recorded, "/user").text == Self.user)
    }

    @Test func `recorded errors are used only when switched on`() throws {
        let source = try source([
            "fine/user.json": Self.user,
            "err_429/mappings/1.json": Self.mapping(
                "/x", 429, #""body":"slow down""#,
                headers: #"{"Retry-After":"3","X-RateLimit-Reset":"{{now}}"}"#),
        ])
        #expect(source.errorNames == ["err_429"])
        #expect(ask(source, "/user").status == 200)
        #expect(source.replay(error: "err_429", path: "/user", count: 1))
        let error = ask(source, "/user")
        #expect(error.status == 429 && error.header("Retry-After") == "3" && error.text == "slow down")
        #expect(ask(source, "/user").status == 200)
        #expect(!source.replay(error: "err_500"))
        _ = source.replay(error: "err_429")
        source.clear()
        #expect(ask(source, "/user").status == 200)
    }

    @Test func `recorded nodes and edges answer every search of a request, under its own name`() throws {
        let har = """
            {"log":{"entries":[{"request":{"method":"POST","url":"https://api.github.com/graphql"},"response":
            {"status":200,"headers":[],"content":{"text":"{\\"data\\":{\\"search\\":{\\"edges\\":[{\\"node\\":
            {\\"id\\":\\"A\\",\\"url\\":\\"https://github.com/a/b/pull/1\\",\\"title\\":\\"one\\"}}]}}}"}}}]}}
            """
        let loose =
            #"{"data":{"search":{"nodes":[{"url":"https://github.com/a/b/pull/2","title":"two"},{"url":"https://github.com/a/b/issues/3"}]}}}"#
        let source = try source([
            "x.har": har.replacing("\n", with: ""), "graphql.json": loose, "user.json": Self.user,
        ])
        let document = PullQuery.inbox([.init(alias: "a"), .init(alias: "b", isContinued: true)])
        let answer = try data(source, document, ["q0": "x", "q1": "y", "a1": "cursor"])
        #expect(answer.object("viewer").text("login") == "octo" && answer.isNull("rateLimit"))
        let nodes = answer.object("a").objects("nodes")
        #expect(Set(nodes.compactMap { $0.text("title") }) == ["one", "two"])
        #expect(nodes.allSatisfy { $0.text("__typename") == "PullRequest" && $0.isNull("isDraft") })
        #expect(answer.object("b").number("issueCount") == 2 && answer.object("b").texts("title").isEmpty)
        #expect(answer.object("a").object("pageInfo")["hasNextPage"] as? Bool == false)
        let mergeable = try data(source, PullQuery.mergeable, ["ids": ["A", "Z"]])["nodes"] as? [Any]
        #expect(mergeable?.count == 2 && mergeable?.last is NSNull)
        let lists = try data(source, PullQuery.details(), ["discussed": ["A"], "others": ["Z"]])
        #expect(lists.objects("discussed").map { $0.text("title") } == ["one"])
        #expect((lists["others"] as? [Any])?.first is NSNull)
    }

    @Test func `a folder without GraphQL has none, and one without GitHub or CoinGecko still runs`()
        async throws
    {
        let gitHub = try RecordingsFolder([
            "user.json": Self.user, "search.json": #"{"total_count":1,"items":[\#(Self.item(1))]}"#,
        ])
        let request = GitHubRequest(method: "POST", target: "/graphql", token: "t")
        #expect(RecordedGitHub(directory: gitHub.path).answer(request).status == 404)
        let configuration = SimulatorConfiguration(recordings: try Recordings(directory: gitHub.path))
        try await RunningSimulator.run(configuration) { running in
            let user = await running.gitHub.get(
                "/api/v3/user", headers: ["User-Agent: R", "Authorization: Bearer x"])
            #expect(user.text.contains("octo"))
            #expect(await running.client.get("/coins/list").status == 404)
            #expect(await running.control.get("/_simulator/github").text.contains(#""errors":[]"#))
            #expect(await running.post("/_simulator/github", #"{"error":"x"}"#).status == 400)
        }
        let unrecognized = try RecordingsFolder(["a.json": "{}"])
        #expect(throws: RecordingsError.noUpstream(unrecognized.path)) {
            try Simulator(SimulatorConfiguration(recordings: Recordings(directory: unrecognized.path)))
        }
    }
}

/// GitHub's recorded answers, if they are next to the project.
@Suite(.enabled(if: SharedRecordings.mustRun, "no recordings next to the project (../shared/recordings)"))
struct FallbackGitHubClientTests {
    private static let recorded = RecordedGitHub(directory: "\(SharedRecordings.directory)/github")

    private func ask(_ target: String, token: String = "ghp_x") -> SimulatedResponse {
        Self.recorded.answer(GitHubRequest(target: target, token: token))
    }

    @Test func `every recorded pull request is found`() throws {
        var found: Set<String> = []
        for page in 1...10 {
            let answer = try ask("/search/issues?q=is:pr&per_page=100&page=\(page)").object
            found.formUnion(answer.objects("items").compactMap { $0.text("html_url") })
        }
        #expect(found.count > 100 && found.contains("https://github.com/hub4j/github-api/pull/2193"))
    }

    @Test func `GraphQL finds the pull requests of both collections`() throws {
        let document = PullQuery.inbox([.init(alias: "a")])
        let answer = Self.recorded.answer(.graphQL(document, ["q0": "is:pr"], token: "t"))
        let urls = try answer.object.object("data").object("a").texts("url")
        #expect(urls.contains("https://github.com/pvcnt/mergeable/pull/13"))
        #expect(urls.contains { $0.contains("dlvhdr/gh-dash") })
    }

    @Test(arguments: ["gh-dash", "hub4j/search_pr_open_label", "mergeable"])
    func `a folder alone has a user to sign in as`(folder: String) throws {
        let recorded = RecordedGitHub(directory: "\(SharedRecordings.directory)/github/\(folder)")
        let user = recorded.answer(GitHubRequest(target: "/user", token: "ghp_x"))
        #expect(try user.status == 200 && user.object.text("login") != nil)
    }

    @Test func `user, teams and errors are the recorded ones`() throws {
        #expect(try ask("/user", token: "pvcnt").object.text("name") == "Vincent Primault")
        #expect(try ask("/user/teams").items.first?.text("slug") == "developers")
        let names = Self.recorded.errorNames
        #expect(
            Set(names).isSuperset(of: [
                "err_403_secondary", "err_429_retry_after", "err_503", "err_403_rate_limited",
            ]))
    }
}
