import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

/// `/bookmarks/import`: imports files and GitHub stars, and exports files.
struct BookmarkFileController: Sendable {
    static let uploadPath = "/bookmarks/import"
    static let failuresPath = "/bookmarks/import/failures.csv"

    let site: WebContext
    let services: GitHubServices
    let reports: ImportReportStore
    private var bookmarks: BookmarkService { services.bookmarks }
    private var files: BookmarkFileService { services.bookmarkFiles }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.uploadPath, page),
            guarded.fragment(
                "/bookmarks/import/stars", topics: { topics($1) }, variant: { _ in "-stars" }
            ) { try starsView($0, $2) },
            guarded.member(.get, Self.failuresPath, failures),
            guarded.member(
                .post, Self.uploadPath, bodyLimit: BookmarkFileService.rules.uploadLimit, read),
            guarded.member(.post, "/bookmarks/stars", readStars),
            guarded.member(.get, "/bookmarks/export.json") { try await export(.json, $1) },
            guarded.member(.get, "/bookmarks/export.csv") { try await export(.csv, $1) },
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        .response(site.html(try pageView(reads, request, user)))
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let imported = try await files.read(try form.importFile().bytes, for: user.userId)
            reports.keep(imported, for: user.userId)
            return .response(.redirect(to: Self.uploadPath + "?report=1#report"))
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try pageView($0, request, user, fileError: refused.message) })
        }
    }

    private func readStars(_ request: Request, _ user: User) async throws -> HandlerResult {
        let back = ReturnURL(try request.form()[ReturnURL.field], else: "/bookmarks").address
        do { try await services.bookmarkStars.start(for: user.userId) } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try pageView($0, request, user, starsError: refused.message) })
        }
        return site.redirect(
            to: back, showing: BookmarkNotice.starImportStarted.view(back: back), to: user)
    }

    private func export(_ format: BookmarkFileService.Format, _ user: User) async throws -> HandlerResult {
        let bytes = try await files.export(format, of: user.userId)
        let name = "roost-bookmarks-\(ISO8601.seconds(site.clock.now()).prefix(10)).\(format.rawValue)"
        return .response(
            format == .csv
                ? .csv(bytes, named: name) : .download(bytes, named: name, type: "application/json"))
    }

    /// Returns all failed rows of the last import as CSV; the page shows only the first ones.
    private func failures(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let report = reports.last(of: user.userId) else {
            throw RoostError.notFound("No bookmarks were imported in the last hour.")
        }
        let lines = [["row", "why"]] + report.failures.map { ["\($0.row)", $0.why] }
        return .response(.csv(lines.flatMap(CSV.line), named: "not-imported.csv"))
    }
}

extension BookmarkFileController {
    private func topics(_ user: User) -> [String] { [Topic.bookmarks(user.userId)] }

    private func starsView(
        _ reads: Reads, _ user: User, error: String? = nil
    ) throws -> BookmarkStarsView {
        let listing = try bookmarks.listing(reads, .init(), for: user.userId)
        let gitHub = services.accounts
        let isConnected = gitHub.accounts(of: user.userId).contains {
            $0.host == gitHub.hosts.standard.name && $0.state == .authenticated
        }
        return BookmarkStarsView(
            listing.stars, refused: listing.refusedStars, isConnected: isConnected, refusal: error,
            now: site.clock.now())
    }

    private func pageView(
        _ reads: Reads, _ request: Request, _ user: User, fileError: String? = nil,
        starsError: String? = nil
    ) throws -> BookmarkImportView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/bookmarks")
        let report = request.query["report"] == nil ? nil : reports.last(of: user.userId)
        return BookmarkImportView(
            layout: layout, count: try bookmarks.count(reads, of: user.userId), report: report,
            stars: try starsView(reads, user, error: starsError), fileError: fileError)
    }
}
