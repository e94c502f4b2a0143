package import Foundation

/// A pull request in a user's inbox: as one of their accounts sees it, and how it concerns them.
///
/// A class, because it is large and never changes: copying a struct would retain each of its strings.
package final class InboxItem: Equatable, Hashable, Sendable, Identifiable {
    package enum Pressure: String, Codable, CaseIterable, Sendable {
        case calm, amber, red
    }

    package let accountId: GitHubAccountID
    package let key: PullKey
    package let pull: PullRequest
    /// GitHub's node id.
    let nodeId: String?
    let searches: TurnRules.MatchedSearches
    /// Empty if it isn't the user's turn, and nothing else concerns them.
    let waits: [TurnRules.DatedReason]
    let isRequestedThroughTeam: Bool
    let isAuthoredByUser: Bool
    let digest: PullDigest
    package let reasons: [TurnReason]
    let isTurn: Bool
    /// The start of the wait, or else the last update.
    package let waitingSince: Date

    package var id: PullKey { key }

    init(
        accountId: GitHubAccountID, key: PullKey, pull: PullRequest, nodeId: String? = nil,
        searches: TurnRules.MatchedSearches = [], waits: [TurnRules.DatedReason],
        isRequestedThroughTeam: Bool = false, isAuthoredByUser: Bool = false,
        digest: PullDigest = PullDigest()
    ) {
        self.accountId = accountId
        self.key = key
        self.pull = pull
        self.nodeId = nodeId
        self.searches = searches
        self.waits = waits
        self.isRequestedThroughTeam = isRequestedThroughTeam
        self.isAuthoredByUser = isAuthoredByUser
        self.digest = digest
        reasons = waits.map(\.reason)
        let turns = waits.filter(\.isTurn)
        isTurn = !turns.isEmpty
        waitingSince = turns.map(\.since).min() ?? pull.updatedAt
    }

    convenience init(
        _ facts: FetchedPull, at key: PullKey, of account: GitHubAccountID,
        searches: TurnRules.MatchedSearches, rules: TurnRules
    ) {
        var pull = facts.pull
        let isOver = pull.state == .closed || pull.state == .merged
        let isAuthoredByUser = searches.contains(.yours) || !isOver && rules.isMe(pull.authorLogin)
        let byName = !isAuthoredByUser && rules.isRequestedByName(facts, found: searches)
        pull.isRequestedDirectly =
            facts.reviewers == nil && !facts.hasDetail && !byName && !searches.contains(.reviewRequested)
            ? nil : byName
        pull.requestedTeams = rules.requestingTeams(facts, found: searches)
        let isRequestedThroughTeam =
            !isAuthoredByUser && !byName
            && (searches.contains(.reviewRequested)
                || !isOver && !pull.requestedTeams.isEmpty && rules.teams != nil)
        pull.isFromBot = pull.isFromBot || rules.isBot(pull.authorLogin)
        let waits = rules.waits(facts, found: searches)
        self.init(
            accountId: account, key: key, pull: pull, nodeId: facts.nodeId, searches: searches, waits: waits,
            isRequestedThroughTeam: isRequestedThroughTeam, isAuthoredByUser: isAuthoredByUser,
            digest: PullDigest(facts, waits: waits, rules: rules, found: searches))
    }

    static func all(
        of result: PullFetchResult, account: GitHubAccountID, teams: Set<String>?, bots: Set<String>
    ) -> [PullKey: InboxItem] {
        var searches: [PullKey: TurnRules.MatchedSearches] = [:]
        for (search, found) in result.found {
            for key in found.keys { searches[key, default: []].insert(search) }
        }
        let rules = TurnRules(login: result.login, teams: teams, bots: bots)
        return result.facts.reduce(into: [:]) { items, entry in
            guard let searches = searches[entry.key] else { return }
            items[entry.key] = InboxItem(
                entry.value, at: entry.key, of: account, searches: searches, rules: rules)
        }
    }

    /// How long it has waited for the user, by the hours that they chose.
    package func pressure(_ choices: PullPreferences, at now: Date) -> Pressure {
        guard isTurn else { return .calm }
        let hours = now.timeIntervalSince(waitingSince) / 3_600
        return hours >= Double(choices.redHours) ? .red : hours >= Double(choices.amberHours) ? .amber : .calm
    }

    package static func == (left: InboxItem, right: InboxItem) -> Bool {
        left === right
            || left.accountId == right.accountId && left.key == right.key && left.pull == right.pull
                && left.waits == right.waits
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
