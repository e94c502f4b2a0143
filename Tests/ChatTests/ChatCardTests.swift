import Foundation
import RoostSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChatCardTests {
    @Test func `a message has at most five cards, one per link, in the links' order`()
        async throws
    {
        try await withServices { fixture in
            await fixture.loadCoins()
            func cards(_ texts: [String]) async throws -> [[LinkCard]] {
                try await fixture.services.database.read {
                    try fixture.services.chatLinks.cards.cards($0, in: texts, for: 1) { $0 == "roost.lan" }
                }
            }
            let coins = ["solana", "bitcoin", "nonesuch", "solana", "ethereum"]
            let text = coins.map { "http://roost.lan/coins/\($0)" }.joined(separator: " and ")
            let found = try await cards([text, "nothing", "/coins/bitcoin"])
            #expect(found.map { $0.map(\.title) } == [["Solana", "Bitcoin", "Ethereum"], [], ["Bitcoin"]])
            let many = (0..<10).map { "/coins/bitcoin?\($0)" } + ["/coins/solana"]
            let few = try await cards([many.joined(separator: " ")])
            #expect(few.map { $0.map(\.title) } == [["Bitcoin"]])
        }
    }

    @Test(arguments: [
        ("/coins/bitcoin", true), ("https://roost.lan/coins/x", true),
        ("https://evil.example/coins/x", true),
        ("https://github.com/a/b", true), ("https://example.org/", true), ("no link", false),
        ("/settings", false), ("https://roost.lan/settings", false),
    ])
    func `whether a text may have cards is known without looking them up`(text: String, mayHave: Bool)
        async throws
    {
        try await withServices { fixture in
            #expect(fixture.services.chatLinks.cards.mayHaveCards(text) { $0 == "roost.lan" } == mayHave)
        }
    }

    /// A GitHub server on the LAN or the demo's may have the same host as Roost.
    @Test func `a GitHub link is not taken for a Roost page under the same host`() async throws {
        try await withServices { fixture in
            #expect(fixture.services.chatLinks.cards.mayHaveCards("https://github.com/a/b") { _ in true })
        }
    }

    @Test(arguments: [
        "hello", "", "//", "// a comment", "/", "/ 2", "1/2", "/etc/passwd", "/watchlist?q=bitcoin",
        "//cdn.example/x",
        " /price bitcoin", "/2 thirds", "https://a.example",
    ])
    func `a text that is not a command is sent unchanged`(text: String) async throws {
        try await withServices { fixture in
            let sent = try await fixture.services.chatLinks.commands.text(for: text, by: 1)
            #expect(sent == text)
        }
    }

    @Test func `a command is replaced with its text and link`() async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let commands = fixture.services.chatLinks.commands
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
    func `a command with invalid arguments is refused at the text's field`(text: String) async throws {
        try await withServices { fixture in
            await fixture.loadCoins()
            let error = await refusal {
                _ = try await fixture.services.chatLinks.commands.text(for: text, by: 1)
            }
            #expect(error?.field == "text")
        }
    }

    @Test func `an unknown command lists the known ones and how to send the text literally`()
        async throws
    {
        try await withServices { fixture in
            let error = await refusal {
                _ = try await fixture.services.chatLinks.commands.text(for: "/shrug now", by: 1)
            }
            #expect(error?.message.contains("/price bitcoin") == true)
            #expect(error?.message.contains("//shrug") == true)
            let literal = try await fixture.services.chatLinks.commands.text(for: "//shrug now", by: 1)
            #expect(literal == "/shrug now")
        }
    }
}
