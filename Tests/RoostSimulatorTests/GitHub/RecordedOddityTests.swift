import Foundation
import Testing

@testable import RoostSimulator

/// Folders with little or nothing from GitHub.
@Suite struct RecordedOddityTests {
    private func source(_ files: [String: String]) throws -> (RecordedGitHub, RecordingsFolder) {
        let folder = try RecordingsFolder(files)
        return (RecordedGitHub(directory: folder.path, clock: .fixed(TestMarket.moment)), folder)
    }

    private func ask(_ source: RecordedGitHub, _ target: String) -> SimulatedResponse {
        source.answer(GitHubRequest(target: target, token: "ghp_any"))
    }

    private static let unusual: [String: String] = [
        "empty.json": "", "blank.json": "  \n", "null.json": "null", "number.json": "12",
        "text.json": "\"x\"",
        "list.json": "[1,[2],{}]", "cut.json": #"{"items":[{"html_url":"https://github.com/a/b/pull/1""#,
        "deep.json": String(repeating: "[", count: 100_000),
        "har.har": #"{"log":{"entries":[{},{"request":5}]}}"#,
        "broken.har": "{\"log\":", "m/mappings/1.json": "{}",
        "m/mappings/2.json": #"{"request":{},"response":{}}"#,
        "m/mappings/3.json":
            #"{"request":{"method":"GET","url":"/user"},"response":{"status":200,"bodyFileName":"gone.json"}}"#,
        "m/mappings/4.json":
            #"{"request":{"method":"GET","url":"/user"},"response":{"status":200,"bodyFileName":"../../x"}}"#,
        "notes.txt": "is:pr", "data.json": #"{"data":{"search":null}}"#, "data2.json": #"{"data":[]}"#,
    ]

    @Test func `an empty folder and one of broken files answer as if nothing was recorded`() throws {
        for files in [["readme.txt": "nothing"], Self.unusual] {
            let (source, folder) = try source(files)
            #expect(source.errorNames.isEmpty)
            for path in ["/repos/a/b", "/nowhere", "/user/teams/x"] {
                #expect(ask(source, path).status == 404)
            }
            let search = ask(source, "/search/issues?q=is:pr")
            #expect(search.status == 404 || search.text.contains(#""total_count":0"#), "\(search.text)")
            _ = folder
        }
    }

    @Test func `intact recordings among broken files are answered`() throws {
        var files = Self.unusual
        files["whole.json"] =
            #"{"total_count":1,"items":[{"html_url":"https://github.com/a/b/pull/7","title":"Whole","pull_request":{}}]}"#
        files["user.json"] = #"{"login":"octo","name":"O","avatar_url":"https://a/1"}"#
        let (source, folder) = try source(files)
        #expect(ask(source, "/user").text.contains("octo"))
        let items = try ask(source, "/search/issues?q=is:pr").object.objects("items")
        #expect(items.compactMap { $0.text("title") } == ["Whole"])
        _ = folder
    }
}
