import Accounts
import HTTPServer
import Reading
import RoostSupport
import RoostWeb

/// `/reading/tools`: the bookmarklet, feeds, imports and exports.
struct ReadingToolsController: Sendable {
    private static let path = "/reading/tools"
    static let uploadLimit = ArticleImportService.rules.uploadLimit

    let site: WebContext
    let services: ReadingServices
    private var imports: ArticleImportService { services.imports }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/imports/{id}"
        return [
            guarded.member(.get, Self.path) { .response(site.html(try shown($0, $1, $2))) },
            guarded.fragment(
                "/reading/imports", topics: { [Topic.reading($1.userId)] }, variant: { _ in "-imports" }
            ) { try importsView($0, $2) },
            guarded.member(.post, "/reading/import", bodyLimit: Self.uploadLimit, importFile),
            guarded.member(.get, one + "/report.csv", report),
            guarded.member(.post, one + "/cancel") { request, user in
                try await imports.cancel(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "Import stopped. Articles that it added stay.", user)
            },
            guarded.member(.post, one + "/undo") { request, user in
                try await imports.undo(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "Undoing the import.", user)
            },
            guarded.member(.post, one + "/remove") { request, user in
                try await imports.remove(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "Import removed from this page. Its articles stay.", user)
            },
            guarded.member(.get, "/reading/export.json") { try await export(.json, $0, $1) },
            guarded.member(.get, "/reading/export.html") { try await export(.netscape, $0, $1) },
            guarded.member(.get, "/reading/export.csv") { try await export(.csv, $0, $1) },
        ]
    }

    func shown(
        _ reads: Reads, _ request: Request, _ user: User, fileError: String? = nil,
        feedForm: FormState = .empty
    ) throws -> ReadingToolsView {
        let id = user.userId
        let reading = services.articles
        let feeds = try services.feeds.feeds(reads, of: id).map { feed in
            let path = ReadingFeedsController.address(of: feed.token)
            return FeedRow(feed, address: site.link(to: path, for: request).address)
        }
        let imports = try importsView(reads, user)
        let shared = try services.sharedItems.counts(reads, of: id).withMe
        let categories = try reading.categories(reads, of: id).map(\.name)
        let tags = try reading.tags(reads, of: id).map(\.name)
        let layout = try site.layout(reads, for: user, request, currentEntry: ReadingController.path)
        return ReadingToolsView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), shared: shared,
            bookmarklet: bookmarklet(request), feeds: request.isForOffline ? [] : feeds, imports: imports,
            count: try reading.counts(reads, of: id).all,
            exportParts: try exportParts(reads, request, user), categories: categories, tags: tags,
            preferences: try reading.preferences(reads, of: id), fileError: fileError, feedForm: feedForm)
    }

    /// Returns the script as a single line, with the address under which this browser reaches Roost.
    private func bookmarklet(_ request: Request) -> String {
        let origin = site.visitors.caller(of: request).origin ?? site.link(to: "", for: request).address
        let script = String(decoding: site.assets.files.content(of: "js/bookmarklet.js") ?? [], as: UTF8.self)
        let line = script.splitBytes(at: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: " ")
        return "javascript:" + line.replacingBytes(of: "ROOST", with: origin)
    }

    private func answer(_ request: Request, _ message: String, _ user: User) -> HandlerResult {
        site.answer(request, page: Self.path + "#import", showing: NoticeView(text: message), to: user)
    }

    // MARK: Imports

    private func importsView(_ reads: Reads, _ user: User) throws -> ReadingImportsView {
        let now = site.clock.now()
        var rows: [ImportRow] = []
        for item in try imports.imports(reads, of: user.userId).prefix(10) {
            let problems = try imports.problems(reads, of: item.id, for: user.userId)
            rows.append(ImportRow(item, problems: problems, now: now))
        }
        return ReadingImportsView(rows)
    }

    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let file = try form.importFile()
            _ = try await imports.start(
                file.bytes, named: file.filename, fetching: form["fetch"] != nil, by: user.userId)
            return .response(.redirect(to: Self.path + "#import"))
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try shown($0, request, user, fileError: refused.message) })
        }
    }

    private func report(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.number(request, "import")
        let bytes = try await imports.report(of: id, for: user.userId)
        return .response(.csv(bytes, named: "import-\(id).csv"))
    }

    // MARK: Exports

    /// Redirects to the page with links to the parts if the list is too long for one file.
    private func export(
        _ format: ArticleExport.Format, _ request: Request, _ user: User
    ) async throws -> HandlerResult {
        let hasTexts = format == .json && request.query["texts"] == "1"
        let part = try request.exportPart()
        let exports = services.exports
        let parts = try await site.database.read {
            try exports.parts($0, withTexts: hasTexts, of: user.userId)
        }
        if part == nil, parts.count > 1 {
            let name = format.rawValue + (hasTexts ? "-texts" : "")
            return .response(.redirect(to: "\(Self.path)?parts=\(name)#export"))
        }
        return .response(
            Self.file(try await exports.export(format, withTexts: hasTexts, part: part, of: user.userId)))
    }

    private func exportParts(_ reads: Reads, _ request: Request, _ user: User) throws -> [ExportPartLink] {
        let components = (request.query["parts"] ?? "").splitBytes(at: "-")
        guard let format = components.first.flatMap({ ArticleExport.Format(rawValue: String($0)) }) else {
            return []
        }
        let hasTexts = components.last == "texts"
        let parts = try services.exports.parts(reads, withTexts: hasTexts, of: user.userId)
        return parts.enumerated().map { index, part in
            ExportPartLink(number: index + 1, part: part, format: format, hasTexts: hasTexts)
        }
    }

    static func file(_ export: ArticleExport) -> Response {
        var response = Response.stream(ByteStream(export.chunks), type: export.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(export.fileName)
        response[RequestFilter.policyHeader] =
            "default-src 'none'; form-action 'none'; base-uri 'none'; sandbox"
        response["Cache-Control"] = "no-store"
        return response
    }
}

extension Request {
    /// Reads `?from=&to=&gists=1`. Returns nil without `from` and `to`. Throws `RoostError.invalid`.
    func exportPart() throws -> ArticleExport.Part? {
        func id(_ name: String, else standard: ArticleID) throws -> ArticleID {
            guard let text = query[name], !text.isEmpty else { return standard }
            guard let id = ArticleID(text), id > 0 else {
                throw RoostError.invalid(field: name, why: "“\(name)” must be the id of an article.")
            }
            return id
        }
        guard query["from"] != nil || query["to"] != nil else { return nil }
        let (first, last) = (try id("from", else: 1), try id("to", else: .max))
        guard first <= last else {
            throw RoostError.invalid(field: "to", why: "“to” must not be below “from”.")
        }
        return ArticleExport.Part(ids: first...last, hasGists: query["gists"] == "1")
    }
}
