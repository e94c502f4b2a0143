import HTTPServer

/// `/shared-gists/TOKEN`: one gist, to read, for whoever has its secret link.
struct SharedGistController: Sendable {
    static let word = "shared-gists"

    let site: WebContext

    static func address(of token: String) -> String { "/\(word)/\(PathSegment(token))" }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [guarded.link(.get, "/\(Self.word)/{token}", .async(show))]
    }

    /// Whoever asks, signed in or not, gets the same page: it has no form, and nothing of any session in it.
    private func show(_ request: Request) async throws -> HandlerResult {
        let item = try await site.services.gists.sharedGist(token: request.parameters["token"])
        let layout = GuestLayoutView(assets: site.assets, formToken: nil)
        var response = site.html(SharedGistView(layout: layout, gist: item.gist), hasForms: false)
        response["X-Robots-Tag"] = "noindex, nofollow"
        return .response(response)
    }
}
