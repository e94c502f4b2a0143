import Foundation
import HTTPServer
import Synchronization

/// The description of the JSON API: as OpenAPI for programs, and as a page for people. It is the same for everyone and says
/// nothing about this Roost, so it needs no token.
final class OpenAPIController: Sendable {
    static let pagePath = "/docs/api"

    private struct State {
        var routes: [SiteRoute] = []
        var document: OpenAPIDocument?
        var bytes: [UInt8]?
    }

    private let site: WebContext
    private let state = Mutex(State())

    init(site: WebContext) { self.site = site }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.everyone(
                .get, "/api/v1/openapi.json",
                api: .files(["application/json"], "This description of the API (OpenAPI 3.1)."), json),
            guarded.page(Self.pagePath, topics: { _, _ in [] }) { [self] reads, request, user in
                APIView(
                    layout: try site.layout(reads, for: user, request, currentEntry: nil), document: document)
            },
        ]
    }

    /// Describes these routes.
    func describe(_ routes: [SiteRoute]) { state.withLock { $0.routes = routes } }

    /// Made by the first request, then kept.
    private var document: OpenAPIDocument {
        state.withLock { state in
            let document = state.document ?? OpenAPIDocument(state.routes)
            state.document = document
            return document
        }
    }

    private func json(_ request: Request) async throws -> HandlerResult {
        let document = document
        let bytes = try state.withLock { state in
            if let bytes = state.bytes { return bytes }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let bytes = Array(try encoder.encode(document.json))
            state.bytes = bytes
            return bytes
        }
        var response = Response.content(bytes, type: "application/json")
        response["Cache-Control"] = "no-cache"
        response.etag = "\"\(site.assets.version)\""
        return .response(response)
    }
}
