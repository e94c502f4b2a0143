package import Foundation
package import RoostSupport

/// All sections of all connected accounts, at one time.
package struct Inbox: Equatable, Sendable {
    package var sections: [InboxSection]
    package var sources: [InboxSource]
    /// Snoozed, muted and done pull requests, latest first.
    package var hidden: [HiddenItem]
    /// Shown in the navigation and the tab's title.
    package var waiting: Int
    package var choices: PullPreferences
    package var now: Date

    package init(
        sections: [InboxSection], sources: [InboxSource], hidden: [HiddenItem], waiting: Int,
        choices: PullPreferences = PullPreferences(), now: Date
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
    package var itemCount: Int { sections.reduce(0) { $0 + $1.items.count } }
}

package struct InboxSection: Equatable, Sendable, Identifiable {
    package enum Kind: String, Sendable, CaseIterable {
        case turn, teams, changed, yours, mentions, own
    }

    /// "turn", "teams", "changed", "yours", "mentions", or "own-7" for the user's own section.
    package let id: String
    package let kind: Kind
    package let name: String
    /// All items, including those that are also in a section above.
    package var items: [InboxItem]
    package var total: Int?
    /// True if there are more than GitHub returns (1,000) or Roost has fetched.
    package var isCut = false
    /// Why a section is incomplete, such as GitHub's message about an invalid query.
    package var problem: String?
}

package struct InboxSource: Equatable, Sendable, Identifiable {
    package let accountId: GitHubAccountID
    package let host: String
    package let login: String
    package var authentication: AuthenticationState
    /// `loaded` has the time of the last success.
    package var loading: LoadingState<Date> = .idle
    /// Kept until the next success, even while a retry is loading.
    package var error: APIError?
    package var updatedAt: Date?
    package var nextTryAt: Date?
    /// GraphQL's budget, or that of searches if only REST is available.
    package var budget: RateBudget?
    /// True if only REST is available: there are no checks, reviews or sizes.
    package var hasLessDetail = false
    /// The number of malformed items in the last refresh, which are left out.
    package var refused = 0
    /// True if GitHub did not finish a search (`incomplete_results`), or left out a part.
    package var isIncomplete = false
    /// The number of pull requests that GitHub found but does not show: the token lacks what their organisation
    /// requires (SAML).
    package var hiddenByGitHub = 0
    package var pace: PullSchedule.Pace = .normal

    package var id: GitHubAccountID { accountId }
}

package struct HiddenItem: Equatable, Sendable, Identifiable {
    package let key: PullKey
    package let mark: PullMark
    package let markedAt: Date
    /// As last seen. Nil after a restart, until it is seen again.
    package let pull: PullRequest?

    package var id: PullKey { key }
}

package struct InboxSettings: Equatable, Sendable {
    package var marks: [StoredMark] = []
    package var choices = PullPreferences()
    package var sections: [OwnSection] = []

    package init() {}

    var nextEnd: Date? { marks.lazy.compactMap(\.mark.until).min() }
}
