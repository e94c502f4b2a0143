import Foundation
import Testing

@testable import Market
@testable import RoostSimulator
@testable import RoostSupport

/// The logos of coins: only what a quote named, and only from where CoinGecko keeps them.
@Suite(.timeLimit(.minutes(2))) struct CoinLogosTests {
    private func address(_ url: String, home: String? = nil) -> PictureAddress? {
        PictureAddress(url, from: CoinPictureSource(home: home))
    }

    @Test func `a logo is fetched once and served by Roost`() async throws {
        try await withSimulator { fixture in
            let (services, simulator) = (fixture.services, fixture.simulator)
            _ = try await fixture.owner(watching: "bitcoin")
            let work = Task { await services.pictures.run() }
            #expect(services.logos.logo(of: "bitcoin") == nil)
            try await wait(for: "the logo") { services.logos.logo(of: "bitcoin") != nil }
            for _ in 0..<10 { _ = services.logos.logo(of: "bitcoin") }
            let path = try #require(services.logos.logo(of: "bitcoin"))
            let name = String(path.dropFirst("/pictures/".count))
            #expect(path.hasPrefix("/pictures/") && PictureAddress.isName(name))
            let picture = try #require(await services.pictures.picture(named: name))
            #expect(picture.mediaType == "image/png")
            #expect(simulator.requests(to: "/coins/images/1/large/coin.png").count == 1)
            work.cancel()
            await work.value
        }
    }

    @Test func `a coin without a quote has no logo, and nothing is asked`() async throws {
        try await withSimulator { fixture in
            #expect(fixture.services.logos.logo(of: "bitcoin") == nil)
            #expect(fixture.services.logos.logo(of: "../../etc/passwd") == nil)
            #expect(fixture.services.pictures.isIdle && fixture.services.pictures.waiting == 0)
        }
    }

    @Test(arguments: [
        "https://coin-images.coingecko.com/coins/images/1/large/bitcoin.png?1696501400",
        "https://assets.coingecko.com/coins/images/279/large/ethereum.png?1595348880",
        "https://static.coingecko.com/s/coin.png",
    ])
    func `CoinGecko's own hosts of pictures are asked, and lead nowhere else`(url: String) throws {
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
    func `no other host is asked`(url: String) {
        #expect(address(url) == nil)
    }

    @Test func `where the operator set an address its pictures are asked too, and no others of that machine`()
    {
        let home = "http://127.0.0.1:8090"
        let own = address(home + "/coins/images/1/large/coin.png", home: home)
        #expect(own?.isOwn == true && own?.mayRedirect == false)
        #expect(address("http://127.0.0.1:8091/coin.png", home: home) == nil)
        #expect(address("https://example.org/coin.png", home: home) == nil)
        #expect(address("https://assets.coingecko.com/coin.png", home: home)?.isOwn == false)
    }
}
