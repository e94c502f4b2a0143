import HTTPServer
import RoostServices

/// Other people's pictures.
struct PicturesFeature: Feature {
    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        PictureController(site: guarded.site).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        name == Topic.pictures ? [Topic.pictures] : nil
    }
}

/// `/pictures/NAME`: other people's pictures, from Roost's own disk.
struct PictureController: Sendable {
    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.member(.get, "/pictures/{name}", picture)]
    }

    private func picture(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let found = await site.services.pictures.picture(named: request.parameters["name"]) else {
            throw RoostError.notFound("There is no such picture.")
        }
        var response = Response.content(found.bytes, type: found.mediaType)
        // The same address may bring another picture some day. Nothing in it may run, whatever it is taken for.
        response["Cache-Control"] = "private, max-age=86400"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return .response(response)
    }
}
