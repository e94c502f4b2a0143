/// What the operator says about GitHub.
package struct GitHubConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    package var hosts = GitHubHosts()
    /// Of the OAuth app at the standard host: with it the device flow is offered.
    package var clientID: String?
    /// With it the web flow is offered too.
    package var clientSecret: String?

    package init() {}

    /// Without the secret: whatever prints it prints this.
    package var description: String {
        "GitHubConfiguration(\(hosts.known.map(\.name).joined(separator: ", ")))"
    }
    package var customMirror: Mirror { Mirror(self, children: ["hosts": hosts]) }
}
