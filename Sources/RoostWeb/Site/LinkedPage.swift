package import HTTPServer
package import RoostSupport

/// A page, or a part of one, behind a secret link or cookie.
package protocol LinkedPage: Sendable {
    /// What the secret opens.
    associatedtype Content: Sendable

    /// `everyone` if visitors without the secret get an answer too.
    var audience: Audience { get }
    /// The name of a part that is the same at every address with these settings, or nil for a page.
    var part: String? { get }
    /// Returns nil if the request has no valid secret.
    func content(for request: Request) async throws -> Content?
    /// Called for each request, cached or not, to refresh what is on screen from upstreams.
    func refresh(_ content: Content, for request: Request)
    /// Everything that the page shows of the content's own settings; part of the cache key.
    func settings(of content: Content) -> String
    func topics(of content: Content) -> [String]
    func render(_ reads: Reads, _ content: Content, for request: Request) throws -> RenderedPage
    /// The answer without a valid secret.
    func refuse(_ request: Request) async throws -> HandlerResult
}
