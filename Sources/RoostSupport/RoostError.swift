/// What goes wrong inside Roost, in words that a reader may see.
///
/// One function in `RoostWeb/Web` turns each case into a status; strangers' errors never pass through here unspoken.
package enum RoostError: Error, Equatable, Sendable {
    case notFound(String)
    /// Nobody knows who asks.
    case unknownVisitor(String)
    case notAllowed(String)
    /// `field` is the form's or the JSON's name of what is wrong.
    case invalid(field: String, why: String)
    case conflict(field: String, why: String)
    /// Somebody else's server, or our own disk, does not answer; `retryAfter` in seconds where it is known.
    case unavailable(String, retryAfter: Int? = nil)
    /// The disk takes nothing more, so that nothing was saved.
    case storageFull(String)
    /// The database file is damaged; an owner must restore a backup.
    case databaseDamaged(String)
    /// Asked or guessed too often; `retryAfter` in seconds.
    case tooMany(String, retryAfter: Int)

    /// The sentence for the reader.
    package var message: String {
        switch self {
        case .notFound(let why), .unknownVisitor(let why), .notAllowed(let why), .unavailable(let why, _): why
        case .storageFull(let why), .databaseDamaged(let why), .tooMany(let why, _): why
        case .invalid(_, let why), .conflict(_, let why): why
        }
    }
}
