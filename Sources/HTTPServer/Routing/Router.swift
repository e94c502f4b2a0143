/// Finds the route for a method and a path.
package struct Router: Sendable {
    /// Throws `RouterError` when two routes have the same method and shape, or a pattern cannot be read.
    package init(_ routes: [Route]) throws {}
}
