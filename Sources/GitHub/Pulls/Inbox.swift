package import Foundation
package import RoostSupport

/// One user's pull requests at one moment: all sections of all connected accounts.
package struct Inbox: Equatable, Sendable {
    package var sections: [InboxSection]
    package var sources: [InboxSource]
    /// What was put away, latest first: shown apart, with a way back.
    package var hidden: [HiddenItem]
    /// How many pull requests wait for the user: the figure in the navigation and the tab's title.
    package var waiting: Int
    /// How the user likes it shown.
    package var choices: PullChoices
    package var now: Date

    package init(
        sections: [InboxSection], sources: [InboxSource], hidden: [HiddenItem], waiting: Int,
        choices: PullChoices = PullChoices(), now: Date
    ) {
        self.sections = sections
        self.sources = sources
        self.hidden = hidden
        self.waiting = waiting
        self.choices = choices
        self.now = now
    }
}

extension Inbox {
    /// Of all sections together.
    package var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }
}

/// One list of the inbox.
package struct InboxSection: Equatable, Sendable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable {
        case turn, teams, changed, yours, mentions, own
    }

    /// "turn", "teams", "changed", "yours", "mentions"; an own one is "own-7".
    package let id: String
    package let kind: Kind
    /// "Your turn", "Team requests", "Reviewed by you, changed since", "Yours", "Mentions", or the user's own name.
    package let name: String
    /// All of them, also those that stand in a section above.
    package var items: [InboxItem]
    /// How many GitHub says there are, where that is more than the items.
    package var total: Int?
    /// More than GitHub hands out (1,000), or than Roost fetched: said so.
    package var isCut: Bool
    /// Why an own search cannot be shown, in words: what GitHub has against the query.
    package var problem: String?

    package init(
        id: String, kind: Kind, name: String, items: [InboxItem], total: Int? = nil, isCut: Bool = false,
        problem: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.items = items
        self.total = total
        self.isCut = isCut
        self.problem = problem
    }
}

/// A pull request in one user's inbox.
///
/// It is a class because it is large and never changes: each copy of a struct would count up all of its texts.
package final class InboxItem: Equatable, Hashable, Sendable, Identifiable {
    /// How pressing the wait is, by the user's thresholds.
    package enum Pressure: String, Sendable {
        case calm, amber, red
    }

    package let accountId: GitHubAccountID
    package let key: PullKey
    package let pull: PullRequest
    /// Empty where it is nobody's turn, or somebody else's.
    package let reasons: [TurnReason]
    /// Since when it waits for the user; otherwise since when nothing happened.
    package let waitingSince: Date
    package let pressure: Pressure

    package var id: PullKey { key }

    package init(
        accountId: GitHubAccountID, key: PullKey, pull: PullRequest, reasons: [TurnReason],
        waitingSince: Date, pressure: Pressure
    ) {
        self.accountId = accountId
        self.key = key
        self.pull = pull
        self.reasons = reasons
        self.waitingSince = waitingSince
        self.pressure = pressure
    }

    package static func == (left: InboxItem, right: InboxItem) -> Bool {
        left === right
            || left.accountId == right.accountId && left.key == right.key && left.pull == right.pull
                && left.reasons == right.reasons && left.waitingSince == right.waitingSince
                && left.pressure == right.pressure
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// How one account's refreshing stands.
package struct InboxSource: Equatable, Sendable, Identifiable {
    package let accountId: GitHubAccountID
    package let host: String
    package let login: String
    package var authentication: AuthenticationState
    /// Loaded with the time of the last success.
    package var loading: LoadingState<Date>
    /// Until the next success; a retry shows loading meanwhile and keeps this.
    package var error: APIError?
    package var updatedAt: Date?
    package var nextTryAt: Date?
    /// Of GraphQL, or of searches where only REST is to be had.
    package var budget: RateBudget?
    /// Whether it is asked less often than usual, to leave a part of the budget.
    package var pace: PullSchedule.Pace
    /// Only REST is to be had: no checks, reviews or sizes.
    package var hasLessDetail: Bool
    /// Malformed items of the last refresh, which were left out.
    package var refused: Int
    /// Pull requests that GitHub found and refused to show: the token lacks what their organisation asks for (SAML).
    package var hiddenByGitHub: Int
    /// GitHub itself said that its search had not finished (`incomplete_results`), or left a part out.
    package var isIncomplete: Bool

    package var id: GitHubAccountID { accountId }

    package init(
        accountId: GitHubAccountID, host: String, login: String, authentication: AuthenticationState,
        loading: LoadingState<Date> = .idle, error: APIError? = nil, updatedAt: Date? = nil,
        nextTryAt: Date? = nil, budget: RateBudget? = nil, hasLessDetail: Bool = false, refused: Int = 0,
        isIncomplete: Bool = false, hiddenByGitHub: Int = 0, pace: PullSchedule.Pace = .usual
    ) {
        self.accountId = accountId
        self.host = host
        self.login = login
        self.authentication = authentication
        self.loading = loading
        self.error = error
        self.updatedAt = updatedAt
        self.nextTryAt = nextTryAt
        self.budget = budget
        self.hasLessDetail = hasLessDetail
        self.refused = refused
        self.isIncomplete = isIncomplete
        self.hiddenByGitHub = hiddenByGitHub
        self.pace = pace
    }
}

/// What the user did with a pull request to have it out of sight.
package enum PullMark: Codable, Equatable, Hashable, Sendable {
    /// Comes back at this time.
    case snoozedUntil(Date)
    /// Comes back with the next change, as `PullDigest.hasChanged` has it.
    case snoozedUntilChange
    /// Never comes back by itself.
    case muted
    /// Comes back only when it is the user's turn anew.
    case done

    /// When a snooze ends; nil for every other mark.
    package var until: Date? { if case .snoozedUntil(let time) = self { time } else { nil } }
}

/// A pull request that was put away.
package struct HiddenItem: Equatable, Sendable, Identifiable {
    package let key: PullKey
    package let mark: PullMark
    package let markedAt: Date
    /// As it was when last seen; nil after a restart until it is seen again.
    package let pull: PullRequest?

    package var id: PullKey { key }

    package init(key: PullKey, mark: PullMark, markedAt: Date, pull: PullRequest?) {
        self.key = key
        self.mark = mark
        self.markedAt = markedAt
        self.pull = pull
    }
}

/// What one user has done with the inbox, as SQLite has it at one moment.
package struct InboxSettings: Equatable, Sendable {
    /// What is put away.
    package var marks: [StoredMark] = []
    package var choices = PullChoices()
    /// In their order.
    package var sections: [OwnSection] = []

    package init() {}

    /// When the next snooze ends; nil where nothing is snoozed until a time.
    var nextEnd: Date? { marks.lazy.compactMap(\.mark.until).min() }
}
