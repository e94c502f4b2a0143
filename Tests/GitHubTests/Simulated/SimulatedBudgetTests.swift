import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// The points that the inbox uses in an hour, with at least sixty pull requests in every list, counted as GitHub counts
/// them.
@Suite(.timeLimit(.minutes(5))) struct SimulatedBudgetTests {
    /// A minute's events in ada's and others' pull requests, by the number of the minute.
    private typealias Script = (_ minute: Int, _ own: [String], _ others: [String], GitHubSimulation) throws
        -> Void

    private static func get(_ target: String, _ gitHub: GitHubSimulation) throws -> [String: Any] {
        let answer = gitHub.answer(GitHubRequest(target: target, token: GitHubTokens.classic(of: "ada")))
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// Points left of the hour's limit.
    private static func remaining(_ gitHub: GitHubSimulation) throws -> Int {
        let resources = try get("/rate_limit", gitHub)["resources"] as? [String: Any]
        return try #require((resources?["graphql"] as? [String: Any])?["remaining"] as? Int)
    }

    /// Points of the first refresh, and of each of the 58 minutes after it while someone is watching.
    private func hour(_ script: Script) async throws -> (first: Int, minutes: [Int]) {
        try await withPulls { fixture in
            let clock = fixture.clock
            let gitHub = fixture.simulateGitHub()
            let (own, others) = try Self.fill(gitHub)
            clock.advance(60)
            let whole = try Self.remaining(gitHub)
            fixture.pulls.watch(fixture.user)
            await fixture.pulls.refreshDue()
            var left = try Self.remaining(gitHub)
            let first = whole - left
            var minutes: [Int] = []
            for minute in 1...58 {
                try script(minute, own, others, gitHub)
                // Mergeability is requested some seconds after a refresh.
                for seconds: TimeInterval in [3, 6, 12, 39] {
                    clock.advance(seconds)
                    fixture.pulls.watch(fixture.user)
                    await fixture.pulls.refreshDue()
                }
                let now = try Self.remaining(gitHub)
                minutes.append(left - now)
                left = now
            }
            let source = try #require(try await fixture.source)
            #expect(source.error == nil && source.pace == .normal && source.refused == 0)
            #expect(source.updatedAt.map { clock.now.timeIntervalSince($0) <= 60 } == true)
            return (first, minutes)
        }
    }

    /// Sixty pull requests or more for each list. Returns the keys of ada's and of those that others opened.
    private static func fill(_ gitHub: GitHubSimulation) throws -> (own: [String], others: [String]) {
        let own = try (0..<55).map { _ in try gitHub.open(.init(author: "ada")).key }
        var others: [String] = []
        for _ in 0..<60 {
            let key = try gitHub.requestReview(
                of: "ada", .init(body: "What does @ada think?", author: "grace")
            ).key
            try gitHub.assign("ada", to: key)
            try gitHub.comment(on: key, by: "ada", "I shall look.")
            others.append(key)
        }
        for _ in 0..<60 {
            let key = try gitHub.open(.init(author: "grace")).key
            try gitHub.review(key, by: "ada", .commented)
            others.append(key)
        }
        for search in PullSearch.standard {
            let words = try #require(
                search.query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let total = try get("/search/issues?q=\(words)&per_page=1", gitHub)["total_count"] as? Int
            #expect(try #require(total) >= 60, "\(search.query)")
        }
        return (own, others)
    }

    private func report(_ name: String, _ minutes: ArraySlice<Int>) {
        print(
            "GraphQL points at 60 a list, \(name): \(minutes.reduce(0, +)) in \(minutes.count) minutes, "
                + "\(minutes.max() ?? 0) in one at most")
    }

    @Test func `a quiet half-hour and a busy one use at most fifteen points a minute`() async throws {
        let hour = try await hour { minute, own, others, gitHub in
            guard minute > 29 else { return }
            try gitHub.push(to: own[minute % own.count])
            try gitHub.comment(on: others[minute % others.count], by: "grace")
            try gitHub.thread(on: own[(minute * 7 + 3) % own.count], by: "hedy")
            if minute % 3 == 0 { try gitHub.failChecks(of: own[(minute - 1) % own.count]) }
            if minute % 4 == 0 { try gitHub.setConflict(of: own[(minute * 5) % own.count]) }
        }
        print("GraphQL points at 60 a list: \(hour.first) for the first refresh")
        report("quiet", hour.minutes.prefix(29))
        report("busy", hour.minutes.dropFirst(29))
        #expect((1...120).contains(hour.first))
        #expect(hour.minutes.allSatisfy { (1...15).contains($0) }, "\(hour.minutes)")
    }
}
