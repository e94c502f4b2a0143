import HTTPServer
import Reading
import RoostWeb

/// `/shared-gists/TOKEN`: a gist, for everyone with the secret link.
struct SharedGistController: Sendable {
    static let pathSegment = "shared-gists"

    let site: WebContext
    let services: ReadingServices

    static func address(of token: String) -> String { "/\(pathSegment)/\(PathSegment(token))" }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.get, "/\(Self.pathSegment)/{token}", .async(show))]
    }

    /// Returns the same page with or without a session: it has no forms and no data of a session.
    private func show(_ request: Request) async throws -> HandlerResult {
        let item = try await site.database.read {
            try services.gists.sharedGist($0, token: request.parameters["token"])
        }
        let layout = GuestLayoutView(assets: site.assets.address, formToken: nil)
        var response = site.html(SharedGistView(layout: layout, gist: item.gist), hasForms: false)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return .response(response)
    }
}
