import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// A pull request's page, its pane next to the list, and the diffs of its files.
struct PullPageController: Sendable {
    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let pull = "/pulls/{owner}/{name}/{number}"
        return [
            guarded.member(.get, pull) { try await page($0, .conversation, $1) },
            guarded.member(.get, pull + "/files") { try await page($0, .files, $1) },
            guarded.member(.get, pull + "/pane", pane),
            guarded.member(.get, pull + "/files/diff", diff),
            guarded.member(.get, pull + "/files/image", image),
            guarded.member(.post, pull + "/prefetch", prefetch),
            guarded.member(.post, pull + "/viewed", setViewed),
            guarded.member(.post, pull + "/refresh", refresh),
            guarded.member(
                .get, "/api/v1" + pull, query: ["host"],
                api: .answers(PullDetailsJSON.self, "One pull request, with its conversation and checks."),
                details),
            guarded.member(
                .get, "/api/v1" + pull + "/files",
                query: Request.paging(Self.filesOfPage, atMost: Self.filesOfPage)
                    + ["host", .number("page", from: 1), "since"],
                api: .answers(PullFilesJSON.self, "The files that a pull request changes, a page of them."),
                fileList),
        ]
    }

    static let missing = RoostError.notFound(
        "This pull request does not exist, or none of your GitHub accounts can see it.")

    /// In bytes.
    private static let maximumPath = 4_096
    /// Of GitHub's list, which Roost asks page by page.
    private static let filesOfPage = 100

    /// Where the list of files continues.
    private struct FilePosition: Codable {
        let page: Int
        /// The files of that page that came before.
        let skipped: Int
    }

    private func page(
        _ request: Request, _ tab: PullPageQuery.Tab, _ user: User
    ) async throws -> HandlerResult {
        let query = try PullPageQuery(request, tab)
        let (layout, content) = try await site.database.read { reads in
            (
                try site.layout(reads, for: user, request, currentEntry: "/pulls", scope: .acts),
                try read(reads, query, user)
            )
        }
        let loaded = try await loaded(content, query, user)
        return try await services.heavyWork.run(for: user.userId, rows: loaded.rows(of: query)) {
            let pane = PullPaneView(loaded, query, pictures: services)
            return .response(site.html(PullPageView(layout: layout, pane: pane)))
        }
    }

    private func pane(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = try PullPageQuery(request, nil)
        let topics = [Topic.pullDetails(user.userId), Topic.pulls(user.userId), Topic.pictures]
        let version = site.tag(of: topics, for: user)
        let content = try await site.database.read { try read($0, query, user) }
        let loaded = try await loaded(content, query, user)
        return try await services.heavyWork.run(for: user.userId, rows: loaded.rows(of: query)) {
            let view = PullPaneView(loaded, query, pictures: services)
            let tag = "\(version)-\(view.fingerprint)"
            return .response(site.fragment(view, version: tag, scope: .acts, for: request))
        }
    }

    private func diff(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = try PullPageQuery(request, .files)
        var content = try await site.database.read { try read($0, query, user) }
        let page = try await files(content.key, query, user)
        // Comments must be about the commit that is shown.
        content.files = page
        let path = request.query["path"] ?? ""
        guard let file = page.files.first(where: { $0.path.utf8.elementsEqual(path.utf8) }) else {
            throw RoostError.notFound("This file is not among the changes any more. Reload the page.")
        }
        let shown = try await withText(content, of: file.path, query, user)
        return try await services.heavyWork.run(for: user.userId, rows: shown.rows(ofDiff: file)) {
            let view = FileDiffView(file, shown, query, pictures: services)
            let tag = "\(site.tag(of: [], for: user))-\(view.fingerprint)"
            return .response(site.fragment(view, version: tag, scope: .acts, for: request))
        }
    }

    /// A picture before or after the change. Only files that begin as pictures do are sent, and nothing in them runs.
    private func image(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(ofPage: request)
        guard services.pulls.account(for: key, of: user.userId) != nil else { throw Self.missing }
        guard let path = request.query["path"], path.utf8.count <= Self.maximumPath,
            let commit = PullText.sha(request.query["commit"])
        else { throw RoostError.notFound("There is no such picture.") }
        let blob = try await services.pulls.blob(of: key, path: path, commit: commit, for: user.userId)
        let bytes = Array(blob.bytes)
        guard let mediaType = CheckedImage.mediaType(of: bytes) else {
            throw RoostError.notFound("There is no such picture.")
        }
        var response = Response.content(bytes, type: mediaType)
        response["Cache-Control"] = "private, max-age=3600"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }

    /// The browser shows the pull request before it in the list.
    private func prefetch(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await services.pulls.prefetchDetails(of: try PullKey(ofPage: request), for: user.userId)
        return .response(Response(status: 204))
    }

    private func setViewed(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let key = try PullKey(ofPage: request)
        try await services.pulls.setViewed(
            form["viewed"] == "true", path: form["path"] ?? "", blob: form["blob"] ?? "", of: key,
            for: user.userId)
        let back = ReturnURL(form[ReturnURL.field], else: key.page("/files")).address
        return site.answer(request, page: back, to: user)
    }

    /// Does not count as a look.
    private func details(_ request: Request, _ user: User) async throws -> HandlerResult {
        let query = try PullPageQuery(ofProgram: request, .conversation)
        let content = try await site.database.read { try read($0, query, user) }
        return try await services.heavyWork.run(for: user.userId, rows: content.rows(of: query)) {
            .response(API.json(try PullDetailsJSON(content)))
        }
    }

    private func fileList(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (limit, position) = try request.page(
            FilePosition.self, default: Self.filesOfPage, maximum: Self.filesOfPage)
        var asked = try PullPageQuery(ofProgram: request, .files)
        if let position { asked.page = PullPageQuery.page(position.page) }
        let query = asked
        if query.since == nil, request.query["since"]?.isEmpty == false {
            throw RoostError.invalid(field: "since", why: "This is not a commit.")
        }
        let content = try await site.database.read { try read($0, query, user) }
        let page = try await files(content.key, query, user)
        let rows = page.files.reduce(0) { $0 + $1.rows }
        return try await services.heavyWork.run(for: user.userId, rows: rows) {
            let skipped = min(max(position?.skipped ?? 0, 0), Self.filesOfPage)
            let end = skipped + limit
            let shown = page.files.prefix(end).dropFirst(skipped)
            let next: FilePosition? =
                end < page.files.count
                ? FilePosition(page: query.page, skipped: end)
                : page.nextPage.map { FilePosition(page: $0, skipped: 0) }
            return .response(
                API.json(try PullFilesJSON(Array(shown), of: page, viewed: content.viewed, next: next)))
        }
    }

    private func refresh(_ request: Request, _ user: User) async throws -> HandlerResult {
        let key = try PullKey(ofPage: request)
        guard services.pulls.account(for: key, of: user.userId) != nil else { throw Self.missing }
        services.pulls.refreshDetails(of: key, for: user.userId)
        let back = ReturnURL(try request.form()[ReturnURL.field], else: key.page()).address
        return site.answer(request, page: back, to: user)
    }
}

