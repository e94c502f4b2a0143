/// What the operator says about GitHub.
package struct GitHubConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    package var hosts = GitHubHosts()
    /// Of the OAuth app at the standard host: with it the device flow is offered.
    package var clientID: String?
    /// With it the web flow is offered too.
    package var clientSecret: String?
    /// The operator's, for all who have no account at the standard host.
    package var token: GitHubToken?

    package init() {}

    /// Without secret and token: whatever prints it prints this.
    package var description: String {
        "GitHubConfiguration(\(hosts.known.map(\.name).joined(separator: ", ")))"
    }
    package var customMirror: Mirror { Mirror(self, children: ["hosts": hosts]) }
}
