import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSimulator

/// Pages of the simulated sites, saved and fetched as people's are.
@Suite struct SimulatedReadingTests {
    /// Saves the pages, and works until nothing is due; answers them by their addresses.
    private func fetched(_ addresses: [String], _ fixture: SimulatedFixture) async throws -> [String:
        ArticleItem]
    {
        let owner = try await fixture.services.owner().userId
        for address in addresses {
            _ = try await fixture.services.reading.save(NewArticle(url: address), by: owner)
        }
        await fixture.services.readingWorker.runUntilIdle()
        let page = try await fixture.services.reading.list(
            ArticleFilter(list: .all), limit: 100, of: owner)
        return Dictionary(uniqueKeysWithValues: page.items.map { ($0.article.url, $0) })
    }

    @Test func `every article that a browser need not make comes with its text`() async throws {
        try await withSimulator { fixture in
            let addresses = SimulatedSite.all.flatMap { site in
                site.articles.filter { !$0.isForMembers && !$0.isBuiltByScript }.map {
                    site.address(of: $0.path)
                }
            }
            let items = try await fetched(addresses, fixture)
            #expect(items.count == addresses.count)
            for address in addresses {
                let item = try #require(items[address])
                #expect(item.fetchState == .fetched, "\(address)")
                #expect((item.wordCount ?? 0) > 100, "\(address)")
            }
        }
    }

    @Test func `what behaves badly is said in the article, what is no page is a link`() async throws {
        typealias Trouble = SiteSimulation.Trouble
        try await withSimulator { fixture in
            let items = try await fetched(
                [
                    Trouble.missing, Trouble.endlessRedirect, Trouble.huge, Trouble.bomb, Trouble.unavailable,
                    Trouble.pdf, Trouble.image,
                ], fixture)
            for address in [Trouble.missing, Trouble.endlessRedirect, Trouble.huge, Trouble.bomb] {
                #expect(items[address]?.fetchState.name == "failed", "\(address)")
            }
            #expect(items[Trouble.unavailable]?.fetchState == .waiting)
            #expect(items[Trouble.unavailable]?.retryReason?.contains("503") == true)
            #expect(items[Trouble.pdf]?.fetchState == .link(mediaType: "application/pdf"))
            #expect(items[Trouble.image]?.fetchState == .link(mediaType: "image/png"))
        }
    }

    @Test func `a short address becomes the article to which it leads`() async throws {
        try await withSimulator { fixture in
            let article = SimulatedSite.harbourGazette.address(
                of: "/2026/10/the-wall-that-lets-the-sea-in")
            let items = try await fetched([SiteSimulation.Trouble.redirects, article], fixture)
            #expect(items.count == 1)
            #expect(items.values.first?.fetchState == .fetched)
        }
    }

    @Test func `a redirect to this machine is not followed`() async throws {
        try await withSimulator { fixture in
            let address = "http://blog.tidewright.example/posts/measure-twice-mend-once"
            fixture.simulator.sites.change(address, SiteChange(redirect: fixture.simulator.gitHubURL + "/"))
            let items = try await fetched([address], fixture)
            #expect(items[address]?.fetchState.name == "failed")
            #expect(fixture.simulator.requests.allSatisfy { $0.path == address })
        }
    }
}
