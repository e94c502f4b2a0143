/// Why a pull request waits for its reader, or what happened to it since.
package enum TurnReason: Codable, Equatable, Hashable, Sendable {
    case askedByName
    /// "org/team"; nil where the token may not see which.
    case askedThroughTeam(String?)
    case commentAnswered
    case checksFail
    case approvedUnmerged
    /// Somebody asked for changes to the head as it is.
    case changesRequested
    case changedSinceReview

    /// In words, for a row.
    package var words: String {
        switch self {
        case .askedByName: "review requested"
        case .askedThroughTeam(let team): "asked through team \(team?.calmed ?? "")".trimmed
        case .commentAnswered: "your comment was answered"
        case .checksFail: "your PR’s checks fail"
        case .approvedUnmerged: "ready to merge"
        case .changesRequested: "changes were asked for"
        case .changedSinceReview: "changed since your review"
        }
    }
}
