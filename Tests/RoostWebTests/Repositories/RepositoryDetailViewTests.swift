import Foundation
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import roost

@Suite struct RepositoryDetailViewTests {
    private static let now = Date(timeIntervalSince1970: 1_763_631_660)

    private func view(
        _ origin: String = "", isBookmarked: Bool = false, picture: String? = nil,
        _ change: (inout RepositoryView) -> Void = { _ in }
    ) -> RepositoryDetailView {
        var view = RepositoryView.sample
        change(&view)
        return RepositoryDetailView(
            view, isBookmarked: isBookmarked, origin: .browse(RepositoriesQuery(carried: origin)),
            gitHub: "https://github.com/apple/swift-nio"
        ) { _ in picture }
    }

    private func html(_ view: RepositoryDetailView) -> String { rendered(view) }

    @Test func `all details from GitHub are shown`() {
        let text = html(view())
        for fact in [
            "<dt>Stars</dt><dd>8,021</dd>", "<dt>Forks</dt><dd>891</dd>",
            "Open issues</dt><dd>114</dd>", "<dt>Language</dt><dd>Swift</dd>",
            "<dt>Owner</dt><dd>Organization</dd>", "<dt>Licence</dt><dd>Apache-2.0</dd>", ">2 h ago</time>",
            "href=\"https://example.org/docs\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">example.org/docs</a>",
            "href=\"/repositories?q=topic%3Aevent-loop\">event-loop</a>",
            "href=\"https://github.com/apple/swift-nio\" target=\"_blank\" rel=\"noopener noreferrer\">Open on GitHub",
        ] { #expect(text.contains(fact), "\(fact)") }
        #expect(!text.contains("Forked from") && !text.contains(">archived<"))
    }

    @Test func `a fork links to its parent, and an archived repository says so`() {
        let text = html(
            view {
                $0.item = RepositoryItem.samples[2]
                $0.item?.detail = RepositoryItem.samples[2].detail
            })
        #expect(
            text.contains("Forked from <a href=\"/repositories/upstream/rubinius\">upstream/rubinius</a>"))
        #expect(html(view { $0.item = RepositoryItem.samples[1] }).contains(">archived<"))
    }

    @Test func `the README's sanitised HTML is shown, with cached pictures or their alternative text`() {
        let text = html(view())
        #expect(
            text.contains(
                "Event-driven, with <span class=\"no-picture\">the logo</span> and "
                    + "<span class=\"no-picture\">build: &lt;passing&gt;</span>.</p>"))
        let pictured = html(view(picture: "/pictures/ab"))
        #expect(
            pictured.contains(
                "with <img src=\"/pictures/ab/page\" alt=\"the logo\" loading=\"lazy\" width=\"120\" height=\"40\"> and"
            ))
        #expect(
            !pictured.contains("https://example.org/logo.png"), "the browser loads no third-party pictures")
        #expect(pictured.contains("Read the rest on GitHub"))
    }

    @Test func `a missing or loading README is reported`() {
        let none = html(
            view {
                $0.readme = nil
                $0.hasNoReadme = true
            })
        #expect(none.contains("No README."))
        let empty = html(view { $0.readme = Readme(parts: []) })
        #expect(empty.contains("Its README is empty.") && !empty.contains("<article"))
        let loading = view {
            $0.readme = nil
            $0.readmeLoading = .loading
        }
        #expect(html(loading).contains("Loading the README …"))
        #expect(loading.isLoading)
        let failed = html(
            view {
                $0.readme = nil
                $0.readmeError = .serverError(statusCode: 502)
            })
        #expect(failed.contains("GitHub is temporarily unavailable") && failed.contains("8,021"))
    }

    @Test func `a retried detail or README says so, and changes the fingerprint`() {
        let error = APIError.serverError(statusCode: 502)
        let pairs = [
            (view { $0.error = error }, view { ($0.error, $0.loading) = (error, .loading) }),
            (
                view { $0.readmeError = error },
                view { ($0.readmeError, $0.readmeLoading) = (error, .loading) }
            ),
        ]
        for (failed, trying) in pairs {
            #expect(html(failed).contains("<button class=\"subtle\">Try again</button>"))
            #expect(html(trying).contains("<button class=\"subtle\" aria-disabled=\"true\">Trying…</button>"))
            #expect(failed.fingerprint != trying.fingerprint)
        }
    }

    @Test func `without requests left it shows the row's details, the reset time and a link to GitHub`() {
        let text = html(
            view {
                $0.item?.detail = nil
                $0.item?.fetchedAt = nil
                $0.readme = nil
                $0.error = .rateLimited(resetDate: Self.now + 600)
                $0.readmeError = $0.error
            })
        #expect(text.contains("Event-driven network application framework"))
        #expect(text.components(separatedBy: "GitHub rate limit exceeded. Resets at").count == 2, "once")
        #expect(text.contains("2025-11-20T09:51:00Z"))
        #expect(
            text.contains("Open on GitHub")
                && text.contains("action=\"/repositories/apple/swift-nio/refresh\""))
        #expect(!text.contains("<dl class=\"counts"))
    }

    @Test func `missing details have placeholders, and a deleted repository is reported`() {
        let waiting = view {
            $0.item = nil
            $0.readme = nil
            $0.loading = .loading
        }
        #expect(html(waiting).contains("counts waiting") && waiting.isLoading)
        #expect(html(waiting).contains("<span>apple/</span><wbr>swift-nio"))
        let missing = html(
            view {
                $0.item = nil
                $0.readme = nil
                $0.isMissing = true
            })
        #expect(missing.contains("This repository is not on GitHub, or you have no access to it."))
        #expect(!missing.contains("<dl class=\"counts") && !missing.contains("freshness-"))
    }

    @Test func `the page links back to the same list, and has a bookmark button`() {
        let text = html(view("since=26&pages=3"))
        #expect(text.contains("href=\"/repositories?since=26&amp;pages=3\" data-back"))
        #expect(text.contains("name=\"back\" value=\"/repositories/apple/swift-nio?since=26&amp;pages=3\""))
        #expect(text.contains("action=\"/bookmarks\"") && text.contains("aria-pressed=\"false\""))
        let bookmarked = html(view(isBookmarked: true))
        #expect(bookmarked.contains("action=\"/bookmarks/apple/swift-nio/remove\""))
        #expect(bookmarked.contains("Bookmarked"))
    }

    @Test func `the detail panel is empty without a selection`() {
        let isBlank = html(.none).allSatisfy { $0.isWhitespace }
        #expect(isBlank)
        #expect(RepositoryDetailView.none.address == "/repositories/detail")
    }

    @Test func `the fingerprint changes with the content, not with the time`() {
        let first = view()
        #expect(view { $0.now = Self.now + 30 }.fingerprint == first.fingerprint)
        #expect(view(isBookmarked: true).fingerprint != first.fingerprint)
        #expect(view(picture: "/pictures/ab").fingerprint != first.fingerprint, "a picture was added")
        #expect(view { $0.readme = nil }.fingerprint != first.fingerprint)
        #expect(view { $0.item = RepositoryItem.samples[1] }.fingerprint != first.fingerprint)
    }
}