extension PullPageController {
    /// Throws `RoostError.notFound` if none of the user's accounts can see the pull request.
    func read(_ reads: Reads, _ query: PullPageQuery, _ user: User) throws -> PullPageContent {
        let pulls = services.pulls
        var view = try pulls.details(
            reads, owner: query.key.owner, name: query.key.name, number: query.key.number, host: query.host,
            for: user.userId)
        let key = view.details?.key ?? view.item?.key ?? view.key
        guard !view.isMissing else { throw Self.missing }
        view.lastSeenAt = try pulls.lastSeenAt(reads, of: key, for: user.userId)
        // Without an account that is connected, the error says so.
        let account = pulls.account(for: key, of: user.userId)
        var content = PullPageContent(
            key: key, view: view, login: account?.login ?? "",
            choices: try pulls.settings(reads, of: user.userId).choices,
            viewed: query.tab == .files ? try pulls.viewedFiles(reads, of: key, for: user.userId) : [:],
            now: site.clock.now())
        content.account = account?.id
        content.draft = try services.pullActions.draft(reads, of: key, by: user.userId)
        return content
    }

    /// Throws `RoostError.notFound` and `.unavailable`.
    func files(_ key: PullKey, _ query: PullPageQuery, _ user: User) async throws -> PullFilePage {
        if let since = query.since {
            return try await services.pulls.files(of: key, since: since, for: user.userId)
        }
        return try await services.pulls.files(of: key, page: query.page, for: user.userId)
    }

