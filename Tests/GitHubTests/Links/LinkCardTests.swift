import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite(.timeLimit(.minutes(2))) struct LinkCardTests {
    private static func links(_ addresses: [String]) throws -> [WebLink] {
        try addresses.map { try #require(WebLink($0)) }
    }

    private static func cards(
        _ provider: some LinkCards, for links: [WebLink], user: UserID, in database: Database
    ) async throws -> [WebLink: LinkCard] {
        try await database.read { try provider.cards($0, for: links, user: user) }
    }

    // MARK: Pull requests

    private static func withPull(_ body: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            try await body(fixture)
        }
    }

    @Test(arguments: [
        "https://github.com/roost/nest/pull/7", "https://www.github.com/Roost/Nest/pull/7/files?w=1#x",
        "/pulls/github.com/roost/nest/7",
    ])
    func `a pull request in the reader's inbox has a card`(address: String) async throws {
        try await Self.withPull { fixture in
            let requests = fixture.gitHub.requests
            let links = try Self.links([address])
            #expect(links.allSatisfy(fixture.pulls.recognizes))
            let card = try #require(
                try await Self.cards(
                    fixture.pulls, for: links, user: fixture.user, in: fixture.pulls.database
                ).values.first)
            #expect(card.kind == "Pull request" && card.title == "Tidy the perch")
            #expect(card.subtitle == "roost/nest#7 by grace" && card.facts.first == .text("Open"))
            #expect(card.address == "/pulls/roost/nest/7")
            #expect(fixture.gitHub.requests == requests)
        }
    }

    @Test(arguments: ["/pulls/roost/nest/7", "/pulls/roost/nest/7/files?host=github.com"])
    func `the card of a link to Roost's page of a pull request leads there`(address: String) async throws {
        try await Self.withPull { fixture in
            let cards = try await Self.cards(
                fixture.pulls, for: Self.links([address]), user: fixture.user, in: fixture.pulls.database)
            #expect(cards.values.map(\.address) == [address])
            let other = try await Self.cards(
                fixture.pulls, for: Self.links(["/pulls/roost/nest/7?host=git.example.org"]),
                user: fixture.user, in: fixture.pulls.database)
            #expect(other.isEmpty)
        }
    }

    /// Stores a state of the pull request as its page would.
    private static func opened(
        _ fixture: PullServiceFixture, _ change: (inout PullRequest) -> Void
    ) async throws -> WebLink {
        var pull = try #require(try await fixture.item(7)).pull
        change(&pull)
        let key = PullFixture.key(7)
        let details = PullDetails(key: key, pull: pull, fetchedAt: fixture.clock.now)
        let stored = try StoredPullDetails(details, of: key)
        try await fixture.pulls.database.write { try $0.putPullDetails(stored, as: 1) }
        return try #require(WebLink("/pulls/roost/nest/7"))
    }

    @Test func `a card shows the later state of the inbox and the page, also after both went apart`()
        async throws
    {
        try await Self.withPull { fixture in
            try await fixture.storeAccount()
            func card(for user: UserID? = nil) async throws -> LinkCard? {
                let link = try #require(WebLink("/pulls/roost/nest/7"))
                return try await Self.cards(
                    fixture.pulls, for: [link], user: user ?? fixture.user, in: fixture.pulls.database
                ).values.first
            }
            #expect(try await card()?.facts.first == .text("Open"))
            fixture.clock.advance(60)
            _ = try await Self.opened(fixture) { $0.state = .merged }
            #expect(try await card()?.facts.first == .text("Merged"))
            #expect(try await card(for: fixture.other) == nil)
            let merged = fixture.clock.now
            fixture.gitHub.set(.reviewRequested)
            await fixture.refresh()
            #expect(try await fixture.item(7) == nil)
            #expect(try await card()?.facts.first == .text("Merged"))
            fixture.clock.advance(7_200)
            #expect(try await card()?.facts.last == .asOf(merged))
            // A merged pull request stays as it is.
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.asked.pages.isEmpty)
            fixture.accounts.change(1) { $0.state = .unauthenticated }
            #expect(try await card() == nil)
        }
    }

    @Test func `the card of a pull request that left the inbox open is fetched again, within the reserve`()
        async throws
    {
        try await Self.withPull { fixture in
            try await fixture.storeAccount()
            let link = try await Self.opened(fixture) { _ in }
            fixture.gitHub.set(.reviewRequested)
            await fixture.refresh()
            func show() async throws -> Int {
                _ = try await Self.cards(
                    fixture.pulls, for: [link], user: fixture.user, in: fixture.pulls.database)
                await fixture.pulls.refreshDue()
                return fixture.gitHub.asked.pages.count
            }
            #expect(try await show() == 0)
            fixture.clock.advance(301)
            fixture.gitHub.set(
                budget: RateBudget(
                    resource: "graphql", limit: 5_000, remaining: 1_001, resetAt: fixture.clock.now + 60))
            #expect(try await show() == 0)
            fixture.clock.advance(61)
            #expect(try await show() == 1)
            // GitHub has it no more, so nothing is left to show or to fetch.
            #expect(try await show() == 1)
        }
    }

    @Test func `a pull request that is not in the reader's inbox has no card`() async throws {
        try await Self.withPull { fixture in
            let links = try Self.links(["https://github.com/roost/nest/pull/7"])
            #expect(
                try await Self.cards(
                    fixture.pulls, for: links, user: fixture.other, in: fixture.pulls.database
                ).isEmpty)
        }
    }

    @Test(arguments: [
        "https://github.com/roost/nest/pull/8", "https://evil.example/roost/nest/pull/7",
        "/pulls/git.example.org/roost/nest/7",
    ])
    func `another number or host does not match the pull request`(address: String) async throws {
        try await Self.withPull { fixture in
            let cards = try await Self.cards(
                fixture.pulls, for: Self.links([address]), user: fixture.user, in: fixture.pulls.database)
            #expect(cards.isEmpty)
        }
    }

    @Test(arguments: [
        "https://github.com/roost/nest/pull", "https://github.com/roost/nest/issues/7",
        "https://github.com/roost/nest/pull/0", "https://github.com/roost/nest/pull/7x", "/pulls",
        "https://github.com/roost/ne%20st/pull/7", "https://github.com/roost/nest/pull/99999999999",
    ])
    func `other addresses are not recognised as pull requests`(address: String) async throws {
        try await Self.withPull { fixture in
            let links = try Self.links([address])
            #expect(!links.contains(where: fixture.pulls.recognizes))
        }
    }

    @Test func `a pull request's short name becomes its address`() async throws {
        try await Self.withPull { fixture in
            let command = try #require(fixture.pulls.linkCommand)
            for (user, name) in [(fixture.user, "Roost/nest#7"), (fixture.other, "roost/nest#7")] {
                let text = try await command.text(name, user)
                #expect(text.lowercased() == "https://github.com/roost/nest/pull/7")
            }
            for wrong in ["", "roost/nest", "roost/nest#x", "nest#7", "a/b/c#1", "roost/nest#7 please"] {
                let error = await refusal { _ = try await command.text(wrong, fixture.user) }
                #expect(error?.field == "text", "\(wrong)")
            }
        }
    }

    // MARK: Repositories

    @Test func `a public repository has a card for everyone, with one statement`() async throws {
        try await withRepositories { fixture in
            for id in 1...3 {
                fixture.github.set("/repos/owner\(id)/repo\(id)", RepositoryFixture.detail(id, stars: 1_234))
                _ = try await fixture.view("owner\(id)/repo\(id)")
            }
            let links = try Self.links([
                "https://github.com/Owner1/repo1", "/repositories/owner2/repo2",
                "https://github.com/owner3/repo3.git", "https://github.com/owner1/unknown",
            ])
            let (statements, asked) = (fixture.statements.all.count, fixture.github.paths.count)
            let cards = try await Self.cards(
                fixture.parts.cards, for: links, user: fixture.grace, in: fixture.work)
            let selects = fixture.statements.all[statements...].filter { $0.contains("FROM repositories") }
            #expect(selects.count == 1)
            #expect(fixture.github.paths.count == asked)
            #expect(cards.count == 3)
            let card = try #require(cards[links[0]])
            #expect(card.kind == "Repository" && card.title == "owner1/repo1")
            #expect(card.subtitle == "About 1" && card.address == "/repositories/owner1/repo1")
            #expect(card.facts.prefix(2) == [.count(1_234, "stars"), .text("Swift")])
        }
    }

    @Test func `a private repository has a card for its user only`() async throws {
        try await withRepositories { fixture in
            let own = RepositoryScript("ada")
            own.set("/repos/ada/secret", RepositoryFixture.detail(9, "ada/secret", isPrivate: "true"))
            fixture.accounts.set(own, for: fixture.ada)
            fixture.accounts.set(RepositoryScript("grace"), for: fixture.grace)
            _ = try await fixture.view("ada/secret")
            let links = try Self.links(["https://github.com/ada/secret"])
            let hers = try await Self.cards(
                fixture.parts.cards, for: links, user: fixture.ada, in: fixture.work)
            #expect(hers[links[0]]?.facts.first == .text("Private"))
            #expect(
                try await Self.cards(fixture.parts.cards, for: links, user: fixture.grace, in: fixture.work)
                    .isEmpty)
            fixture.accounts.set(nil, for: fixture.grace)
            #expect(
                try await Self.cards(fixture.parts.cards, for: links, user: fixture.grace, in: fixture.work)
                    .isEmpty)
        }
    }

    @Test(arguments: [
        "https://evil.example/owner1/repo1", "https://github.com/owner1", "/repositories/owner1",
        "https://github.com/owner1/repo1/pull/1", "/repositories/a%20b/c", "/repositories",
    ])
    func `other addresses are not recognised as repositories`(address: String) async throws {
        try await withRepositories { fixture in
            let link = try #require(WebLink(address))
            #expect(!fixture.parts.cards.recognizes(link))
        }
    }

    // MARK: Coins

    @Test(arguments: [
        "https://www.coingecko.com/en/coins/bitcoin", "https://coingecko.com/coins/bitcoin?x=1",
        "/coins/bitcoin",
        "/watchlist?q=bitcoin",
    ])
    func `a coin has a card with its last price`(address: String) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            let asked = fixture.upstream.requests.count
            let link = try #require(WebLink(address))
            let cards = try await Self.cards(
                fixture.services.market.watchlist, for: [link], user: owner, in: fixture.services.database)
            let card = try #require(cards[link])
            #expect(card.kind == "Coin" && card.title == "Bitcoin" && card.subtitle == "BTC")
            #expect(card.address == "/coins/bitcoin")
            let price = try #require(Decimal(string: "64250.5"))
            #expect(card.facts == [.price(price), .change(1.5)])
            #expect(fixture.upstream.requests.count == asked)
        }
    }

    @Test func `an old price shows its age`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin")
            await fixture.prices.refresh()
            let fetched = fixture.clock.now
            fixture.clock.advance(600)
            let link = try #require(WebLink("/coins/bitcoin"))
            let card = try await Self.cards(
                fixture.services.market.watchlist, for: [link], user: owner, in: fixture.services.database)[
                    link]
            #expect(card?.facts.last == .asOf(fetched))
        }
    }

    @Test func `an unwatched coin has a card without a price, and an unlisted coin has no card`() async throws
    {
        try await withServices { fixture in
            await fixture.loadCoins()
            let links = try Self.links(["/coins/solana", "/coins/nonesuch"])
            let cards = try await Self.cards(
                fixture.services.market.watchlist, for: links, user: 1, in: fixture.services.database)
            #expect(cards.keys.map(\.address) == ["/coins/solana"])
            #expect(cards[links[0]]?.facts == [.text("Price unknown")])
        }
    }

    @Test(arguments: [
        ("bitcoin", "Bitcoin /coins/bitcoin"), (" BTC ", "Bitcoin /coins/bitcoin"),
        ("Solana", "Solana /coins/solana"),
        ("boringdao-[old]", "BoringDAO [OLD] /coins/boringdao-%5Bold%5D"),
    ])
    func `a coin's id, symbol or name becomes a link to it`(words: String, text: String) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let command = try #require(fixture.services.market.watchlist.linkCommand)
            #expect(try await command.text(words, 1) == text)
            #expect(LinkFinder.matches(in: text).count == 1)
        }
    }

    @Test(arguments: ["", "  ", "bitcoi", "nonesuch", "!!"])
    func `an unknown coin is refused with a message`(words: String) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let command = try #require(fixture.services.market.watchlist.linkCommand)
            let error = await refusal { _ = try await command.text(words, 1) }
            #expect(error?.field == "text")
        }
    }
}
