/// What the operator says about GitHub.
package struct GitHubConfiguration: Sendable {
    package var hosts = GitHubHosts()
    /// Of the OAuth app at the standard host: with it the device flow is offered.
    package var clientID: String?
    /// With it the web flow is offered too.
    package var clientSecret: String?

    package init() {}
}
