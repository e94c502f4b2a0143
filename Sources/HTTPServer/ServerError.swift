/// Why the server cannot start, in words for the operator.
enum ServerError: Error, Equatable, CustomStringConvertible {
    case badAddress(String)
    case addressInUse(String)
    case notPermitted(String)
    case system(String)

    package var description: String {
        switch self {
        case .badAddress(let address):
            "Cannot listen on \"\(address)\": it should look like 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080."
        case .addressInUse(let address): "Cannot listen on \(address): another program listens there already."
        case .notPermitted(let address):
            "Cannot listen on \(address): not permitted (ports below 1024 need it)."
        case .system(let reason): reason
        }
    }
}
