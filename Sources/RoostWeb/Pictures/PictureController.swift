package import Accounts
import HTTPServer
package import RoostSupport

package struct PicturesFeature: Feature {
    private let pictures: PictureCache

    package init(_ pictures: PictureCache) { self.pictures = pictures }

    package func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        PictureController(pictures: pictures).routes(guarded)
    }

    package func queues(_ reads: Reads) throws -> [QueueHealth] {
        [QueueHealth("Pictures to fetch", waiting: pictures.waiting)]
    }

    package func topics(named name: String, for user: User) -> [String]? {
        name == Topic.pictures ? [Topic.pictures] : nil
    }
}

/// `/pictures/NAME`: other sites' pictures, cached on Roost's disk. `/pictures/NAME/small` and `/pictures/NAME/page`
/// are smaller copies for lists and articles.
struct PictureController: Sendable {
    let pictures: PictureCache

    package func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/pictures/{name}", picture),
            guarded.member(.get, "/pictures/{name}/small") { request, _ in try await copy(request, .small) },
            guarded.member(.get, "/pictures/{name}/page") { request, _ in try await copy(request, .page) },
        ]
    }

    private func picture(_ request: Request, _ user: User) async throws -> HandlerResult {
        try answer(await pictures.picture(named: request.parameters["name"]))
    }

    private func copy(_ request: Request, _ size: ThumbnailMaker.Size) async throws -> HandlerResult {
        try answer(try await pictures.thumbnail(named: request.parameters["name"], size))
    }

    private func answer(_ found: PictureCache.Picture?) throws -> HandlerResult {
        guard let found else { throw RoostError.notFound("There is no such picture.") }
        var response = Response.content(found.bytes, type: found.mediaType)
        // The address may serve another picture later. The sandbox keeps a disguised HTML or SVG file from running
        // scripts.
        response["Cache-Control"] = "private, max-age=86400"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }
}
