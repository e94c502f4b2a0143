/// A route in the router's tree: a class, so that finding it copies one reference.
final class BoundRoute: Sendable {
    let route: Route
    private let parameterNames: [String]

    init(route: Route, parameterNames: [String]) {
        self.route = route
        self.parameterNames = parameterNames
    }

    func parameters(_ values: [String]) -> PathParameters {
        PathParameters(Array(zip(parameterNames, values)))
    }
}
