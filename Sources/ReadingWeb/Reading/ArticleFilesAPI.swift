import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import RoostWeb
import TextFormats

struct ArticleFilesAPI: Sendable {
    let site: WebContext
    let services: ReadingServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let path = ArticlesAPI.path
        return [
            guarded.member(
                .get, path + "/export",
                query: [
                    .choice("format", ArticleExport.Format.self), "texts", .number("from"), .number("to"),
                    "gists",
                ], api: .files(["application/json", "text/html", "text/csv"], "The list as a file."), export),
            guarded.member(
                .get, path + "/export/parts", query: ["texts"] + Request.paging,
                api: .lists(PartJSON.self, "The parts in which a long list is exported."), parts),
            guarded.member(
                .post, path + "/import", bodyLimit: ReadingToolsController.uploadLimit,
                api: .makes(ImportJSON.self, "Imports a list of articles.").takingForm([
                    .choice("fetch", ["yes", "no"])
                ]).status(202), importFile),
            guarded.member(
                .get, path + "/imports/{id}", api: .answers(ImportJSON.self, "An import and its progress."),
                show),
        ]
    }

    /// Takes `?format=json|netscape|csv`, and `&texts=1` to include the articles' texts.
    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let format = ArticleExport.Format(rawValue: request.query["format"] ?? "json") else {
            throw RoostError.invalid(
                field: "format", why: "“format” must be “json”, “netscape” or “csv”.")
        }
        let export = try await services.exports.export(
            format, withTexts: request.query["texts"] == "1", part: try request.exportPart(), of: user.userId)
        return .response(ReadingToolsController.file(export))
    }

    private struct PartJSON: Codable {
        let from: String
        let to: String?
        let gists: Bool

        init(_ part: ArticleExport.Part) {
            from = "\(part.ids.lowerBound)"
            to = part.ids.upperBound == .max ? nil : "\(part.ids.upperBound)"
            gists = part.hasGists
        }
    }

    /// Lists the `from`, `to` and `gists` parameters that split an export into files small enough to import again.
    private func parts(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let parts = try services.exports.parts(
            reads, withTexts: request.query["texts"] == "1", of: user.userId)
        let page = try request.items(of: parts) { "\($0.ids.lowerBound)" }
        return .response(API.json(try Page(page.items.map(PartJSON.init), next: page.next)))
    }

    /// Takes a form with the file. The import continues in the background; its address reports the progress.
    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let file = try form.importFile("“file” is missing.")
        let started = try await services.imports.start(
            file.bytes, named: file.filename, fetching: form["fetch"] != "no", by: user.userId)
        var response = API.json(ImportJSON(started, problems: []), status: 202)
        response["Location"] = "\(ArticlesAPI.path)/imports/\(started.id)"
        return .response(response)
    }

    private func show(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let id = try ReadingAddress.number(request, "import")
        let imports = services.imports
        let found = try imports.find(reads, id, for: user.userId)
        let problems = try imports.problems(reads, of: id, for: user.userId)
        return .response(API.json(ImportJSON(found, problems: problems)))
    }

    private struct ImportJSON: Codable {
        struct Remark: Codable {
            let line: Int
            let part: String?
            let url, why: String
            let isImported: Bool
        }

        let id, fileName, format, state: String
        let total, added, known, merged, failed: Int
        let startedAt: String
        let endedAt: String?
        let remarks: [Remark]

        init(_ item: ArticleImport, problems: [ImportProblem]) {
            (id, fileName) = ("\(item.id)", item.fileName)
            (format, state) = (item.format.rawValue, item.state.rawValue)
            (total, added, known) = (item.total, item.added, item.duplicates)
            (merged, failed) = (item.merged, item.failed)
            startedAt = ISO8601.seconds(item.startedAt)
            endedAt = item.endedAt.map(ISO8601.seconds)
            remarks = problems.map {
                Remark(
                    line: $0.row, part: $0.part.isEmpty ? nil : $0.part, url: $0.address, why: $0.why,
                    isImported: $0.isImported)
            }
        }
    }
}
