import Foundation

/// A pull request with what was found out about whose turn it is.
struct ClassifiedPull: Sendable {
    package let pull: PullRequest
    package let nodeId: String?
    package let finds: TurnRules.MatchedSearches
    package let waits: [TurnRules.DatedReason]
    let isAskedThroughTeam: Bool
    let isYours: Bool
    package let digest: PullDigest

    package init(_ facts: FetchedPull, finds: TurnRules.MatchedSearches, rules: TurnRules) {
        var pull = facts.pull
        let isOver = pull.state == .closed || pull.state == .merged
        isYours = finds.contains(.yours) || !isOver && rules.isMe(pull.authorLogin)
        let byName = !isYours && rules.isAskedByName(facts, found: finds)
        pull.isRequestedDirectly =
            facts.reviewers == nil && !facts.hasDetail && !byName && !finds.contains(.asked)
            ? nil : byName
        pull.requestedTeams = rules.askingTeams(facts, found: finds)
        isAskedThroughTeam =
            !isYours && !byName
            && (finds.contains(.asked) || !isOver && !pull.requestedTeams.isEmpty && rules.teams != nil)
        pull.isFromBot = pull.isFromBot || rules.isBot(pull.authorLogin)
        self.pull = pull
        nodeId = facts.nodeId
        self.finds = finds
        waits = rules.waits(facts, found: finds)
        digest = PullDigest(facts, waits: waits, rules: rules, found: finds)
    }

    var isTurn: Bool { waits.contains(where: \.isTurn) }

    /// Since when it waits for the reader; otherwise since when nothing happened.
    package var waitingSince: Date { waits.filter(\.isTurn).map(\.since).min() ?? pull.updatedAt }

    /// All that was fetched, each judged once.
    static func all(of result: PullFetchResult, teams: Set<String>?, bots: Set<String>)
        -> [PullKey: ClassifiedPull]
    {
        var finds: [PullKey: TurnRules.MatchedSearches] = [:]
        for (search, found) in result.found {
            for key in found.keys { finds[key, default: []].insert(search) }
        }
        let rules = TurnRules(login: result.login, teams: teams, bots: bots)
        return result.facts.reduce(into: [:]) { pulls, entry in
            guard let finds = finds[entry.key] else { return }
            pulls[entry.key] = ClassifiedPull(entry.value, finds: finds, rules: rules)
        }
    }
}
