import Accounts
import HTTPServer
import Reading
import RoostSupport

/// `/reading/tools`: the bookmarklet, and reading lists in and out of Roost.
struct ReadingToolsController: Sendable {
    private static let path = "/reading/tools"
    /// A file and the form around it.
    static let uploadLimit = ArticleImportFile.maximumBytes + (1 << 20)

    let site: WebContext
    private var imports: ArticleImportService { site.services.articleImports }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = "/reading/imports/{id}"
        return [
            guarded.member(.get, Self.path) { request, user in
                .response(try await shown(request, user))
            },
            guarded.member(.get, "/reading/imports", importsFragment),
            guarded.member(.post, "/reading/import", bodyLimit: Self.uploadLimit, importFile),
            guarded.member(.get, one + "/report.csv", report),
            guarded.member(.post, one + "/cancel") { request, user in
                try await imports.cancel(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "The import is stopped. What it has added stays.", user)
            },
            guarded.member(.post, one + "/undo") { request, user in
                try await imports.undo(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "What it has added is taken out again.", user)
            },
            guarded.member(.post, one + "/remove") { request, user in
                try await imports.remove(ReadingAddress.number(request, "import"), by: user.userId)
                return answer(request, "The import is off this page. Its articles stay.", user)
            },
            guarded.member(.get, "/reading/export.json") { try await export(.json, $0, $1) },
            guarded.member(.get, "/reading/export.html") { try await export(.netscape, $0, $1) },
            guarded.member(.get, "/reading/export.csv") { try await export(.csv, $0, $1) },
        ]
    }

    /// - Parameters:
    ///   - fileError: why a file could not be read at all
    ///   - feedForm: a feed that was refused
    func shown(
        _ request: Request, _ user: User, fileError: String? = nil, feedForm: FormState = .empty,
        status: Int = 200
    ) async throws -> Response {
        let id = user.userId
        let cursor = site.services.feed.cursor
        let reading = site.services.reading
        let feeds = try await site.services.readingFeeds.feeds(of: id).map { feed in
            let path = ReadingFeedsController.address(of: feed.token)
            return FeedRow(feed, address: site.link(to: path, for: request).address)
        }
        let imports = try await importsView(user)
        let shared = try await site.services.sharedItems.counts(of: id).withMe
        let categories = try await reading.categories(of: id).map(\.name)
        let tags = try await reading.tags(of: id).map(\.name)
        let layout = try await site.layout(
            for: user, request, place: ReadingController.path, cursor: cursor)
        let view = ReadingToolsView(
            layout: layout, offlineOwner: site.offlineOwner(request, user), shared: shared,
            bookmarklet: bookmarklet(request), feeds: request.isForOffline ? [] : feeds, imports: imports,
            count: try await reading.counts(of: id).all,
            exportParts: try await exportParts(request, user), categories: categories, tags: tags,
            preferences: try await reading.settings(for: id), fileError: fileError, feedForm: feedForm)
        return site.html(view, status: status)
    }

    /// The script as one line, with the address at which this browser knows Roost.
    private func bookmarklet(_ request: Request) -> String {
        let origin = site.forwarding.caller(of: request).origin ?? site.link(to: "", for: request).address
        let script = String(decoding: site.files.content(of: "js/bookmarklet.js") ?? [], as: UTF8.self)
        let line = script.splitBytes(at: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: " ")
        return "javascript:" + line.replacingBytes(of: "ROOST", with: origin)
    }

    private func answer(_ request: Request, _ words: String, _ user: User) -> HandlerResult {
        site.answer(request, page: Self.path + "#import", showing: NoticeView(text: words), to: user)
    }

    // MARK: In

    private func importsFragment(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: [Topic.reading(user.userId)], for: user)
        let view = try await importsView(user)
        return .response(site.fragment(view, version: "\(tag)-imports", for: request))
    }

    private func importsView(_ user: User) async throws -> ReadingImportsView {
        let now = site.services.clock.now()
        var rows: [ImportRow] = []
        for item in try await imports.imports(of: user.userId).prefix(10) {
            let remarks = try await imports.remarks(of: item.id, for: user.userId)
            rows.append(ImportRow(item, remarks: remarks, now: now))
        }
        return ReadingImportsView(rows)
    }

    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let file = form.files.first { $0.name == "file" }
        do {
            guard let file, !file.bytes.isEmpty else {
                throw RoostError.invalid(field: "file", why: "Choose a file first.")
            }
            _ = try await imports.start(
                file.bytes, named: file.filename, fetching: form["fetch"] != nil, by: user.userId)
            return .response(.redirect(to: Self.path + "#import"))
        } catch {
            let refused = try FormError(error, form, keeping: [])
            let why = refused.form.fieldErrors.values.first ?? refused.form.error
            return refused.answer(try await shown(request, user, fileError: why, status: refused.status))
        }
    }

    private func report(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.number(request, "import")
        let bytes = try await imports.report(of: id, for: user.userId)
        var response = Response.content(bytes, type: "text/csv; charset=utf-8")
        response["Content-Disposition"] = ContentDisposition.of("import-\(id).csv")
        response["Cache-Control"] = "no-store"
        return .response(response)
    }

    // MARK: Out

    /// One file, or one part of a list that is too long for one; the page then shows links to the parts.
    private func export(
        _ format: ArticleExport.Format, _ request: Request, _ user: User
    ) async throws -> HandlerResult {
        let hasTexts = format == .json && request.query["texts"] == "1"
        let part = try request.exportPart()
        let exports = site.services.articleExports
        if part == nil, try await exports.parts(withTexts: hasTexts, of: user.userId).count > 1 {
            let name = format.rawValue + (hasTexts ? "-texts" : "")
            return .response(.redirect(to: "\(Self.path)?parts=\(name)#export"))
        }
        return .response(
            Self.file(try await exports.export(format, withTexts: hasTexts, part: part, of: user.userId)))
    }

    /// Links to the files of a long list, where `?parts=` asks for them.
    private func exportParts(_ request: Request, _ user: User) async throws -> [ExportPartLink] {
        let words = (request.query["parts"] ?? "").splitBytes(at: "-")
        guard let format = words.first.flatMap({ ArticleExport.Format(rawValue: String($0)) }) else {
            return []
        }
        let hasTexts = words.last == "texts"
        let parts = try await site.services.articleExports.parts(withTexts: hasTexts, of: user.userId)
        return parts.enumerated().map { place, part in
            ExportPartLink(number: place + 1, part: part, format: format, hasTexts: hasTexts)
        }
    }

    static func file(_ export: ArticleExport) -> Response {
        var response = Response.stream(ByteStream(export.pieces), type: export.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(export.fileName)
        response[RequestFilter.policyHeader] =
            "default-src 'none'; form-action 'none'; base-uri 'none'; sandbox"
        response["Cache-Control"] = "no-store"
        return response
    }
}

extension Request {
    /// `?from=&to=&gists=1`: a part of an export; nil where none is named. Throws `RoostError.invalid`.
    func exportPart() throws -> ArticleExport.Part? {
        func id(_ name: String, else standard: ArticleID) throws -> ArticleID {
            guard let text = query[name], !text.isEmpty else { return standard }
            guard let id = ArticleID(text), id > 0 else {
                throw RoostError.invalid(field: name, why: "“\(name)” is the id of an article.")
            }
            return id
        }
        guard query["from"] != nil || query["to"] != nil else { return nil }
        let (first, last) = (try id("from", else: 1), try id("to", else: .max))
        guard first <= last else { throw RoostError.invalid(field: "to", why: "“to” is not below “from”.") }
        return ArticleExport.Part(ids: first...last, hasGists: query["gists"] == "1")
    }
}
