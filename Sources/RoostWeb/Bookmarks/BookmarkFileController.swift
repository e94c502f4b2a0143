import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import TextFormats

/// `/bookmarks/import`: import from files and from GitHub's stars, and export to files.
struct BookmarkFileController: Sendable {
    /// A file and the form around it.
    private static let uploadLimit = BookmarkFileService.maximumFileBytes + (1 << 20)
    static let uploadPath = "/bookmarks/import"

    let site: WebContext
    let reports: ImportReportStore
    private var bookmarks: BookmarkService { site.services.bookmarks }
    private var files: BookmarkFileService { site.services.bookmarkFiles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.uploadPath, page),
            guarded.member(.get, "/bookmarks/import/stars", starsFragment),
            guarded.member(.get, "/bookmarks/import/failures.csv", failures),
            guarded.member(.post, Self.uploadPath, bodyLimit: Self.uploadLimit, read),
            guarded.member(.post, "/bookmarks/stars", readStars),
            guarded.member(.get, "/bookmarks/export.json") { try await export(.json, $1) },
            guarded.member(.get, "/bookmarks/export.csv") { try await export(.csv, $1) },
        ]
    }

    private func page(_ request: Request, _ user: User) async throws -> HandlerResult {
        .response(try await shown(request, user))
    }

    private func starsFragment(_ request: Request, _ user: User) async throws -> HandlerResult {
        let tag = site.tag(of: topics(user), for: user) + "-stars"
        return .response(site.fragment(try await starsView(user), version: tag, for: request))
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let file = try request.form().files.first { $0.name == "file" }
        do {
            let imported = try await files.read(file?.bytes ?? [], for: user.userId)
            reports.keep(imported, for: user.userId)
            return .response(.redirect(to: Self.uploadPath + "?report=1#report"))
        } catch RoostError.invalid("file", let why) {
            return .response(try await shown(request, user, fileError: why, status: 422))
        }
    }

    private func readStars(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await site.services.bookmarkStars.start(for: user.userId)
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/bookmarks").address
        return site.redirect(
            to: back, showing: BookmarkNotice.starsAsked.view(back: back), to: user)
    }

    private func export(_ format: BookmarkFileService.Format, _ user: User) async throws -> HandlerResult {
        let bytes = try await files.export(format, of: user.userId)
        let type = format == .json ? "application/json" : "text/csv; charset=utf-8"
        let day = ISO8601.seconds(site.services.clock.now()).prefix(10)
        return .response(Self.file(bytes, "roost-bookmarks-\(day).\(format.rawValue)", type: type))
    }

    /// All rows of the last file that could not be read; the page shows the first of them.
    private func failures(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let report = reports.last(of: user.userId) else {
            throw RoostError.notFound("No file of bookmarks was read within the last hour.")
        }
        let lines = report.failures.map { "\($0.row),\(CSV.written($0.why))\r\n" }
        let text = "row,why\r\n" + lines.joined()
        return .response(Self.file(Array(text.utf8), "not-imported.csv", type: "text/csv; charset=utf-8"))
    }

    private static func file(_ bytes: [UInt8], _ name: String, type: String) -> Response {
        var response = Response.content(bytes, type: type)
        response["Content-Disposition"] = "attachment; filename=\"\(name)\""
        response["Cache-Control"] = "no-store"
        return response
    }
}

/// How the page is filled.
extension BookmarkFileController {
    private func topics(_ user: User) -> [String] { [Topic.bookmarks(user.userId)] }

    private func starsView(_ user: User) async throws -> BookmarkStarsView {
        let listing = try await bookmarks.listing(.init(), for: user.userId)
        let gitHub = site.services.gitHub
        let isConnected = gitHub.accounts(of: user.userId).contains {
            $0.host == gitHub.hosts.standard.name && $0.state == .authenticated
        }
        return BookmarkStarsView(
            listing.stars, refused: listing.refusedStars, isConnected: isConnected,
            now: site.services.clock.now())
    }

    private func shown(
        _ request: Request, _ user: User, fileError: String? = nil, status: Int = 200
    ) async throws -> Response {
        let layout = try await site.layout(for: user, request, place: "/repositories")
        let report = request.query["report"] == nil ? nil : reports.last(of: user.userId)
        let view = BookmarkImportView(
            layout: layout, count: try await bookmarks.count(of: user.userId), report: report,
            stars: try await starsView(user), fileError: fileError)
        return site.html(view, status: status)
    }
}
