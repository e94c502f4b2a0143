import Accounts
import Foundation
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb
import TextFormats

/// Changes many bookmarks at once, and reads and writes files of them.
struct BookmarksBulkAPI: Sendable {
    private static let path = "/api/v1/bookmarks"
    private static let maximumCount = 1_000

    let site: WebContext
    let services: GitHubServices
    private var bookmarks: BookmarkService { services.bookmarks }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(
                .patch, Self.path,
                api: .answers(CountJSON.self, "Changes up to 1,000 bookmarks at once.").taking(
                    ChangeRequest.self,
                    [
                        "fullNames": .list(1...Self.maximumCount),
                        "addTags": .list(of: .text(1...TagRules.maximumTagLength)),
                        "removeTags": .list(of: .text(1...TagRules.maximumTagLength)),
                    ]), change),
            guarded.member(
                .delete, Self.path, query: [APIParameter.texts("fullNames").required],
                api: .answers(CountJSON.self, "Removes the named bookmarks."), delete),
            guarded.member(
                .get, Self.path + "/export", query: [.choice("format", BookmarkFileService.Format.self)],
                api: .files(["application/json", "text/csv"], "All bookmarks as a file."), export),
            guarded.member(
                .post, Self.path + "/import", bodyLimit: BookmarkFileService.rules.uploadLimit,
                api: .answers(ImportReportJSON.self, "Imports a file of bookmarks.").takingForm(), importFile),
            guarded.member(.post, Self.path + "/stars", api: .does("Imports your GitHub stars.").status(202))
            { _, user in
                try await services.bookmarkStars.start(for: user.userId)
                return .response(Response(status: 202))
            },
        ]
    }

    private struct ChangeRequest: Decodable {
        let fullNames: [String]
        let addTags, removeTags: [String]?
        let isSeen: Bool?
    }

    private struct CountJSON: Codable {
        let count: Int
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(ChangeRequest.self)
        guard body.isSeen != false else {
            throw RoostError.invalid(field: "isSeen", why: "Changes can’t be marked as unseen.")
        }
        let added = try Self.checked(body.addTags, field: "addTags")
        let removed = try Self.checked(body.removeTags, field: "removeTags")
        let changes =
            added.map { BookmarkService.BulkAction.addTag($0) } + removed.map { .removeTag($0) }
            + (body.isSeen == true ? [.markSeen] : [])
        return try await apply(changes, to: body.fullNames, user)
    }

    /// Checks all tags before the first change, because each change is a transaction. Throws `RoostError.invalid`.
    private static func checked(_ tags: [String]?, field: String) throws -> [String] {
        do {
            return try (tags ?? []).map { try TagRules.tag($0) }
        } catch RoostError.invalid("tag", let why) {
            throw RoostError.invalid(field: field, why: why)
        }
    }

    private func delete(_ request: Request, _ user: User) async throws -> HandlerResult {
        let names = (request.query["fullNames"] ?? "").splitBytes(at: ",").map(String.init)
        return try await apply([.remove], to: names, user)
    }

    /// Answers how many of the bookmarks exist.
    private func apply(
        _ changes: [BookmarkService.BulkAction], to texts: [String], _ user: User
    ) async throws -> HandlerResult {
        guard (1...Self.maximumCount).contains(texts.count) else {
            throw RoostError.invalid(
                field: "fullNames", why: "Name 1 to \(Self.maximumCount) repositories.")
        }
        let names = try texts.enumerated().map { index, text in
            guard let name = RepositoryName(text) else {
                throw RoostError.invalid(
                    field: "fullNames[\(index)]", why: "Enter owner/name, such as apple/swift-nio.")
            }
            return name
        }
        let ids = try await site.database.read { reads in
            try names.compactMap { try bookmarks.bookmark(reads, named: $0, of: user.userId)?.id }
        }
        for change in changes { _ = try await bookmarks.change(ids, change, of: user.userId) }
        return .response(API.json(CountJSON(count: ids.count)))
    }

    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let format = BookmarkFileService.Format(rawValue: request.query["format"] ?? "json") else {
            throw RoostError.invalid(field: "format", why: "“format” must be “json” or “csv”.")
        }
        let bytes = try await services.bookmarkFiles.export(format, of: user.userId)
        let name = "roost-bookmarks-\(ISO8601.seconds(site.clock.now()).prefix(10)).\(format.rawValue)"
        return .response(
            format == .csv
                ? .csv(bytes, named: name) : .download(bytes, named: name, type: "application/json"))
    }

    /// Takes a form with `file`.
    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let file = try request.form().importFile("“file” is missing.")
        let report = try await services.bookmarkFiles.read(file.bytes, for: user.userId)
        return .response(API.json(ImportReportJSON(report)))
    }
}
