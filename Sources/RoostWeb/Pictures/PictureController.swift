import Accounts
import HTTPServer
import RoostSupport

/// Other people's pictures.
struct PicturesFeature: Feature {
    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        PictureController(site: guarded.site).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        name == Topic.pictures ? [Topic.pictures] : nil
    }
}

/// `/pictures/NAME`: other people's pictures, from Roost's own disk. `/pictures/NAME/small` and `/pictures/NAME/page` are
/// copies for lists and for texts.
struct PictureController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, "/pictures/{name}", picture),
            guarded.member(.get, "/pictures/{name}/small") { request, _ in try await copy(request, .small) },
            guarded.member(.get, "/pictures/{name}/page") { request, _ in try await copy(request, .page) },
        ]
    }

    private func picture(_ request: Request, _ user: User) async throws -> HandlerResult {
        try answer(await site.services.pictures.picture(named: request.parameters["name"]))
    }

    private func copy(_ request: Request, _ size: ThumbnailMaker.Size) async throws -> HandlerResult {
        try answer(try await site.services.pictures.thumbnail(named: request.parameters["name"], size))
    }

    private func answer(_ found: PictureCache.Picture?) throws -> HandlerResult {
        guard let found else { throw RoostError.notFound("There is no such picture.") }
        var response = Response.content(found.bytes, type: found.mediaType)
        // The same address may bring another picture some day. Nothing in it may run, whatever it is taken for.
        response["Cache-Control"] = "private, max-age=86400"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }
}
