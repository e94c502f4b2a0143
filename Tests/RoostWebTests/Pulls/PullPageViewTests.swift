import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb

@Suite struct PullPageViewTests {
    private func conversation(_ content: PullPageContent = .sample()) -> String {
        rendered(PullPaneView.view("", content))
    }

    @Test func `the top says what it is, its state, and why it is the reader's turn`() {
        let text = conversation()
        #expect(text.contains("Close idle channels after the drain window</h2>"))
        #expect(text.contains("state-open\">Open</span>"))
        #expect(text.contains("<code>glbrntt/swift-nio:idle-&lt;b&gt;channels</code>"))
        #expect(text.contains("<em>review requested</em>"))
        #expect(text.contains("href=\"https://github.com/apple/swift-nio/pull/3214\""))
        #expect(text.contains("freshness-live") && text.contains("12 s ago"))
        #expect(text.contains("action=\"/pulls/github.com/apple/swift-nio/3214/done\""))
        #expect(!conversation(.sample(item: nil)).contains("/done\""))
    }

    @Test func `an entry of every kind is one sentence`() {
        let text = conversation()
        for phrase in [
            "pushed a commit", "requested a review from <b dir=\"auto\">ada</b>", "requested changes",
            "force-pushed from 1234567 to abcdef1",
            "changed the title to <b dir=\"auto\">New &lt;title&gt;</b>",
            "made this a draft", "marked this as ready for review", "removed the review request for",
            "closed this", "reopened this", "commented", "merged this as fedcba0",
        ] {
            #expect(text.contains(phrase), "\(phrase)")
        }
        #expect(text.contains("3 older entries are on GitHub."))
    }

    @Test func `what is new since the last look is marked, and begins with a line`() throws {
        let text = conversation()
        // A comment, an answer in a thread, and the merge.
        #expect(text.contains("3 new since your last look"))
        #expect(text.components(separatedBy: "id=\"new\"").count == 2)
        let line = try #require(text.firstRange(of: "id=\"new\"")).lowerBound
        #expect(try #require(text.firstRange(of: "<p>Ping.</p>")).lowerBound > line)
        #expect(!conversation(.sample(lastSeen: nil)).contains("new-chip"))
    }

    @Test func `the reader's own entries are never new`() throws {
        var details = PullDetails.sample()
        let ada = PullDetails.Person(login: "Ada", avatarURL: nil)
        details.timeline = [
            .init(at: .sample, event: .comment(PullDetails.comment("C9", "<p>Mine</p>", by: ada, ago: 0)))
        ]
        #expect(!conversation(.sample(details)).contains("new-chip"))
    }