    /// Adds the text of a changed file, if all its lines are asked for.
    private func withText(
        _ content: PullPageContent, of path: String, _ query: PullPageQuery, _ user: User
    ) async throws -> PullPageContent {
        guard query.isWhole,
            let file = content.files?.files.first(where: { $0.path.utf8.elementsEqual(path.utf8) }),
            file.patch != nil
        else { return content }
        var content = content
        do {
            content.wholeText = try await services.pulls.text(
                of: file, at: content.shownHead, in: content.key, for: user.userId)
        } catch RoostError.unavailable(let why, _) {
            content.wholeProblem = why
        } catch RoostError.invalid(_, let why) {
            content.wholeProblem = why
        } catch RoostError.notFound {
            content.wholeProblem = "GitHub does not have this file."
        }
        return content
    }

    /// Loads the files if they are shown, and notes that the user has looked.
    private func loaded(
        _ content: PullPageContent, _ query: PullPageQuery, _ user: User
    ) async throws -> PullPageContent {
        var content = content
        if query.tab == .files {
            do {
                content.files = try await files(content.key, query, user)
            } catch RoostError.unavailable(let why, _) {
                content.filesProblem = why
            } catch RoostError.notFound where query.since != nil {
                content.filesProblem = "GitHub no longer has the commit that you reviewed."
            }
        }
        if let path = query.openPath { content = try await withText(content, of: path, query, user) }
        // A region that is fetched again is no new look. A full disk must not hide the page: the marks of the next
        // visit are only older.
        if content.view.details != nil, query.seen == nil {
            try? await services.pulls.markSeen(content.key, for: user.userId)
        }
        return content
    }
}

/// All that a page about a pull request shows, read at one moment.
struct PullPageContent: Sendable {
    let key: PullKey
    let view: PullDetailsView
    /// The name on GitHub of the user's account that sees it.
    let login: String
    var choices: PullPreferences
    let viewed: [String: String]
    let now: Date
    /// The id of that account, which acts.
    var account: GitHubAccountID?
    /// The user's review that is not sent yet.
    var draft: PullReview?
    var files: PullFilePage?
    /// Why the files could not be loaded.
    var filesProblem: String?
    /// The text after the change of the file that is shown with all its lines.
    var wholeText: String?
    /// Why it could not be loaded.
    var wholeProblem: String?
}

/// How long it takes to show something, in rows of `HeavyWorkQueue`.
extension PullPageContent {
    func rows(of query: PullPageQuery) -> Int {
        let isConversation = query.tab == .conversation
        let opened = query.openPath.flatMap { path in
            files?.files.first { $0.path.utf8.elementsEqual(path.utf8) }
        }
        return isConversation
            ? 4 * commentRows + codeRows : (files?.files.count ?? 0) + (opened.map { rows(ofDiff: $0) } ?? 0)
    }

    func rows(ofDiff file: PullFile) -> Int {
        file.rows + commentRows + (wholeText.map(PullFile.rows) ?? 0)
    }

    private var threads: [PullDetails.Thread] {
        view.details?.timeline.flatMap { entry -> [PullDetails.Thread] in
            if case .review(_, _, _, _, let threads, _) = entry.event { threads } else { [] }
        } ?? []
    }

    private var commentRows: Int {
        threads.reduce(view.details?.timeline.count ?? 0) { $0 + $1.comments.count }
    }

    private var codeRows: Int { threads.reduce(0) { $0 + PullFile.rows(of: $1.diffHunk) } }
}

extension PullFile {
    /// A line has 40 bytes on average. One long line takes as long as many short ones.
    static func rows(of patch: String) -> Int { patch.utf8.count / 40 }

    var rows: Int { 1 + (patch.map(Self.rows) ?? 0) }
}
