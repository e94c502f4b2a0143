/// An error with a message for users.
///
/// One function in `RoostWeb/Site` maps each case to a status. Errors from other servers are never shown unchanged.
package enum RoostError: Error, Equatable, Sendable {
    case notFound(String)
    case unknownVisitor(String)
    case notAllowed(String)
    /// `field` is the name of the invalid field in the form or the JSON.
    case invalid(field: String, why: String)
    case conflict(field: String, why: String)
    /// An upstream server or the disk does not respond; `retryAfter` in seconds, if known.
    case unavailable(String, retryAfter: Int? = nil)
    case storageFull(String)
    /// The database file is damaged; an owner must restore a backup.
    case databaseDamaged(String)
    /// The data folder was moved or deleted while Roost runs.
    case dataFolderMissing(String)
    /// Too many requests or guesses; `retryAfter` in seconds.
    case tooMany(String, retryAfter: Int)

    package var message: String {
        switch self {
        case .notFound(let why), .unknownVisitor(let why), .notAllowed(let why), .unavailable(let why, _): why
        case .storageFull(let why), .databaseDamaged(let why), .dataFolderMissing(let why): why
        case .tooMany(let why, _): why
        case .invalid(_, let why), .conflict(_, let why): why
        }
    }

    /// For a cursor that the list did not issue.
    package static let invalidCursor = RoostError.invalid(field: "cursor", why: "Load the list again.")
}
