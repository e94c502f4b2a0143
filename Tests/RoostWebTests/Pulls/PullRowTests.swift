import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostWeb

@Suite struct PullRowTests {
    private func row(_ item: InboxItem, avatar: String? = nil) -> String {
        rendered(PullRow(item, PullPreferences(), avatar: avatar, now: PullSample.now))
    }

    @Test func `a row's title opens its page, and an icon opens GitHub in a new tab`() throws {
        let text = row(try PullSample.item())
        #expect(text.contains("data-key=\"github.com/apple/swift-nio/7\""))
        #expect(text.contains("<a class=name href=\"/pulls/apple/swift-nio/7\">"))
        #expect(
            text.contains(
                "<a class=out href=\"https://github.com/apple/swift-nio/pull/7\" target=_blank>GitHub</a>")
        )
        let elsewhere = row(try PullSample.item(host: "git.example.org"))
        #expect(
            elsewhere.contains("<a class=name href=\"/pulls/apple/swift-nio/7?host=git.example.org\">"))
        #expect(
            text.contains(
                "<span><b>apple/swift-nio</b> #7</span> <em>review requested</em> <small>"
            ))
        #expect(text.contains("<bdi>glbrntt</bdi></small></p>"))
        #expect(text.contains("data-age datetime=\"2026-11-10T10:00:00Z\">2 h ago</time>"))
        #expect(text.contains("<time data-wait datetime=\"2026-11-10T07:00:00Z\">5 h</time>"))
    }

    @Test func `a team's organisation is omitted if the repository has the same owner`() throws {
        for (team, phrase) in [
            ("apple/nio", "from nio<"), ("Apple/nio", "from nio<"), ("swiftlang/nio", "from swiftlang/nio<"),
            ("nio", "from nio<"), (nil, "from a team<"),
        ] {
            let text = row(try PullSample.item(reasons: [.askedThroughTeam(team)]))
            #expect(text.contains("<em>review requested from") && text.contains(phrase), "\(phrase)")
        }
    }

    @Test func `each fact is its own element, without dots in the text`() throws {
        let text = row(try PullSample.item { $0.reviewDecision = .approved })
        #expect(text.contains("<span class=\"good status-icon\">approved</span> <time"))
        #expect(!text.contains("·"))
    }

    @Test func `an author has a picture, and an initial until it is loaded`() throws {
        let item = try PullSample.item()
        #expect(row(item, avatar: "/pictures/ab").contains("<img class=avatar src=\"/pictures/ab\""))
        #expect(row(item).contains(/<span class="avatar tone-\d" aria-hidden="true">G<\/span>/))
    }

    @Test func `missing values are left out, and known ones are shown as figures and words`() throws {
        let minimal = row(try PullSample.item(reasons: []))
        for word in ["draft", "approved", "conflicts", "checks", "comments", "open<", "−", "review required"]
        {
            #expect(
                !minimal.contains(word) || word == "checks" && !minimal.contains("checks passed"), "\(word)")
        }
        let full = row(
            try PullSample.item(reasons: [.askedThroughTeam("apple/nio"), .checksFail]) {
                $0.isDraft = true
                $0.checks = .init(state: .failed, passed: 4, failed: 2, running: 1)
                ($0.additions, $0.deletions, $0.changedFiles) = (12_345, 6, 1)
                ($0.comments, $0.unresolvedThreads) = (1, 3)
                $0.mergeable = .conflicting
                $0.reviewDecision = .approved
            })
        for word in [
            "<span class=chip>draft</span>", "review requested from nio<", "your PR’s checks fail",
            "<span class=\"checks failed\" ", "2 checks failed", "+12,345", "−6", "1 file<",
            "1<i> comment<", "3 open", "bad status-icon\">conflicts", "good status-icon\">approved",
        ] {
            #expect(full.contains(word), "\(word)")
        }
    }

    @Test func `a fact already given as the reason is not repeated`() throws {
        let cases: [(PullRequest.ReviewDecision, TurnReason, String)] = [
            (.approved, .approvedUnmerged, "\"good status-icon\">approved"),
            (.changesRequested, .changesRequested, "\"bad\">changes requested"),
            (.reviewRequired, .askedByName, "review required"),
        ]
        for (decision, reason, phrase) in cases {
            let withReason = row(try PullSample.item(reasons: [reason]) { $0.reviewDecision = decision })
            #expect(!withReason.contains(phrase), "\(phrase)")
            let alone = row(try PullSample.item(reasons: []) { $0.reviewDecision = decision })
            #expect(alone.contains(phrase), "\(phrase)")
        }
        let conflicts = row(try PullSample.item(reasons: [.conflicts]) { $0.mergeable = .conflicting })
        #expect(conflicts.contains("merge conflicts") && !conflicts.contains("\"bad status-icon\">conflicts"))
    }

    @Test(arguments: [
        (PullRequest.Checks(state: .passed, passed: 3), "checks passed"),
        (.init(state: .failed), "checks failed"), (.init(state: .failed, failed: 1), "1 check failed"),
        (.init(state: .running), "checks are running"),
        (.init(state: .running, running: 1), "1 check is running"),
    ])
    func `checks have a state and a text`(checks: PullRequest.Checks, title: String) throws {
        let text = row(try PullSample.item { $0.checks = checks })
        #expect(text.contains(" role=img title=\"\(title)\">"))
    }

    @Test(arguments: [
        (72.0, InboxItem.Pressure.amber, ", long", "failed"), (168, .red, ", far too long", "warning"),
    ])
    func `a long wait is not shown by colour alone`(
        hours: Double, pressure: InboxItem.Pressure, phrase: String, icon: String
    ) throws {
        let text = row(try PullSample.item(waited: hours * 3_600))
        #expect(text.contains("class=\"wait \(pressure.rawValue)\""))
        #expect(text.contains("</time><i>\(phrase)</i>"))
        #expect(!row(try PullSample.item()).contains("long</i>"))
        let style = try String(
            contentsOf: SiteFiles.root.appending(path: "Public/css/icons.css"), encoding: .utf8)
        let rule = try #require(style.firstRange(of: ".wait.\(pressure.rawValue) {"))
        #expect(style[rule.upperBound...].prefix { $0 != "}" }.contains("icons/\(icon).svg"))
    }

    @Test func `one or two labels are shown with their colour, and the rest counted for both widths`() throws
    {
        let names = ["bug", "<i>", "three", "four", "five"]
        let text = row(
            try PullSample.item { pull in
                pull.labels = names.map { .init(name: $0, color: $0 == "bug" ? "D73a4a" : "\"/><x") }
            })
        #expect(text.contains("fill=\"#D73a4a\"/></svg>bug</bdi>"))
        #expect(text.contains("fill=\"#8c8a83\"/></svg>&lt;i&gt;</bdi>"))
        #expect(text.contains("<span class=\"chip label two\">+3<i> more labels</i>"))
        #expect(text.contains("<span class=\"chip label one\">+4<i> more labels</i>"))
        #expect(!text.contains("three"))
    }

    @Test(arguments: [(0, false, false), (1, false, false), (2, true, false), (3, true, true)])
    func `labels are counted only if some are not shown`(count: Int, one: Bool, two: Bool) throws {
        let text = row(
            try PullSample.item { pull in
                pull.labels = (0..<count).map { .init(name: "label \($0)", color: nil) }
            })
        #expect(text.contains("class=\"chip label one\"") == one)
        #expect(text.contains("class=\"chip label two\"") == two)
    }

    @Test
    func `actions are buttons of the form around the lists, and one link, with the pull request's address`()
        throws
    {
        let item = try PullSample.item("a b/c", 9, host: "127.0.0.1:8093")
        let text = row(item)
        let path = "/pulls/127.0.0.1%3A8093/a%20b/c/9"
        for action in ["mute", "done"] {
            #expect(text.contains("<button formaction=\"\(path)/\(action)\">"))
        }
        #expect(
            text.contains("<a href=\"\(path)/snooze\">Snooze</a>"))
        let filtered = rendered(
            PullRow(
                item, PullPreferences(), avatar: nil, now: PullSample.now, back: "/pulls?text=a%26b&sort=size"
            ))
        #expect(filtered.contains("href=\"\(path)/snooze?back=%2Fpulls%3Ftext%3Da%2526b%26sort%3Dsize\""))
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-4_812, "−4,812")])
    func `whole numbers have thousands separators`(number: Int, text: String) {
        #expect(NumberText.grouped(number) == text)
    }
}
