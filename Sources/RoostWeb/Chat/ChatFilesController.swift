import Accounts
import Chat
import Foundation
import HTTPServer

/// Images and files of messages, and whole conversations to take along.
struct ChatFilesController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/chat/files/{file}") { request, user in
                let id = request.parameters["file"]
                return answer(try await site.services.chatFiles.content(of: id, for: user.userId), request)
            },
            guarded.member(.get, "/chat/files/{file}/thumbnail") { request, user in
                let id = request.parameters["file"]
                return answer(try await site.services.chatFiles.thumbnail(of: id, for: user.userId), request)
            },
            guarded.member(.get, "/chat/{id}/export.json", exportJSON),
            guarded.member(.get, "/chat/{id}/export.html", exportHTML),
        ]
    }

    /// Only checked images are shown; whatever else it is, nothing in it runs.
    private func answer(_ content: ChatFileService.Content, _ request: Request) -> HandlerResult {
        var response = Response.content(content.bytes, type: content.mediaType)
        response["Content-Disposition"] = ContentDisposition.of(
            content.file.name, isInline: content.isImage)
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        // For an hour only: a removed member's copy goes then.
        response["Cache-Control"] = "private, max-age=3600"
        response.etag = "\"\(content.file.id)-\(content.bytes.count)\""
        return .response(response)
    }

    private func exportJSON(_ request: Request, _ user: User) async throws -> HandlerResult {
        let export = try await site.services.chatExports.export(request.parameters["id"], for: user.userId)
        return .response(
            Self.download(ByteStream(export.json), "\(export.fileName).json", type: "application/json"))
    }

    private func exportHTML(_ request: Request, _ user: User) async throws -> HandlerResult {
        let export = try await site.services.chatExports.export(request.parameters["id"], for: user.userId)
        let pages = ChatExportPages(export: export, presenter: MessagePresenter(site: site))
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
