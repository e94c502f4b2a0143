import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// The simulated GitHub's answers for a pull request's page.
@Suite struct PullStoryTests {
    private let gitHub = TestGitHub()

    private var open: [SimulatedPull] { gitHub.simulation.world.moment().open }

    private func page(_ pull: SimulatedPull, token: String? = nil) throws -> [String: Any] {
        try gitHub.graphQL(
            PullQuery.page(),
            ["owner": pull.repository.owner, "name": pull.repository.name, "number": pull.number],
            token: token
        ).object.object("data").object("repository")
    }

    private func list(_ pull: SimulatedPull, _ kind: String, _ list: String) throws -> [[String: Any]] {
        let address = "/repos/\(pull.repository.fullName)/\(kind)/\(pull.number)/\(list)?per_page=100"
        return try gitHub.ask(address, accept: "application/vnd.github.html+json").items
    }

    @Test func `the files add up to what the pull request counts`() {
        for pull in open {
            let files = pull.files
            #expect(files.count == pull.changedFiles, "\(pull.key)")
            #expect(files.reduce(0) { $0 + $1.additions } == pull.additions, "\(pull.key)")
            #expect(files.reduce(0) { $0 + $1.deletions } == pull.deletions, "\(pull.key)")
            #expect(Set(files.map(\.path)).count == files.count, "\(pull.key)")
        }
    }

    @Test func `a push can have hundreds of files, and one large file with its whole patch`() throws {
        let key = try gitHub.simulation.open().key
        let pull = try gitHub.simulation.push(to: key, files: 197, largeLines: 3_000)
        let files = pull.files
        #expect(files.count == 200 && pull.changedFiles == 200)
        #expect(files.reduce(0) { $0 + $1.additions } == pull.additions)
        #expect(files.reduce(0) { $0 + $1.deletions } == pull.deletions)
        let large = try #require(files.first { $0.path == "data/tides.csv" })
        let lines = large.patch?.split(separator: "\n").count { $0.hasPrefix("+") }
        #expect(large.additions == 3_000 && lines == 3_000)
    }

    @Test func `patches have as many lines as they say`() {
        for file in Set(open.flatMap(\.files)) {
            let lines = (file.patch ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            guard file.patch != nil else { continue }
            #expect(lines.count { $0.hasPrefix("+") } == file.additions, "\(file.path)")
            #expect(lines.count { $0.hasPrefix("-") } == file.deletions, "\(file.path)")
            #expect(lines.first?.hasPrefix("@@ -") == true, "\(file.path)")
        }
    }

    @Test func `there are pictures, renames, large files and five languages`() {
        let files = open.flatMap(\.files)
        for path in [
            "docs/images/wheel.png", "package-lock.json", "Sources/Engine/Carry.swift", "docs/engine.md",
            "web/src/tides/useTides.ts", "scripts/tables.py", ".github/workflows/ci.yml",
        ] {
            #expect(files.contains { $0.path == path }, "\(path)")
        }
        #expect(files.contains { $0.status == .renamed && $0.previousPath == "HISTORY.md" })
        #expect(files.filter { $0.path == "package-lock.json" }.allSatisfy { $0.patch == nil })
    }

    @Test func `GraphQL and REST tell the same conversation`() throws {
        let pull = try #require(
            open.first { !$0.comments.isEmpty && !$0.threads.isEmpty && (1...20).contains($0.reviews.count) })
        let page = try page(pull).object("pullRequest")
        let timeline = page.object("timelineItems").objects("nodes")
        let comments = timeline.filter { $0.text("__typename") == "IssueComment" }
        #expect(comments.count == pull.comments.count)
        #expect(
            try list(pull, "issues", "comments").compactMap { $0.text("body_html") }
                == comments.compactMap { $0.text("bodyHTML") })
        let reviews = timeline.filter { $0.text("__typename") == "PullRequestReview" }
        #expect(
            try list(pull, "pulls", "reviews").compactMap { $0.text("node_id") }
                == reviews.compactMap { $0.text("id") })
        let threads = page.object("reviewThreads").objects("nodes")
        let onCode = threads.flatMap { $0.object("comments").texts("id") }
        #expect(Set(try list(pull, "pulls", "comments").compactMap { $0.text("node_id") }) == Set(onCode))
        #expect(threads.count == pull.threads.count && !onCode.isEmpty)
        #expect(page.text("bodyHTML")?.hasPrefix("<p") == true)
    }

    @Test func `a thread's line is an added line at the end of its hunk`() throws {
        let pull = try #require(open.first { !$0.threads.isEmpty })
        for thread in PullStory(pull: pull, baseURL: GitHubBaseURL(web: "http://github.test")).threads {
            let lines = thread.hunk.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.hasPrefix("@@") == true && lines.last?.hasPrefix("+") == true)
            #expect(thread.line ?? 0 > 0 && pull.files.contains { $0.path == thread.path })
        }
    }

    @Test func `a page costs one point`() throws {
        let left = {
            try gitHub.ask("/rate_limit").object.object("resources").object("graphql").number("remaining")
        }
        let before = try left()
        _ = try page(try #require(open.first))
        #expect(try left() == before.map { $0 - 1 })
    }

    @Test func `a private pull request is hidden from others`() throws {
        let pull = try #require(open.first { $0.repository.isPrivate })
        gitHub.simulation.add(token: "ghp_public", login: "ada", scopes: ["public_repo", "read:org"])
        #expect(try page(pull).object("pullRequest").text("title") == pull.title)
        #expect(try page(pull, token: "ghp_public").isEmpty)
        let head = pull.head.oid
        for path in [
            "pulls/\(pull.number)/files", "issues/\(pull.number)/comments", "commits/\(head)/check-runs",
            "contents/docs/images/wheel.png?ref=\(head)", "compare/\(head)...\(head)",
        ] {
            let address = "/repos/\(pull.repository.fullName)/\(path)"
            #expect(gitHub.ask(address, token: "ghp_public").status == 404, "\(path)")
        }
    }

    @Test func `a comparison has the files of later pushes, and a picture looks different at each commit`()
        throws
    {
        let opened = try gitHub.simulation.open()
        let pushed = try gitHub.simulation.push(to: opened.key)
        let root = "/repos/\(opened.repository.fullName)"
        let range = "\(opened.head.oid)...\(pushed.head.oid)"
        let comparison = try gitHub.ask("\(root)/compare/\(range)").object
        #expect(comparison.objects("files").compactMap { $0.text("filename") } == ["fixtures/readings-1.csv"])
        let pictures = [opened, pushed].map { pull in
            gitHub.ask("\(root)/contents/a.png?ref=\(pull.head.oid)", accept: "application/vnd.github.raw")
                .body
        }
        #expect(pictures[0] != pictures[1] && pictures[0].starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func `unchanged files are not sent again`() throws {
        let pull = try #require(open.first)
        let address = "/repos/\(pull.repository.fullName)/pulls/\(pull.number)/files"
        let first = gitHub.ask(address)
        let etag = try #require(first.header("ETag"))
        #expect(gitHub.ask(address, ifNoneMatch: etag).status == 304)
    }
}
