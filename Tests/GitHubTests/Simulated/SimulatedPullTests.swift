import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// The inbox with the simulated GitHub, through the real client and session.
@Suite(.timeLimit(.minutes(2))) struct SimulatedPullTests {
    private func withGitHub(_ body: (Services, UserID, LogCapture) async throws -> Void) async throws {
        try await withFolder { folder in
            // The simulated pull requests change every minute: these expectations hold at this time.
            let clock = TestClock()
            let moment = Int(TestClock.start.timeIntervalSince1970 * 1_000)
            let simulator = try Simulator(SimulatorConfiguration(clock: .fixed(moment), listedCoins: 100))
            try simulator.start()
            let client = HTTPClient(userAgent: "Roost/test")
            let log = LogCapture()
            var configuration = Services.Configuration(dataFolder: folder)
            configuration.coinGeckoURL = simulator.coinGeckoURL
            configuration.gitHub.hosts = GitHubHosts(
                apiURL: simulator.gitHubAPIURL, webURL: simulator.gitHubURL)
            let services = try Services(
                configuration, client: client, clock: clock.wallClock, log: log.logger)
            let result: Result<Void, any Error>
            do {
                let owner = try await services.owner().userId
                try await services.load()
                _ = try await services.gitHub.accounts.connect(
                    token: GitHubTokens.classic(of: "ada"), host: nil, for: owner)
                result = .success(try await body(services, owner, log))
            } catch {
                result = .failure(error)
            }
            client.shutdown()
            await simulator.stop()
            try services.close()
            try result.get()
        }
    }

    @Test func `a connected account fills its inbox in one refresh, with all detail`() async throws {
        try await withGitHub { services, owner, log in
            await services.gitHub.pulls.refresh(owner)
            let inbox = try await services.gitHub.pulls.inbox(of: owner)
            let source = try #require(inbox.sources.first)
            #expect(source.error == nil && !source.hasLessDetail && source.refused == 0, "\(log.lines)")
            #expect(source.budget?.resource == "graphql" && source.updatedAt != nil)
            #expect(!log.lines.contains { $0.contains("incomplete") }, "\(log.lines)")
            let pulls = inbox.sections.flatMap(\.items).map(\.pull)
            #expect(inbox.waiting > 0 && pulls.count > 50)
            #expect(pulls.allSatisfy { $0.size != nil && $0.mergeable != nil && $0.unresolvedThreads != nil })
            // The counts are present only if the query requested them correctly.
            #expect(
                pulls.contains { ($0.checks?.passed ?? 0) > 0 }
                    && pulls.contains { !$0.requestedTeams.isEmpty })
            #expect(pulls.filter { $0.checks != nil }.allSatisfy { $0.checks?.passed != nil })
        }
    }

    @Test func `the simulated pull requests have many different reasons`() async throws {
        try await withGitHub { services, owner, _ in
            await services.gitHub.pulls.refresh(owner)
            let inbox = try await services.gitHub.pulls.inbox(of: owner)
            let reasons = inbox.sections.flatMap(\.items).flatMap(\.reasons)
            for reason in [
                TurnReason.askedByName, .commentAnswered, .checksFail, .approvedUnmerged, .changesRequested,
                .changedSinceReview,
            ] {
                #expect(reasons.contains(reason), "\(reason.label)")
            }
        }
    }
}