    @Test func `a region that is fetched again keeps the marks of the first look`() {
        let seen = Int(Date.sample.timeIntervalSince1970) - 5_000
        let text = rendered(PullPaneView.view("seen=\(seen)", .sample(lastSeen: .sample)))
        #expect(text.contains("3 new since your last look"))
        #expect(PullPaneView.view().paneAddress == "/pulls/apple/swift-nio/3214/pane?seen=\(seen)")
        let first = PullPaneView.view("", .sample(lastSeen: nil))
        #expect(first.paneAddress == "/pulls/apple/swift-nio/3214/pane?seen=0")
        #expect(
            !rendered(PullPaneView.view("seen=0", .sample(lastSeen: .sample - 5_000))).contains("new-chip"))
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "4102444801", "soon"])
    func `a look at an impossible time is none`(seen: String) throws {
        #expect(try PullPageQuery.sample("seen=\(seen)").seen == nil)
        let pane = PullPaneView.view("seen=\(seen)", .sample(lastSeen: Date(timeIntervalSince1970: 5)))
        #expect(pane.paneAddress == "/pulls/apple/swift-nio/3214/pane?seen=5")
        let far = PullPaneView.view("", .sample(lastSeen: Date(timeIntervalSince1970: 1e300)))
        #expect(far.newText == nil)
    }

    @Test(arguments: [
        (String(repeating: "a1", count: 20), true), (String(repeating: "a1", count: 32), true),
        ("a1b2c3d", false), (String(repeating: "a", count: 39), false),
        (String(repeating: "g", count: 40), false),
    ])
    func `only a whole commit is one`(commit: String, isCommit: Bool) throws {
        #expect(try PullPageQuery.sample("tab=files&since=\(commit)").since == (isCommit ? commit : nil))
    }

    @Test func `work is weighed by bytes, because one long line takes as long as many short ones`() throws {
        let long = PullFile(
            path: "a.js", previousPath: nil, status: .added, additions: 1, deletions: 0,
            patch: "@@ -0,0 +1 @@\n+" + String(repeating: "x", count: 400_000), blob: nil)
        let content = PullPageContent.sample(files: [long])
        let (folded, open) = (
            try PullPageQuery.sample("tab=files"), try PullPageQuery.sample("tab=files&open=a.js")
        )
        #expect(content.rows(ofDiff: long) > 10_000)
        #expect(content.rows(of: open) > 10_000 && content.rows(of: folded) < 500)
        var details = PullDetails.sample()
        let small = PullPageContent.sample(details).rows(of: try .sample())
        let thread = PullDetails.Thread(
            id: "T2", path: "a.js", line: 1, startLine: nil, isOnOldFile: false, isResolved: false,
            isOutdated: false, diffHunk: long.patch ?? "", comments: [])
        details.timeline.append(
            .init(
                at: .sample,
                event: .review(
                    id: "R2", by: nil, verdict: .commented, body: [], threads: [thread],
                    url: "https://github.com/apple/swift-nio/pull/3214#r2")))
        let large = PullPageContent.sample(details).rows(of: try .sample())
        #expect(small < 500 && large > 10_000)
    }

    @Test(arguments: [
        (TurnReason.askedByName, "requested a review from"), (.changesRequested, "requested changes"),
        (.commentAnswered, "commented"), (.changedSinceReview, "force-pushed"),
    ])
    func `a reason is marked where it happened`(reason: TurnReason, phrase: String) throws {
        let item = try PullSample.item(reasons: [reason])
        let text = conversation(.sample(item: item))
        let parts = text.components(separatedBy: "<em class=\"reason\">")
        #expect(parts.count == 2 && parts[1].hasPrefix(reason.label))
        let entry = try #require(parts[0].components(separatedBy: "<li class=\"entry").last)
        #expect(entry.contains(phrase), "\(entry)")
    }

    @Test func `a thread shows its code, its lines and its comments`() {
        let text = conversation()
        #expect(text.contains("<code>Sources/NIO/Channel.swift</code> <span>lines 11–12</span>"))
        #expect(text.contains("line-removed") && text.contains("line-added"))
        #expect(text.contains("<p>Because.</p>"))
        #expect(text.contains("id=\"thread-T1\" open>"))
    }

    @Test func `a thread can be shared, and the shared link shows it open`() throws {
        var details = PullDetails.sample()
        let thread = PullDetails.Thread(
            id: "T2=", path: "a_b.js", line: 1, startLine: nil, isOnOldFile: false, isResolved: true,
            isOutdated: false, diffHunk: "@@ -1 +1 @@\n-a\n+b", comments: [])
        details.timeline = [
            .init(
                at: .sample,
                event: .review(
                    id: "R2", by: nil, verdict: .commented, body: [], threads: [thread],
                    url: "https://github.com/apple/swift-nio/pull/3214#r2"))
        ]
        let folded = conversation(.sample(details))
        #expect(folded.contains("id=\"thread-T2=\">") && !folded.contains("id=\"thread-T2=\" open>"))
        let link = "/pulls/apple/swift-nio/3214?thread=T2%3D#thread-T2%3D"
        let address = ShareAddress.of("`a_b.js` line 1 \(link)")
        #expect(folded.contains("href=\"\(address)\">Share this thread"))
        let shared = rendered(
            PullPageView(layout: .sample, pane: .view("thread=T2%3D", .sample(details))))
        #expect(shared.contains("id=\"thread-T2=\" open>"))
        // The region that replaces it keeps it open.
        #expect(shared.contains("/pane?thread=T2%3D&amp;seen="))
    }

    @Test func `reviewers, checks and issues are beside the conversation`() {
        let text = conversation()
        #expect(text.contains("verdict-changesRequested\">requested changes</span>"))
        #expect(text.contains("1 failed, 1 passed") && text.contains("3 min 5 s"))
        #expect(text.contains("<span class=\"chip\">required</span>"))
        #expect(text.contains("Idle &lt;channels&gt;</a>") && text.contains("apple/swift-nio#12, closed"))
    }

    @Test(arguments: [
        (0.0, "0 s"), (59.4, "59 s"), (60, "1 min"), (185, "3 min 5 s"), (3_600, "1 h"),
        (7_800, "2 h 10 min"),
        (-5, "0 s"),
    ])
    func `durations are short`(seconds: TimeInterval, text: String) {
        #expect(PullAsideView.duration(seconds) == text)
    }

    @Test func `an error keeps the last state with its age`() {
        let text = conversation(.sample(.sample(fetched: .sample - 840), error: .networkUnavailable))
        #expect(text.contains("freshness-stale") && text.contains("14 min ago"))
        #expect(text.contains("No internet connection."))
        #expect(text.contains("<p>Ping.</p>"))
    }

    @Test func `before GitHub answers, the page shows what the inbox has and asks to wait`() {
        let pane = PullPaneView.view("", .sample(nil))
        let text = rendered(PullPageView(layout: .sample, pane: pane))
        #expect(text.contains("Loading from GitHub …") && text.contains("http-equiv=\"refresh\""))
        #expect(text.contains("Close idle channels after the drain window"))
        #expect(
            rendered(PullPaneView.view("", .sample(nil, item: nil))).contains("apple/swift-nio#3214</h2>"))
    }

    @Test func `the page contains its region as it is fetched`() {
        let page = rendered(PullPageView.sample).split(whereSeparator: \.isNewline)
        let pane = rendered(PullPaneView.sample).split(whereSeparator: \.isNewline)
        #expect(page.indices.contains { page[$0...].starts(with: pane) })
    }

    @Test func `links to a pull request on another host name the host`() {
        let key = PullKey(host: "git.example.org:8443", owner: "a b", name: "c", number: 7)
        #expect(
            key.page("/files", ["page": "2", "since": nil])
                == "/pulls/a%20b/c/7/files?host=git.example.org%3A8443&page=2")
        #expect(PullKey(host: "github.com", owner: "a", name: "b", number: 1).page() == "/pulls/a/b/1")
    }
}

