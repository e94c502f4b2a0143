/// Why a pull request waits for its reader, or what happened to it since.
package enum TurnReason: Codable, Equatable, Hashable, Sendable {
    case askedByName
    /// "org/team"; nil where the token may not see which.
    case askedThroughTeam(String?)
    case assigned
    /// By the branch's rules with a push; false: by a person.
    case approvalDismissed(byPush: Bool)
    case commentAnswered
    /// Somebody said something on the reader's own pull request, which he has not answered.
    case commentUnanswered
    case checksFail
    /// With the base branch.
    case conflicts
    case approvedUnmerged
    /// Somebody asked for changes to the head as it is.
    case changesRequested
    case changedSinceReview

    /// In words, for a row.
    package var words: String {
        switch self {
        case .askedByName: "review requested"
        case .askedThroughTeam(let team): "asked through team \(team?.sanitized ?? "")".trimmed
        case .assigned: "assigned to you"
        case .approvalDismissed(byPush: true): "a push dismissed your approval"
        case .approvalDismissed(byPush: false): "your approval was dismissed"
        case .commentAnswered: "your comment was answered"
        case .commentUnanswered: "a comment awaits your answer"
        case .checksFail: "your PR’s checks fail"
        case .conflicts: "merge conflicts"
        case .approvedUnmerged: "ready to merge"
        case .changesRequested: "changes were asked for"
        case .changedSinceReview: "changed since your review"
        }
    }
}
