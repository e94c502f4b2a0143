import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSimulator

/// Saves and fetches pages of the simulated sites like users' pages.
@Suite struct SimulatedReadingTests {
    /// Saves the pages, runs the queue until nothing is due, and returns the articles by address.
    private func fetched(_ addresses: [String], _ fixture: SimulatedFixture) async throws -> [String:
        ArticleItem]
    {
        let owner = try await fixture.services.owner().userId
        for address in addresses {
            _ = try await fixture.services.reading.articles.save(ArticleDraft(url: address), by: owner)
        }
        await fixture.services.reading.worker.runUntilIdle()
        let page = try await fixture.services.reading.articles.list(
            ArticleFilter(list: .all), limit: 100, of: owner)
        return Dictionary(uniqueKeysWithValues: page.items.map { ($0.url, $0) })
    }

    @Test func `every article that needs no browser is fetched with its text`() async throws {
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
                #expect(item.isPartial == false, "\(address)")
            }
        }
    }

    @Test func `an article for members is marked as only its beginning`() async throws {
        try await withSimulator { fixture in
            let addresses = SimulatedSite.all.flatMap { site in
                site.articles.filter(\.isForMembers).map { site.address(of: $0.path) }
            }
            #expect(!addresses.isEmpty)
            let items = try await fetched(addresses, fixture)
            for address in addresses { #expect(items[address]?.isPartial == true, "\(address)") }
        }
    }

    @Test func `a failing page shows the reason in its article, and a file that is not a page is a link`()
        async throws
    {
        typealias SpecialURL = SiteSimulation.SpecialURL
        try await withSimulator { fixture in
            let items = try await fetched(
                [
                    SpecialURL.missing, SpecialURL.endlessRedirect, SpecialURL.huge, SpecialURL.bomb,
                    SpecialURL.unavailable,
                    SpecialURL.pdf, SpecialURL.image,
                ], fixture)
            for address in [SpecialURL.missing, SpecialURL.endlessRedirect, SpecialURL.huge, SpecialURL.bomb]
            {
                #expect(items[address]?.fetchState.name == "failed", "\(address)")
            }
            #expect(items[SpecialURL.unavailable]?.fetchState == .waiting)
            #expect(items[SpecialURL.unavailable]?.retryReason?.contains("503") == true)
            #expect(items[SpecialURL.pdf]?.fetchState == .link(mediaType: "application/pdf"))
            #expect(items[SpecialURL.image]?.fetchState == .link(mediaType: "image/png"))
        }
    }
}
