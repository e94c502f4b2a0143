import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import HTTPClient
@testable import RoostServices
@testable import RoostSimulator
@testable import RoostSupport

/// Repositories with the simulated GitHub, through the real client, sessions and database.
@Suite(.timeLimit(.minutes(3))) struct SimulatedRepositoryTests {
    private func withGitHub(
        as login: String? = nil, _ body: (Services, UserID, LogCapture) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let simulator = try Simulator(SimulatorConfiguration(listedCoins: 100))
            try simulator.start()
            let client = HTTPClient(userAgent: "Roost/test")
            let log = LogCapture()
            var configuration = Services.Configuration(dataFolder: folder)
            configuration.coinGeckoURL = simulator.coinGeckoURL
            configuration.gitHub.hosts = GitHubHosts(
                apiURL: simulator.gitHubAPIURL, webURL: simulator.gitHubURL)
            let services = try Services(configuration, client: client, log: log.logger)
            let result: Result<Void, any Error>
            do {
                let owner = try await services.owner().userId
                try await services.load()
                if let login {
                    _ = try await services.gitHub.accounts.connect(
                        token: GitHubTokens.classic(of: login), host: nil, for: owner)
                }
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

    private func listing(
        _ list: RepositoryList, pages: Int, _ services: Services, _ user: UserID
    ) async throws -> RepositoryListing {
        for _ in 0..<pages {
            _ = try await services.gitHub.repositories.listing(list, pages: pages, for: user)
            await services.gitHub.repositoryRefresher.runUntilIdle()
        }
        return try await services.gitHub.repositories.listing(list, pages: pages, for: user)
    }

    @Test func `signed out, three pages and one detail with its README stay within the limit`() async throws {
        try await withGitHub { services, user, log in
            let list = try await listing(.all(since: 0), pages: 3, services, user)
            #expect(list.items.count >= 290 && list.error == nil && list.hasMorePages, "\(log.lines)")
            #expect(list.refused == 0 && !list.isSignedIn)
            #expect(list.budget?.limit == 60)
            #expect(list.items.allSatisfy { $0.detail == nil && !$0.repository.isPrivate })
            services.gitHub.repositories.prefetch(list.items.prefix(5).map(\.id), for: user)
            await services.gitHub.repositoryRefresher.runUntilIdle()
            let row = try #require(list.items.first { !$0.repository.fork })
            let name = try #require(RepositoryName(row.fullName))
            _ = try await services.gitHub.repositoryDetails.view(of: name, for: user)
            await services.gitHub.repositoryRefresher.runUntilIdle()
            let view = try await services.gitHub.repositoryDetails.view(of: name, for: user)
            #expect(view.item?.detail != nil && view.error == nil, "\(log.lines)")
            #expect(view.readme != nil || view.hasNoReadme)
            let again = try await services.gitHub.repositories.listing(.all(since: 0), pages: 3, for: user)
            #expect(again.items.filter { $0.detail != nil }.count >= 5)
        }
    }

    @Test func `with an account whole pages are fetched by GraphQL and grouped by language`() async throws {
        try await withGitHub(as: "ada") { services, user, log in
            let list = try await listing(.all(since: 0), pages: 2, services, user)
            #expect(list.isSignedIn)
            await services.gitHub.repositoryRefresher.runUntilIdle()
            let whole = try await services.gitHub.repositories.listing(.all(since: 0), pages: 2, for: user)
            let known = whole.items.filter { $0.detail != nil }.count
            #expect(known > whole.items.count * 9 / 10, "\(log.lines)")
            let groups = try RepositoryArrangement(grouping: .language, sort: .stars).groups(of: whole.items)
            #expect(groups.count > 5)
            #expect(groups.reduce(0) { $0 + $1.items.count } == whole.items.count)
            #expect(!log.lines.contains { $0.contains("by REST") }, "\(log.lines)")
        }
    }

    @Test func `a node and REST's answer agree on every figure`() async throws {
        try await withGitHub(as: "ada") { services, user, _ in
            _ = try await listing(.all(since: 0), pages: 1, services, user)
            await services.gitHub.repositoryRefresher.runUntilIdle()
            let list = try await services.gitHub.repositories.listing(.all(since: 0), pages: 1, for: user)
            for item in list.items.filter({ $0.detail != nil }).prefix(10) {
                let name = try #require(RepositoryName(item.fullName))
                guard
                    case .changed(let rest) = try await services.gitHub.repositoryDetails.refresh(
                        name, for: user)
                else { continue }
                let node = try #require(item.detail)
                let detail = try #require(rest.detail)
                #expect(abs(detail.stars - node.stars) <= 5)
                #expect(detail.language == node.language && detail.licence == node.licence, "\(name)")
                #expect(detail.openIssues == node.openIssues && detail.forks == node.forks, "\(name)")
                #expect(detail.topics == node.topics && detail.parent == node.parent, "\(name)")
                #expect(detail.defaultBranch == node.defaultBranch, "\(name)")
                #expect(detail.homepage == node.homepage && detail.archived == node.archived, "\(name)")
            }
        }
    }
}
