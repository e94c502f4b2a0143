import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChatCardTests {
    @Test func `a message has the cards of its links, in their order, five at most and each once`()
        async throws
    {
        try await withServices { fixture in
            await fixture.loadCoins()
            let cards = fixture.services.chatCards
            let coins = ["solana", "bitcoin", "nonesuch", "solana", "ethereum"]
            let text = coins.map { "http://roost.lan/coins/\($0)" }.joined(separator: " and ")
            let found = try await cards.cards(in: [text, "nothing", "/coins/bitcoin"], for: 1) {
                $0 == "roost.lan"
            }
            #expect(found.map { $0.map(\.title) } == [["Solana", "Bitcoin", "Ethereum"], [], ["Bitcoin"]])
            let many = (0..<10).map { "/coins/bitcoin?\($0)" } + ["/coins/solana"]
            let few = try await cards.cards(in: [many.joined(separator: " ")], for: 1) { _ in false }
            #expect(few.map { $0.map(\.title) } == [["Bitcoin"]])
        }
    }

    @Test(arguments: [
        ("/coins/bitcoin", true), ("https://roost.lan/coins/x", true),
        ("https://evil.example/coins/x", true),
        ("https://github.com/a/b", true), ("https://example.org/", true), ("no link", false),
        ("/settings", false), ("https://roost.lan/settings", false),
    ])
    func `whether a text may have cards is said without looking for them`(text: String, mayHave: Bool)
        async throws
    {
        try await withServices { fixture in
            #expect(fixture.services.chatCards.mayHaveCards(text) { $0 == "roost.lan" } == mayHave)
        }
    }

    /// A GitHub of the LAN, or the demo's, is at an address that could be Roost's.
    @Test func `what leads to GitHub is not taken for a page of Roost's under the same host`() async throws {
        try await withServices { fixture in
            #expect(fixture.services.chatCards.mayHaveCards("https://github.com/a/b") { _ in true })
        }
    }

    @Test(arguments: [
        "hello", "", "//", "// a comment", "/", "/ 2", "1/2", "/etc/passwd", "/watchlist?q=bitcoin",
        "//cdn.example/x",
        " /price bitcoin", "/2 thirds", "https://a.example",
    ])
    func `a text that is no command is sent as it is`(text: String) async throws {
        try await withServices { fixture in
            let sent = try await fixture.services.chatCommands.text(for: text, by: 1)
            #expect(sent == text)
        }
    }

    @Test func `a command becomes the text with its link`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let commands = fixture.services.chatCommands
            for (typed, text) in [
                ("/price bitcoin", "Bitcoin /coins/bitcoin"),
                ("/PRICE  btc\n", "Bitcoin /coins/bitcoin"),
                ("/pr roost/nest#7", "https://github.com/roost/nest/pull/7"),
            ] {
                let sent = try await commands.text(for: typed, by: 1)
                #expect(sent == text)
            }
            #expect(commands.all.map(\.name) == ["pr", "price"])
        }
    }

    @Test(arguments: ["/nonesuch", "/price", "/price nonesuch", "/pr 7", "/pulls"])
    func `what is not understood is said at the text's field`(text: String) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let error = await refusal {
                _ = try await fixture.services.chatCommands.text(for: text, by: 1)
            }
            #expect(error?.field == "text")
        }
    }

    @Test func `an unknown command is answered with those there are, and how to write it after all`()
        async throws
    {
        try await withServices { fixture in
            let error = await refusal {
                _ = try await fixture.services.chatCommands.text(for: "/shrug now", by: 1)
            }
            #expect(error?.message.contains("/price bitcoin") == true)
            #expect(error?.message.contains("//shrug") == true)
            let literal = try await fixture.services.chatCommands.text(for: "//shrug now", by: 1)
            #expect(literal == "/shrug now")
        }
    }
}
