package import Foundation
package import RoostSupport

/// A pull request that waits for someone in the team.
package struct TeamPull: Equatable, Sendable {
    package let pull: PullRequest
    /// The logins of those for whom it waits.
    package fileprivate(set) var people: [String]
    /// The start of the longest wait.
    package fileprivate(set) var waitingSince: Date
    package fileprivate(set) var pressure: InboxItem.Pressure
}

/// What waits for all users who allow it on wall screens.
package struct TeamPulls: Equatable, Sendable {
    /// Longest wait first.
    package fileprivate(set) var pulls: [TeamPull] = []
    /// The oldest update; nil while an account has not loaded.
    package fileprivate(set) var updatedAt: Date?
    package fileprivate(set) var error: APIError?
    /// False if no user with a GitHub account allows it.
    package fileprivate(set) var isAllowed = false
}

extension PullService {
    /// Returns only the pull requests of users who allow it. Does not wait for GitHub.
    package func teamPulls(_ reads: Reads) throws -> TeamPulls {
        var team = TeamPulls()
        var found: [PullKey: TeamPull] = [:]
        var updates: [Date?] = []
        for user in Set(accounts.all.map(\.userId)) {
            guard try reads.preferences(PullPreferences.self, of: user).isOnWalls else { continue }
            team.isAllowed = true
            let inbox = try inbox(reads, of: user)
            let logins = Dictionary(
                inbox.sources.map { ($0.accountId, $0.login) }, uniquingKeysWith: { first, _ in first })
            updates += inbox.sources.map(\.updatedAt)
            team.error = team.error ?? inbox.sources.lazy.compactMap(\.error).first
            for item in inbox.sections.first(where: { $0.kind == .turn })?.items ?? [] {
                let pressure = item.pressure(inbox.choices, at: inbox.now)
                let login = logins[item.accountId].map { [$0] } ?? []
                guard var known = found[item.key] else {
                    found[item.key] = TeamPull(
                        pull: item.pull, people: login, waitingSince: item.waitingSince, pressure: pressure)
                    continue
                }
                known.people += login.filter { !known.people.contains($0) }
                if item.waitingSince < known.waitingSince {
                    (known.waitingSince, known.pressure) = (item.waitingSince, pressure)
                }
                found[item.key] = known
            }
        }
        for key in found.keys { found[key]?.people.sort() }
        team.pulls = found.values.sorted {
            ($0.waitingSince, $0.pull.id) < ($1.waitingSince, $1.pull.id)
        }
        team.updatedAt = updates.contains(nil) ? nil : updates.compactMap(\.self).min()
        return team
    }

    package func watchTeam() async throws { try await database.read { try watchTeam($0) } }

    /// Refreshes the inboxes of users who allow it for a while, because a wall shows them.
    package func watchTeam(_ reads: Reads) throws {
        for user in Set(accounts.all.map(\.userId))
        where try reads.preferences(PullPreferences.self, of: user).isOnWalls {
            watch(user)
        }
    }
}

extension Topic {
    /// Changes of any user's inbox, for walls.
    package static let allPulls = "pulls"
}
