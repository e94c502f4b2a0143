/// Why a list of routes is refused at start.
enum RouterError: Error, Equatable, CustomStringConvertible {
    /// Two routes answer the same method and the same paths.
    case duplicate(Method, String, String)
    /// A pattern that does not begin with "/", has an unclosed brace, or a rest parameter before its end.
    case badPattern(String)

    package var description: String {
        switch self {
        case .duplicate(let method, let first, let second):
            "Two routes for the same addresses: \(method.rawValue) \(first) and \(method.rawValue) \(second)."
        case .badPattern(let pattern): "Not a route's pattern: \(pattern)"
        }
    }
}
