import Foundation
import GitHub
import MarketWeb
import RoostSupport

/// Shows the pull requests that wait for the team on walls.
struct WallTeamPulls: WallPulls {
    let service: PullService

    var topic: String { Topic.allPulls }

    func list(_ reads: Reads) throws -> WallPullList {
        try service.watchTeam(reads)
        let team = try service.teamPulls(reads)
        return WallPullList(
            pulls: team.pulls.map { waiting in
                WallPullList.Pull(
                    name: waiting.pull.id, title: waiting.pull.title, author: waiting.pull.authorLogin,
                    people: waiting.people, waitingSince: waiting.waitingSince,
                    pressure: WallPullList.Pull.Pressure(rawValue: waiting.pressure.rawValue) ?? .calm)
            }, updatedAt: team.updatedAt, problem: team.error?.message(source: "GitHub"),
            isAllowed: team.isAllowed)
    }

    func watch() async throws { try await service.watchTeam() }
}
