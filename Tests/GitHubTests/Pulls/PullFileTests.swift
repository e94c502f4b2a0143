import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSimulator
@testable import RoostSupport

/// Changed files, comparisons and pictures of a pull request.
@Suite(.timeLimit(.minutes(2))) struct PullFileTests {
    /// A pull request with two files and 15 changed lines. The body gets its key and its first head.
    private func withPull(
        _ body: (PullServiceFixture, GitHubSimulation, PullKey, _ head: String) async throws -> Void
    ) async throws {
        try await withPulls { fixture in
            let gitHub = fixture.simulateGitHub()
            try await fixture.storeAccount()
            let pull = try gitHub.requestReview()
            let key = PullFixture.key(pull.number, pull.repository.fullName)
            // The service learns its accounts.
            await fixture.pulls.refreshDue()
            fixture.pulls.refreshDetails(of: key, for: fixture.user)
            await fixture.pulls.refreshDue()
            try await body(fixture, gitHub, key, pull.head.oid)
        }
    }

    private static let picture = "docs/images/wheel.png"

    /// Pushes until a picture is among the files.
    private func addPicture(
        _ fixture: PullServiceFixture, _ gitHub: GitHubSimulation, _ key: PullKey
    ) async throws -> SimulatedPull {
        var pull = try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
        for _ in 0..<10 where pull.files.count < 8 {
            pull = try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
        }
        try #require(pull.files.contains { $0.path == Self.picture })
        fixture.pulls.refreshDetails(of: key, for: fixture.user)
        await fixture.pulls.refreshDue()
        return pull
    }

    private func paths(_ fixture: PullServiceFixture) -> [String] {
        fixture.gitHub.asked.paths.filter { $0.hasPrefix("/repos/") }
    }

    @Test func `a page of files has their sizes, patches and the head that it belongs to`() async throws {
        try await withPull { fixture, _, key, head in
            let page = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            #expect(page.files.map(\.path) == ["Sources/Engine/Carry.swift", "docs/engine.md"])
            #expect(page.files.map(\.additions) == [8, 4] && page.files.map(\.deletions) == [2, 1])
            #expect(page.files.allSatisfy { $0.patch?.hasPrefix("@@ ") == true && $0.blob?.count == 40 })
            #expect(page.headCommit == head && page.nextPage == nil)
            #expect(page.fetchedAt == fixture.clock.now)
        }
    }

    @Test func `a page is kept for a minute, then GitHub is asked whether it changed`() async throws {
        try await withPull { fixture, _, key, _ in
            let before = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            fixture.clock.advance(30)
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            #expect(paths(fixture).count == 1)
            fixture.clock.advance(31)
            let after = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            #expect(paths(fixture).count == 2 && fixture.gitHub.asked.etags.last != .some(nil))
            #expect(after.files == before.files && after.fetchedAt == fixture.clock.now)
        }
    }

    @Test func `a new head needs new files`() async throws {
        try await withPull { fixture, gitHub, key, head in
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            let pushed = try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
            fixture.pulls.refreshDetails(of: key, for: fixture.user)
            await fixture.pulls.refreshDue()
            let page = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            #expect(page.headCommit == pushed.head.oid && page.headCommit != head)
            #expect(page.files.count == 3)
        }
    }

    @Test func `what changed since a commit are the files of later pushes`() async throws {
        try await withPull { fixture, gitHub, key, head in
            try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
            fixture.pulls.refreshDetails(of: key, for: fixture.user)
            await fixture.pulls.refreshDue()
            let page = try await fixture.pulls.files(of: key, since: head, for: fixture.user)
            #expect(page.files.map(\.path) == ["fixtures/readings-1.csv"] && page.nextPage == nil)
            await #expect(throws: RoostError.self) {
                try await fixture.pulls.files(of: key, since: "main", for: fixture.user)
            }
        }
    }

    @Test func `the head is known without reading the details`() async throws {
        try await withPull { fixture, gitHub, key, head in
            try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
            fixture.pulls.refreshDetails(of: key, for: fixture.user)
            await fixture.pulls.refreshDue()
            try await fixture.database.write { try $0.execute(sql: "UPDATE pull_details SET details = ''") }
            let page = try await fixture.pulls.files(of: key, since: head, for: fixture.user)
            #expect(page.files.map(\.path) == ["fixtures/readings-1.csv"])
        }
    }

    @Test func `a changed picture comes without metadata, before and after the change`() async throws {
        try await withPull { fixture, gitHub, key, _ in
            let pull = try await addPicture(fixture, gitHub, key)
            let commits = try #require(
                try await fixture.pulls.database.read { try $0.pullCommits(of: key, as: 1) })
            #expect(commits.head == pull.head.oid && commits.base.utf8.count == 40)
            for commit in [commits.base, commits.head, commits.base] {
                let blob = try await fixture.pulls.blob(
                    of: key, path: Self.picture, commit: commit, for: fixture.user)
                #expect(blob.mediaType == "image/png" && blob.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            }
            // The list of files, and each picture once.
            #expect(paths(fixture).count == 3)
        }
    }

    @Test func `other files and other commits are refused, without asking GitHub for them`() async throws {
        try await withPull { fixture, gitHub, key, first in
            let head = try await addPicture(fixture, gitHub, key).head.oid
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            for (path, commit) in [
                ("../../../user", head), ("docs/images/other.png", head), ("", head),
                (Self.picture, "main"), (Self.picture, first),
                (Self.picture, String(repeating: "ab", count: 20)),
            ] {
                await #expect(throws: RoostError.self, "\(path) at \(commit)") {
                    try await fixture.pulls.blob(of: key, path: path, commit: commit, for: fixture.user)
                }
            }
            #expect(paths(fixture).count == 1)
        }
    }

    @Test func `a page that was opened before a push still gets its pictures`() async throws {
        try await withPull { fixture, gitHub, key, _ in
            let head = try await addPicture(fixture, gitHub, key).head.oid
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            try gitHub.push(to: "\(key.owner)/\(key.name)#\(key.number)")
            fixture.pulls.refreshDetails(of: key, for: fixture.user)
            await fixture.pulls.refreshDue()
            let blob = try await fixture.pulls.blob(
                of: key, path: Self.picture, commit: head, for: fixture.user)
            #expect(blob.mediaType == "image/png")
        }
    }

    @Test func `text in place of a picture is refused`() async throws {
        try await withPull { fixture, gitHub, key, _ in
            let head = try await addPicture(fixture, gitHub, key).head.oid
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            fixture.gitHub.turn(rest: { _, _ in .init(status: 200, body: Data("<svg onload=\"\">".utf8)) })
            let error = await #expect(throws: RoostError.self) {
                try await fixture.pulls.blob(of: key, path: Self.picture, commit: head, for: fixture.user)
            }
            guard case .invalid(field: "path", _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `the text of a changed file is fetched once, and only for those who see it`() async throws {
        try await withPull { fixture, _, key, head in
            let page = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            let file = try #require(page.files.first)
            for _ in 0..<2 {
                let text = try await fixture.pulls.text(of: file, at: head, in: key, for: fixture.user)
                #expect(text.hasPrefix("// Line 1\n") && text.contains("\n        var carry = 0\n"))
                #expect(text.hasSuffix("// The end\n") && !text.contains("digits[index] += other[index]"))
            }
            // The list of files, and the text once.
            #expect(paths(fixture).count == 2)
            await #expect(throws: RoostError.self) {
                try await fixture.pulls.text(of: file, at: head, in: key, for: fixture.other)
            }
            #expect(paths(fixture).count == 2)
        }
    }

    @Test(arguments: [Data([0x61, 0]), Data([0xFF]), Data(repeating: 0x61, count: 1_000_001)])
    func `a large file, or one that is not text, is refused`(body: Data) async throws {
        try await withPull { fixture, _, key, head in
            let page = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            let file = try #require(page.files.first)
            fixture.gitHub.turn(rest: { _, _ in .init(status: 200, body: body) })
            let error = await #expect(throws: RoostError.self) {
                try await fixture.pulls.text(of: file, at: head, in: key, for: fixture.user)
            }
            guard case .invalid(field: "path", _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `no one else gets the files, the pictures or what is cached of them`() async throws {
        try await withPull { fixture, _, key, head in
            _ = try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
            await #expect(throws: RoostError.self) {
                try await fixture.pulls.files(of: key, page: 1, for: fixture.other)
            }
            await #expect(throws: RoostError.self) {
                try await fixture.pulls.blob(
                    of: key, path: "docs/images/wheel.png", commit: head, for: fixture.other)
            }
        }
    }

    @Test func `impossible names and pages are not requested`() async throws {
        try await withPull { fixture, _, key, _ in
            let asked = fixture.gitHub.asked.paths.count
            for (owner, name) in [("..", key.name), (key.owner, "a/b"), ("", key.name), (key.owner, "ü")] {
                let key = PullKey(host: key.host, owner: owner, name: name, number: 1)
                await #expect(throws: RoostError.self, "\(key)") {
                    try await fixture.pulls.files(of: key, page: 1, for: fixture.user)
                }
                fixture.pulls.refreshDetails(of: key, for: fixture.user)
            }
            for page in [0, -1, 31, .max] {
                await #expect(throws: RoostError.self, "\(page)") {
                    try await fixture.pulls.files(of: key, page: page, for: fixture.user)
                }
            }
            #expect(fixture.gitHub.asked.paths.count == asked)
        }
    }

    // The answer's parser

    private func parsed(_ files: String) throws -> PullFileParser.Page {
        try PullFileParser.page(Data("[\(files)]".utf8))
    }

    @Test func `a rename, a binary file and a large file have no patch`() throws {
        let head = String(repeating: "ab", count: 20)
        let page = try parsed(
            """
            {"filename":"new.txt","previous_filename":"old.txt","status":"renamed","additions":0,"deletions":0,
             "sha":"\(head)","contents_url":"https://api.github.com/repos/o/n/contents/new.txt?ref=\(head)"},
            {"filename":"a.png","status":"added","additions":0,"deletions":0,"sha":"no"},
            {"filename":"big.json","status":"strange","additions":90000,"deletions":-1,"patch":""}
            """)
        #expect(page.files.map(\.path) == ["new.txt", "a.png", "big.json"])
        #expect(page.files.map(\.previousPath) == ["old.txt", nil, nil])
        #expect(page.files.map(\.status) == [.renamed, .added, .changed])
        #expect(page.files.map(\.blob) == [head, nil, nil] && page.headCommit == head)
        #expect(page.files.allSatisfy { $0.patch == nil } && page.files[2].deletions == 0)
    }

    @Test func `thousands of files and patches of megabytes do not fill the memory`() throws {
        let item = #"{"filename":"a","status":"added"}"#
        let page = try parsed(Array(repeating: item, count: 5_000).joined(separator: ","))
        #expect(page.files.count == PullFileParser.maximumFiles)
        let patch = String(repeating: "+x\\n", count: 700_000)
        let long = try parsed(#"{"filename":"a","status":"added","patch":"\#(patch)"}"#)
        #expect(long.files.count == 1 && long.files[0].patch == nil)
    }

    @Test(arguments: ["{}", "null", "[", "\"files\"", ""])
    func `anything but a list is refused`(body: String) {
        #expect(throws: (any Error).self) { try PullFileParser.page(Data(body.utf8)) }
        #expect(throws: (any Error).self) { try PullFileParser.comparison(Data(body.utf8)) }
    }
}