@Suite struct PullFilesViewTests {
    private func files(
        _ query: String = "tab=files", _ content: PullPageContent = .sample(files: PullFile.samples)
    ) -> String {
        rendered(PullPaneView.view(query, content))
    }

    @Test func `each file has its size, a disclosure and a box`() {
        let text = files()
        #expect(text.contains("3 files, +4,002 −1") && text.contains("0 of 3 viewed"))
        #expect(text.contains("<span>Sources/NIO/</span><wbr>Channel.swift"))
        #expect(
            text.contains(
                "data-diff=\"/pulls/apple/swift-nio/3214/files/diff?path=Sources%2FNIO%2FChannel.swift\""))
        #expect(
            text.contains(
                "href=\"/pulls/apple/swift-nio/3214/files?open=Sources%2FNIO%2FChannel.swift#file-1\""))
        #expect(text.contains("from <bdi>old.png</bdi>"))
        // Without a blob there is nothing that could be marked.
        #expect(text.components(separatedBy: "action=\"/pulls/apple/swift-nio/3214/viewed\"").count == 3)
        #expect(text.contains("files?page=2\">More files"))
    }

    @Test func `generated, large and viewed files are folded`() {
        let opened = { (text: String) in text.matches(of: /<details open>/).count }
        #expect(opened(files()) == 2)
        let viewed = PullPageContent.sample(
            files: PullFile.samples, viewed: ["logo.png": PullFile.samples[1].blob ?? ""])
        #expect(opened(files("tab=files", viewed)) == 1)
        #expect(files("tab=files", viewed).contains("1 of 3 viewed"))
        let pushed = PullPageContent.sample(files: PullFile.samples, viewed: ["logo.png": "0000000"])
        #expect(files("tab=files", pushed).contains("0 of 3 viewed"))
    }

    @Test func `a link opens a file's changes on the page, without a script`() {
        let text = files("tab=files&open=Sources/NIO/Channel.swift")
        #expect(
            text.contains(
                "<table class=\"diff\"><caption class=\"sr-only\">Changes of Sources/NIO/Channel.swift"))
        #expect(!text.contains("data-diff=\"/pulls/apple/swift-nio/3214/files/diff?path=Sources"))
    }

    @Test func `the changes since the reader's review are one link away`() {
        let commit = String(repeating: "c3", count: 20)
        #expect(
            files().contains("href=\"/pulls/apple/swift-nio/3214/files?since=\(commit)\">Since my review"))
        let since = files("tab=files&since=\(commit)")
        #expect(since.contains("aria-current=\"true\">Since my review"))
        #expect(since.contains("files/diff?path=logo.png&amp;since=\(commit)"))
        var details = PullDetails.sample()
        details.reviewers = []
        #expect(!files("tab=files", .sample(details, files: [])).contains("Since my review"))
    }

    @Test func `a failure is said in place of the files`() {
        var content = PullPageContent.sample()
        content.filesProblem = "GitHub <did> not answer in time."
        let text = files("tab=files", content)
        #expect(text.contains("GitHub &lt;did&gt; not answer in time.") && text.contains("Try again"))
    }

    @Test func `a diff has numbers, signs by class, words and visible escapes`() {
        let text = rendered(FileDiffView.sample)
        #expect(text.contains("<td class=\"number\">11</td><td class=\"number\"></td>"))
        #expect(text.contains("class=\"code line-removed\"") && text.contains("class=\"code line-added\""))
        #expect(text.contains("U+202E") && !text.contains("\u{202E}") && text.contains("escape"))
        #expect(text.contains("&lt;b&gt;"))
        #expect(text.contains("changed") && text.contains("syntax-"))
        #expect(text.contains("9 unchanged lines") && text.contains("<code>func close() {</code>"))
        // The thread of the file is below its line.
        #expect(text.contains("class=\"thread-row\""))
    }

    @Test func `names that hide or reorder themselves are shown with codes, and sent as they are`() {
        let path = "Sources/\u{202E}fdp.swift"
        let file = PullFile(
            path: path, previousPath: "a\u{200B}b.swift", status: .renamed, additions: 1, deletions: 1,
            patch: "@@ -1 +1 @@\n-a\n+b", blob: String(repeating: "e5", count: 20))
        let text = files("tab=files", .sample(files: [file]))
        #expect(text.contains("<span>Sources/</span><wbr>U+202Efdp.swift"))
        #expect(text.contains("from <bdi>aU+200Bb.swift</bdi>"))
        #expect(text.contains("aria-label=\"Viewed: Sources/U+202Efdp.swift\""))
        #expect(text.contains("name=\"path\" value=\"\(path)\""))
        let diff = rendered(FileDiffView.view(of: file))
        #expect(diff.contains("Changes of Sources/U+202Efdp.swift"))
        #expect(diff.contains("name=\"path\" value=\"\(path)\""))
        var details = PullDetails.sample()
        let thread = PullDetails.Thread(
            id: "T2", path: path, line: 1, startLine: nil, isOnOldFile: false, isResolved: false,
            isOutdated: false, diffHunk: "@@ -1 +1 @@\n-a\n+b", comments: [])
        details.timeline = [
            .init(
                at: .sample,
                event: .review(
                    id: "R2", by: nil, verdict: .commented, body: [], threads: [thread],
                    url: "https://github.com/apple/swift-nio/pull/3214#r2"))
        ]
        let conversation = rendered(PullPaneView.view("", .sample(details)))
        #expect(conversation.contains("<code>Sources/U+202Efdp.swift</code>"))
        #expect(!conversation.contains("\u{202E}"))
    }

    @Test func `comments and pictures are about the commit of the shown files`() throws {
        let newer = String(repeating: "d7", count: 20)
        var content = PullPageContent.sample()
        content.files = PullFilePage(
            files: PullFile.samples, headCommit: newer, nextPage: nil, fetchedAt: .sample)
        let query = try PullPageQuery.sample("tab=files")
        let code = FileDiffView(PullFile.samples[0], content, query, pictures: nil)
        #expect(code.lineForm?.head == newer)
        #expect(code.fingerprint != FileDiffView.view().fingerprint)
        let picture = FileDiffView(PullFile.samples[1], content, query, pictures: nil)
        #expect(picture.pictures.last?.address.contains("commit=\(newer)") == true)
    }

    @Test func `side by side, the old line is next to the new one`() {
        let text = rendered(FileDiffView.view("tab=files&diffs=split"))
        #expect(text.contains("<table class=\"diff split\">"))
        #expect(text.contains("line-none"))
        let rows = text.components(separatedBy: "<tr>").filter { $0.contains("line-removed") }
        #expect(rows.count == 1 && rows[0].contains("line-added"))
    }

    @Test func `whitespace is hidden as the address says, or else as the reader has chosen`() throws {
        let file = PullFile(
            path: "a.swift", previousPath: nil, status: .modified, additions: 1, deletions: 1,
            patch: "@@ -1 +1 @@\n-a\n+  a", blob: String(repeating: "e5", count: 20))
        let hidden = rendered(FileDiffView.view("tab=files&whitespace=hidden", of: file))
        #expect(hidden.contains("Only whitespace changed.") && !hidden.contains("<table"))
        #expect(!hidden.contains("Comment on lines"))
        #expect(rendered(FileDiffView.view(of: file)).contains("line-added"))
        var content = PullPageContent.sample(files: [file])
        #expect(
            files("tab=files", content).contains("value=\"hidden\" aria-pressed=\"false\">Hide whitespace"))
        content.choices.whitespace = .hidden
        let chosen = files("tab=files", content)
        #expect(chosen.contains("value=\"shown\" aria-pressed=\"true\">Hide whitespace"))
        #expect(chosen.contains("files/diff?path=a.swift&amp;whitespace=hidden\""))
        let shown = files("tab=files&whitespace=shown", content)
        #expect(shown.contains("value=\"hidden\" aria-pressed=\"false\">Hide whitespace"))
        #expect(shown.contains("files/diff?path=a.swift&amp;whitespace=shown\""))
        // The pages that an address leads to look the same.
        #expect(shown.contains("files?page=2&amp;whitespace=shown\">More files"))
        #expect(shown.contains("files?open=a.swift&amp;whitespace=shown#file-1\""))
        let query = try PullPageQuery.sample("tab=files")
        let choice = FileDiffView(file, content, query, pictures: nil)
        #expect(choice.hunks.isEmpty && choice.fingerprint != FileDiffView.view(of: file).fingerprint)
    }

    @Test func `all lines of a file are shown on demand, or why they are not`() throws {
        let file = PullFile(
            path: "a.txt", previousPath: nil, status: .modified, additions: 1, deletions: 1,
            patch: "@@ -2 +2 @@\n-b\n+B", blob: String(repeating: "e5", count: 20))
        var content = PullPageContent.sample(files: [file])
        func diff(_ query: String) throws -> String {
            rendered(FileDiffView(file, content, try .sample(query), pictures: nil))
        }
        let page = "/pulls/apple/swift-nio/3214/files?open=a.txt&amp;lines=all#file-1"
        let fragment = "/pulls/apple/swift-nio/3214/files/diff?path=a.txt&amp;lines=all"
        let link = "<a href=\"\(page)\" data-lines=\"\(fragment)\">"
        #expect(try diff("tab=files").contains("\(link)1 unchanged line</a>"))
        #expect(try diff("tab=files").contains("\(link)Show all lines</a>"))
        content.wholeText = "first\nB\nlast\n"
        let whole = try diff("tab=files&lines=all")
        #expect(whole.contains(">first</td>") && whole.contains(">last</td>"))
        #expect(whole.contains("files?open=a.txt#file-1\"") && whole.contains("Show only the changes"))
        #expect(try !diff("tab=files").contains(">first</td>"))
        content.wholeText = "another\nfile\n"
        #expect(try diff("tab=files&lines=all").contains("All lines of this file cannot be shown."))
        content.wholeProblem = "This file is larger than 1 MB."
        #expect(try diff("tab=files&lines=all").contains("This file is larger than 1 MB."))
        #expect(rendered(FileDiffView.view(of: PullFile.samples[2])).contains("data-lines") == false)
    }

    @Test func `pictures are shown before and after, and other binary files are named`() throws {
        let text = rendered(FileDiffView.view(of: PullFile.samples[1]))
        let before = String(repeating: "b2", count: 20)
        let after = String(repeating: "a1", count: 20)
        #expect(
            text.contains("src=\"/pulls/apple/swift-nio/3214/files/image?path=old.png&amp;commit=\(before)\"")
        )
        #expect(
            text.contains("src=\"/pulls/apple/swift-nio/3214/files/image?path=logo.png&amp;commit=\(after)\"")
        )
        let large = rendered(FileDiffView.view(of: PullFile.samples[2]))
        #expect(large.contains("GitHub leaves out this change because it is too large."))
        let binary = PullFile(
            path: "a.bin", previousPath: nil, status: .modified, additions: 0, deletions: 0, patch: nil,
            blob: nil)
        #expect(rendered(FileDiffView.view(of: binary)).contains("A binary file"))
    }
}
