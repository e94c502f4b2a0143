/// What a router says about a method and a path.
enum RouteMatch {
    case found(BoundRoute, PathParameters)
    case options(allow: [Method])
    case notAllowed(allow: [Method])
    case notFound
    /// The path is no path, or not properly percent-encoded.
    case malformed
}
