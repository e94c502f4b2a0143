import Foundation

@testable import ArticleText
@testable import GitHub
@testable import GitHubWeb
@testable import HTTPServer
@testable import RoostSupport

/// A pull request with an entry of every kind, threads, files of every kind, and hostile text.
extension PullDetails {
    static func sample(fetched: Date = .sample - 12) -> PullDetails {
        let item = InboxItem.samples[0]
        var details = PullDetails(key: item.key, pull: item.pull, fetchedAt: fetched)
        details.description = [
            .markup("<p>Closes <code>idle</code> channels.</p>"),
            .picture(MarkupPicture(url: "https://example.org/a.png", alt: "A <diagram>")),
        ]
        (details.baseBranch, details.headBranch) = ("main", "idle-<b>channels")
        details.headRepository = "glbrntt/swift-nio"
        (details.headCommit, details.baseCommit) = (
            String(repeating: "a1", count: 20), String(repeating: "b2", count: 20)
        )
        details.reviewers = [
            Reviewer(
                name: "ada", avatarURL: nil, verdict: .changesRequested, at: .sample - 90_000,
                commit: String(repeating: "c3", count: 20)),
            Reviewer(name: "apple/nio", avatarURL: nil, verdict: .requested, at: nil),
        ]
        details.checks = [
            Check(
                name: "build", state: .passed, startedAt: .sample - 600, finishedAt: .sample - 415,
                url: "https://example.org/1", isRequired: true),
            Check(name: "lint", state: .failed, startedAt: nil, finishedAt: nil, url: nil),
        ]
        details.issues = [
            Issue(
                repositoryFullName: "apple/swift-nio", number: 12, title: "Idle <channels>",
                url: "https://github.com/apple/swift-nio/issues/12", isClosed: true)
        ]
        details.timeline = entries
        details.omittedEntries = 3
        return details
    }

    private static let grace = Person(login: "grace", avatarURL: nil)

    static func comment(_ id: String, _ text: CleanMarkup, by person: Person? = grace, ago: TimeInterval)
        -> Comment
    {
        Comment(
            id: id, author: person, body: [.markup(text)], at: .sample - ago,
            url: "https://github.com/apple/swift-nio/pull/3214#\(id)")
    }

    private static var entries: [Entry] {
        let thread = Thread(
            id: "T1", path: "Sources/NIO/Channel.swift", line: 12, startLine: 11, isOnOldFile: false,
            isResolved: false, isOutdated: false,
            diffHunk: "@@ -10,2 +10,3 @@ func close() {\n let a = 1\n-let b = 2\n+let b = 3\n+let c = 4",
            comments: [
                comment("C1", "<p>Why four?</p>", by: Person(login: "ada", avatarURL: nil), ago: 90_000),
                comment("C2", "<p>Because.</p>", ago: 3_000),
            ])
        let events: [(TimeInterval, Event)] = [
            (
                200_000,
                .commits([
                    Commit(sha: String(repeating: "d4", count: 20), headline: "Close <it>", author: "glbrntt")
                ])
            ),
            (190_000, .reviewRequested(by: Person(login: "glbrntt", avatarURL: nil), reviewer: "ada")),
            (
                90_000,
                .review(
                    id: "R1", by: Person(login: "ada", avatarURL: nil), verdict: .changesRequested,
                    body: [.markup("<p>Almost.</p>")], threads: [thread],
                    url: "https://github.com/apple/swift-nio/pull/3214#r1")
            ),
            (80_000, .forcePush(by: nil, before: "1234567890", after: "abcdef1234")),
            (70_000, .renamed(by: grace, from: "Old", to: "New <title>")),
            (60_000, .convertedToDraft(by: grace)), (50_000, .readyForReview(by: grace)),
            (45_000, .reviewRequestRemoved(by: grace, reviewer: "apple/nio")),
            (40_000, .closed(by: grace)), (30_000, .reopened(by: grace)),
            (2_000, .comment(comment("C3", "<p>Ping.</p>", ago: 2_000))),
            (1_000, .merged(by: grace, commit: "fedcba0987")),
        ]
        return events.map { Entry(at: .sample - $0, event: $1) }
    }
}

extension PullFile {
    static let samples: [PullFile] = [
        PullFile(
            path: "Sources/NIO/Channel.swift", previousPath: nil, status: .modified, additions: 2,
            deletions: 1,
            patch:
                "@@ -10,2 +10,3 @@ func close() {\n let a = 1\n-let b = 2 // <b>\n+let b = 3 // \u{202E}<b>\n+let c = \"four\"",
            blob: String(repeating: "e5", count: 20)),
        PullFile(
            path: "logo.png", previousPath: "old.png", status: .renamed, additions: 0, deletions: 0,
            patch: nil, blob: String(repeating: "f6", count: 20)),
        PullFile(
            path: "package-lock.json", previousPath: nil, status: .added, additions: 4_000, deletions: 0,
            patch: nil, blob: nil),
    ]
}

extension PullPageContent {
    static func sample(
        _ details: PullDetails? = .sample(), item: InboxItem? = InboxItem.samples[0],
        lastSeen: Date? = .sample - 5_000, files: [PullFile]? = nil, viewed: [String: String] = [:],
        error: APIError? = nil
    ) -> PullPageContent {
        var view = PullDetailsView()
        (view.details, view.item, view.lastSeenAt, view.error) = (details, item, lastSeen, error)
        view.isLoading = details == nil && error == nil
        var content = PullPageContent(
            key: InboxItem.samples[0].key, view: view, login: "ada", choices: PullPreferences(),
            viewed: viewed, now: .sample)
        content.files = files.map {
            PullFilePage(files: $0, headCommit: details?.headCommit ?? "", nextPage: 2, fetchedAt: .sample)
        }
        return content
    }
}

extension PullPageQuery {
    /// - Parameter query: for example "tab=files&diffs=split"
    static func sample(_ query: String = "") throws -> PullPageQuery {
        PullPageQuery(key: InboxItem.samples[0].key, host: nil, query: try Query(parsing: query), tab: nil)
    }
}

extension PullPaneView {
    static let sample = view()
    static let filesSample = view("tab=files&open=Sources/NIO/Channel.swift")

    static func view(_ query: String = "", _ content: PullPageContent = .sample(files: PullFile.samples))
        -> PullPaneView
    {
        guard let parsed = try? PullPageQuery.sample(query) else { fatalError("The query is invalid.") }
        return PullPaneView(content, parsed, pictures: nil)
    }
}

extension PullPageView {
    static let sample = PullPageView(layout: .sample, pane: .sample)
}

extension FileDiffView {
    static let sample = view()

    static func view(_ query: String = "tab=files", of file: PullFile = PullFile.samples[0]) -> FileDiffView {
        guard let parsed = try? PullPageQuery.sample(query) else { fatalError("The query is invalid.") }
        return FileDiffView(file, .sample(), parsed, pictures: nil)
    }
}
