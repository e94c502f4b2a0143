import Accounts
import Chat
import Foundation
import HTTPServer
import RoostWeb

struct ChatFilesController: Sendable {
    let site: WebContext
    let services: ChatServices
    let links: ChatLinks

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/chat/files/{file}") { request, user in
                let id = request.parameters["file"]
                return answer(try await services.files.content(of: id, for: user.userId), request)
            },
            guarded.member(.get, "/chat/files/{file}/thumbnail") { request, user in
                let id = request.parameters["file"]
                return answer(try await services.files.thumbnail(of: id, for: user.userId), request)
            },
            guarded.member(.get, "/chat/files/{file}/preview") { request, user in
                let id = request.parameters["file"]
                return answer(try await services.files.preview(of: id, for: user.userId), request)
            },
            guarded.member(.get, "/chat/{id}/export.json", exportJSON),
            guarded.member(.get, "/chat/{id}/export.html", exportHTML),
        ]
    }

    /// Only verified images are shown inline. The sandbox stops scripts in any file.
    private func answer(_ content: ChatFileService.Content, _ request: Request) -> HandlerResult {
        var response = Response.content(content.bytes, type: content.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(
            content.file.name, isInline: content.isImage)
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        // Only an hour, after which a removed member's copy expires.
        response["Cache-Control"] = "private, max-age=3600"
        response.etag = "\"\(content.file.id)-\(content.bytes.count)\""
        return .response(response)
    }

    private func exportJSON(_ request: Request, _ user: User) async throws -> HandlerResult {
        let export = try await services.exports.export(request.parameters["id"], for: user.userId)
        return .response(
            Self.download(ByteStream(export.json), "\(export.fileName).json", type: "application/json"))
    }

    private func exportHTML(_ request: Request, _ user: User) async throws -> HandlerResult {
        let export = try await services.exports.export(request.parameters["id"], for: user.userId)
        let pages = ChatExportPages(
            export: export, presenter: MessagePresenter(site: site, services: services, links: links))
        return .response(
            Self.download(ByteStream(pages), "\(export.fileName).html", type: "text/html; charset=utf-8"))
    }

    private static func download(_ stream: ByteStream, _ name: String, type: String) -> Response {
        var response = Response.stream(stream, type: type)
        response["Content-Disposition"] = ContentDisposition.of(name)
        response["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; sandbox"
        response["Cache-Control"] = "no-store"
        return response
    }
}
