import Accounts
import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// Reading lists in and out, for programs.
struct ArticleFilesAPI: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let path = ArticlesAPI.path
        return [
            guarded.member(.get, path + "/export", export),
            guarded.member(.get, path + "/export/parts", parts),
            guarded.member(
                .post, path + "/import", bodyLimit: ReadingToolsController.uploadLimit, importFile),
            guarded.member(.get, path + "/imports/{id}", show),
        ]
    }

    /// `?format=json|netscape|csv`, and `&texts=1` for the articles' texts.
    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let format = ArticleExport.Format(rawValue: request.query["format"] ?? "json") else {
            throw RoostError.invalid(
                field: "format", why: "“format” is “json”, “netscape” or “csv”.")
        }
        let export = try await site.services.articleExports.export(
            format, withTexts: request.query["texts"] == "1", part: try request.exportPart(), of: user.userId)
        return .response(ReadingToolsController.file(export))
    }

    private struct PartJSON: Encodable {
        let from: String
        let to: String?
        let gists: Bool

        init(_ part: ArticleExport.Part) {
            from = "\(part.ids.lowerBound)"
            to = part.ids.upperBound == .max ? nil : "\(part.ids.upperBound)"
            gists = part.hasGists
        }
    }

    /// What `from`, `to` and `gists` of an export are, so that each file can be imported again.
    private func parts(_ request: Request, _ user: User) async throws -> HandlerResult {
        let parts = try await site.services.articleExports.parts(
            withTexts: request.query["texts"] == "1", of: user.userId)
        return .response(API.json(API.List(parts.map(PartJSON.init), next: nil)))
    }

    /// A form with the file; what it holds follows, and how far it has come is asked for by its address.
    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        guard let file = form.files.first(where: { $0.name == "file" }), !file.bytes.isEmpty else {
            throw RoostError.invalid(field: "file", why: "“file” is missing.")
        }
        let started = try await site.services.articleImports.start(
            file.bytes, named: file.filename, fetching: form["fetch"] != "no", by: user.userId)
        var response = API.json(ImportJSON(started, remarks: []), status: 202)
        response["Location"] = "\(ArticlesAPI.path)/imports/\(started.id)"
        return .response(response)
    }

    private func show(_ request: Request, _ user: User) async throws -> HandlerResult {
        let id = try ReadingAddress.number(request, "import")
        let imports = site.services.articleImports
        let found = try await imports.find(id, for: user.userId)
        let remarks = try await imports.remarks(of: id, for: user.userId)
        return .response(API.json(ImportJSON(found, remarks: remarks)))
    }

    private struct ImportJSON: Encodable {
        struct Remark: Encodable {
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

        init(_ item: ArticleImport, remarks: [ArticleImportRemark]) {
            (id, fileName) = ("\(item.id)", item.fileName)
            (format, state) = (item.format.rawValue, item.state.rawValue)
            (total, added, known) = (item.total, item.added, item.known)
            (merged, failed) = (item.merged, item.failed)
            startedAt = ISO8601.milliseconds(item.startedAt)
            endedAt = item.endedAt.map(ISO8601.milliseconds)
            self.remarks = remarks.map {
                Remark(
                    line: $0.line, part: $0.part.isEmpty ? nil : $0.part, url: $0.url, why: $0.why,
                    isImported: $0.isImported)
            }
        }
    }
}
