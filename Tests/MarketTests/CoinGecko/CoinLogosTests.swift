import Foundation
import TestSupport
import Testing

@testable import Market
@testable import RoostSimulator
@testable import RoostSupport

/// Logos are fetched only for coins with a quote, and only from CoinGecko's image hosts.
@Suite(.timeLimit(.minutes(2))) struct CoinLogosTests {
    private func address(_ url: String, home: String? = nil) -> PictureAddress? {
        PictureAddress(url, from: CoinPictureSource(home: home))
    }

    @Test func `a logo is fetched once and then served by Roost`() async throws {
        try await withSimulator { fixture in
            let (services, simulator) = (fixture.services, fixture.simulator)
            _ = try await fixture.owner(watching: "bitcoin")
            let work = Task { await services.pictures.run() }
            #expect(services.market.logos.logo(of: "bitcoin") == nil)
            try await wait(for: "the logo") { services.market.logos.logo(of: "bitcoin") != nil }
            for _ in 0..<10 { _ = services.market.logos.logo(of: "bitcoin") }
            let path = try #require(services.market.logos.logo(of: "bitcoin"))
            let name = String(path.dropFirst("/pictures/".count))
            #expect(path.hasPrefix("/pictures/") && PictureAddress.isName(name))
            let picture = try #require(await services.pictures.picture(named: name))
            #expect(picture.mediaType == "image/png")
            #expect(simulator.requests(to: "/coins/images/1/large/coin.png").count == 1)
            work.cancel()
            await work.value
        }
    }

    @Test func `a coin without a quote has no logo, and none is requested`() async throws {
        try await withSimulator { fixture in
            #expect(fixture.services.market.logos.logo(of: "bitcoin") == nil)
            #expect(fixture.services.market.logos.logo(of: "../../etc/passwd") == nil)
            #expect(fixture.services.pictures.isIdle && fixture.services.pictures.waiting == 0)
        }
    }

    @Test(arguments: [
        "https://coin-images.coingecko.com/coins/images/1/large/bitcoin.png?1696501400",
        "https://assets.coingecko.com/coins/images/279/large/ethereum.png?1595348880",
        "https://static.coingecko.com/s/coin.png",
    ])
    func `logos come from CoinGecko's own image hosts, which may not redirect elsewhere`(url: String) throws {
        let logo = try #require(address(url))
        #expect(logo.url == url)
        #expect(!logo.isOwn && !logo.isArticle && !logo.mayRedirect)
    }

    @Test(arguments: [
        "http://coin-images.coingecko.com/coins/images/1/large/bitcoin.png", "https://example.org/coin.png",
        "https://coin-images.coingecko.com.example.org/coin.png", "https://coingecko.com/coin.png",
        "https://evil-assets.coingecko.com/coin.png", "https://127.0.0.1/coin.png",
        "https://user@assets.coingecko.com/coin.png", "http://127.0.0.1:8090/coins/images/1/large/coin.png",
    ])
    func `no other host is contacted`(url: String) {
        #expect(address(url) == nil)
    }

    @Test func `an address that the operator set may serve logos, but no other port of that machine`() {
        let home = "http://127.0.0.1:8090"
        let own = address(home + "/coins/images/1/large/coin.png", home: home)
        #expect(own?.isOwn == true && own?.mayRedirect == false)
        #expect(address("http://127.0.0.1:8091/coin.png", home: home) == nil)
        #expect(address("https://example.org/coin.png", home: home) == nil)
        #expect(address("https://assets.coingecko.com/coin.png", home: home)?.isOwn == false)
    }
}
