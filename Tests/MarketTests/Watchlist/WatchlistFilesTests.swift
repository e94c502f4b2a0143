import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import Market
@testable import RoostSupport

@Suite struct WatchlistFilesTests {
    private func withOwner(
        _ body: (ServicesFixture, WatchlistFiles, UserID) async throws -> Void
    ) async throws {
        try await withServices { fixture in
            let owner = try await fixture.owner(watching: "bitcoin", "boringdao-[old]")
            try await body(fixture, fixture.services.market.watchlistFiles, owner)
        }
    }

    private func read(
        _ lines: [String], as content: WatchlistFiles.Content = .list, _ files: WatchlistFiles,
        _ user: UserID, list: WatchlistID? = nil
    ) async throws -> ImportReport {
        try await files.read(
            Array(lines.joined(separator: "\r\n").utf8), as: content, for: user, list: list)
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    private func ids(_ fixture: ServicesFixture, _ user: UserID, _ list: WatchlistID? = nil) async throws
        -> [String]
    {
        try await fixture.services.market.watchlist.list(of: user, list, sort: .mine).entries.map(
            \.item.coinId)
    }

    @Test func `a list is written in the user's order, without spreadsheet formulas`()
        async throws
    {
        try await withOwner { fixture, files, owner in
            let note = try CoinNote(note: "=1+1, \"quoted\"\nTwo", category: "@home")
            try await fixture.services.market.watchlist.setNote(note, of: "bitcoin", for: owner)
            let text = String(decoding: try await files.export(.list, of: owner), as: UTF8.self)
            #expect(
                text == """
                    coin_id,symbol,name,category,note\r
                    bitcoin,btc,Bitcoin,'@home,"'=1+1, ""quoted""\nTwo"\r
                    boringdao-[old],bor,BoringDAO [OLD],,\r

                    """)
        }
    }

    @Test func `holdings are written to the last digit`() async throws {
        try await withOwner { fixture, files, owner in
            try await fixture.services.market.watchlist.addHolding(
                NewHolding(
                    coinId: "bitcoin", amountText: "0.123456789012345678", priceText: "64250.5",
                    currency: "eur", boughtOn: "2025-03-31", note: "First"), for: owner)
            try await fixture.services.market.watchlist.addHolding(
                NewHolding(coinId: "solana", amount: 2), for: owner)
            #expect(
                try await lines(files.export(.holdings, of: owner)) == [
                    "coin_id,symbol,name,amount,price,currency,bought_on,note",
                    "bitcoin,btc,Bitcoin,0.123456789012345678,64250.5,eur,2025-03-31,First",
                    "solana,sol,Solana,2,,,,",
                ])
        }
    }

    @Test func `an exported file is read back without loss, and a second time changes nothing`()
        async throws
    {
        try await withOwner { fixture, files, owner in
            let watchlist = fixture.services.market.watchlist
            let note = try CoinNote(note: "'=1+1\nTwo; three", category: "-core")
            try await watchlist.setNote(note, of: "bitcoin", for: owner)
            for amount in [1, 1, 2] {
                try await watchlist.addHolding(
                    NewHolding(coinId: "bitcoin", amount: Decimal(amount)), for: owner)
            }
            let (list, holdings) = (
                try await files.export(.list, of: owner), try await files.export(.holdings, of: owner)
            )
            let ada = try await fixture.services.identity.accounts.add(
                Profile(username: "ada"), role: .member, password: nil
            ).userId
            let first = try await files.read(list, as: .list, for: ada)
            #expect(first == .init(added: 2, updated: 0, unchanged: 0, failures: []))
            let held = try await files.read(holdings, as: .holdings, for: ada)
            #expect(held == .init(added: 3, updated: 0, unchanged: 0, failures: []))
            #expect(try await ids(fixture, ada) == ["bitcoin", "boringdao-[old]"])
            #expect(
                try await watchlist.database.read { try watchlist.notes($0, of: ada) } == ["bitcoin": note])
            #expect(try await watchlist.holdings(of: ada).map(\.amount) == [1, 1, 2])
            let again = try await files.read(list, as: .list, for: ada)
            #expect(again == .init(added: 0, updated: 0, unchanged: 2, failures: []))
            let heldAgain = try await files.read(holdings, as: .holdings, for: ada)
            #expect(heldAgain == .init(added: 0, updated: 0, unchanged: 3, failures: []))
            #expect(try await watchlist.holdings(of: ada).count == 3)
        }
    }

    @Test func `columns may be in any order, with other headers and separators`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                ["Notes;Ticker;Group", "\"a;b\";ETH;\"Layer 1\"", ";sol;"], files, owner)
            #expect(report == .init(added: 2, updated: 0, unchanged: 0, failures: []))
            #expect(try await ids(fixture, owner).suffix(2) == ["ethereum", "solana"])
            let note = try await fixture.services.database.read {
                try fixture.services.market.watchlist.note($0, of: owner, coin: "ethereum")
            }
            #expect(note.note == "a;b" && note.category == "Layer 1")
        }
    }

    @Test func `without headers each line starts with an id or a symbol`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(["ethereum", "SOL", "", "Bitcoin"], files, owner)
            #expect(report == .init(added: 2, updated: 0, unchanged: 1, failures: []))
            #expect(
                try await ids(fixture, owner) == ["bitcoin", "boringdao-[old]", "ethereum", "solana"])
        }
    }

    @Test(arguments: ["coin", "Coins", "Token", "asset"])
    func `a single column of coins may have a heading, and holds ids or symbols`(heading: String) async throws
    {
        try await withOwner { fixture, files, owner in
            let report = try await read([heading, "ethereum", "SOL"], files, owner)
            #expect(report == .init(added: 2, updated: 0, unchanged: 0, failures: []))
            #expect(try await ids(fixture, owner).suffix(2) == ["ethereum", "solana"])
        }
    }

    @Test func `a coin's name next to its symbol is ignored if it isn't an id`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                ["Coin,Symbol,Quantity", "Ether of the people,eth,2"], as: .holdings, files, owner)
            #expect(report == .init(added: 1, updated: 0, unchanged: 0, failures: []))
            #expect(
                try await fixture.services.market.watchlist.holdings(of: owner).map(\.coinId) == ["ethereum"])
        }
    }

    @Test func `each failed row is reported with its line and reason, and the others are imported`()
        async throws
    {
        try await withOwner { fixture, files, owner in
            let long = String(repeating: "x", count: 65)
            let report = try await read(
                [
                    "coin_id,symbol,category", "nonsense,btc,", ",unheard,", ",,Layer 1",
                    "ethereum,,\(long)", "\"sol\nana\",,", "solana,eth,ok", "ethereum,,\"open",
                ], files, owner)
            #expect(report.added == 1)
            #expect(
                report.failures.map(\.row) == [2, 3, 4, 5, 6, 9])
            #expect(
                report.failures.map(\.why) == [
                    "CoinGecko has no coin “nonsense”.", "CoinGecko has no coin “unheard”.",
                    "The row names no coin.", "Use at most 64 characters.",
                    "CoinGecko has no coin “sol ana”.",
                    "A quotation mark opened here is never closed.",
                ])
            #expect(try await ids(fixture, owner).last == "solana")
        }
    }

    @Test func `a holding's row fails with the reason for its invalid field`() async throws {
        try await withOwner { _, files, owner in
            let report = try await read(
                [
                    "id,amount,price,currency,date", "bitcoin,0,,,", "bitcoin,1e5,,,", "bitcoin,1,2,,",
                    "bitcoin,1,2,usd,2025-02-30", "bitcoin,1,2,usd,2025-02-28",
                ], as: .holdings, files, owner)
            #expect(report.added == 1 && report.failures.map(\.row) == [2, 3, 4, 5])
            #expect(Set(report.failures.map(\.why)).count == 4)
        }
    }

    @Test func `all numbers of a file are read in the convention that one of them shows`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                [
                    "coin_id;amount;price;currency;bought_on", "ethereum;1.234;2.000;eur;2025-03-31",
                    "bitcoin;0,5;45.000,50 €;eur;2025-03-31",
                ], as: .holdings, files, owner)
            #expect(report == .init(added: 2, updated: 0, unchanged: 0, failures: []))
            let holdings = try await fixture.services.market.watchlist.holdings(of: owner)
            #expect(
                Set(holdings.map { "\($0.coinId) \($0.amount) \($0.price ?? -1)" })
                    == ["ethereum 1234 2000", "bitcoin 0.5 45000.5"])
        }
    }

    @Test func `an ambiguous number is refused with both readings, and the other rows are imported`()
        async throws
    {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                [
                    "coin_id;amount;price;currency", "ethereum;1.234;;", "bitcoin;2;1,500;eur",
                    "solana;3;4;eur",
                ],
                as: .holdings, files, owner)
            #expect(report.added == 1)
            #expect(
                report.failures == [
                    .init(
                        row: 2,
                        why: """
                            “1.234” can mean 1234 or 1.234: write 1234 for the first, 1.2340 for the second.
                            """),
                    .init(
                        row: 3,
                        why: """
                            “1,500” can mean 1500 or 1.500: write 1500 for the first, 1,5000 for the second.
                            """),
                ])
            #expect(
                try await fixture.services.market.watchlist.holdings(of: owner).map(\.coinId) == ["solana"])
        }
    }

    @Test func `a price with another currency's symbol is refused`() async throws {
        try await withOwner { _, files, owner in
            let report = try await read(
                ["id,amount,price,currency", "bitcoin,1,$5,eur", "bitcoin,1,$5,usd"], as: .holdings, files,
                owner)
            #expect(report.added == 1 && report.failures.map(\.row) == [2])
        }
    }

    @Test func `three decimals that Roost wrote are read back unchanged`() async throws {
        try await withOwner { fixture, files, owner in
            let watchlist = fixture.services.market.watchlist
            try await watchlist.addHolding(
                NewHolding(
                    coinId: "bitcoin", amountText: "1.234", priceText: "2.001", currency: "eur",
                    boughtOn: nil, note: "1,5"), for: owner)
            let file = try await files.export(.holdings, of: owner)
            let again = try await files.read(file, as: .holdings, for: owner)
            #expect(again == .init(added: 0, updated: 0, unchanged: 1, failures: []))
        }
    }

    @Test func `a symbol means the only coin that is much larger than the others, or that the user has`()
        throws
    {
        func coin(_ id: String, _ rank: Int?) throws -> RankedCoin {
            RankedCoin(coin: try CoinListItem(id: id, symbol: "btc", name: id), rank: rank)
        }
        func found(_ coins: [RankedCoin], existing: Set<String> = []) -> String? {
            WatchlistFiles.largest(coins, existing: existing)?.id
        }
        let clear = try [coin("bitcoin", 1), coin("bridged", 812), coin("fake", nil)]
        #expect(found(clear) == "bitcoin")
        #expect(found(try [coin("ranked", 900), coin("fake", nil)]) == "ranked")
        let similar = try [coin("one", 200), coin("other", 210)]
        #expect(found(similar) == nil)
        #expect(found(similar, existing: ["other"]) == "other")
        #expect(found(try [coin("one", nil), coin("other", nil)]) == nil)
        #expect(found([]) == nil)
    }

    @Test func `CoinMarketCap's transactions are read, but no sales`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                [
                    "\"Date (UTC+1:00)\",Token,Type,Price (USD),Amount,Notes",
                    "2024-05-06 07:08:09,bitcoin,buy,60000.5,0.25,first",
                    "2024-06-06 07:08:09,bitcoin,sell,70000,0.1,",
                ], as: .holdings, files, owner)
            #expect(report.added == 1)
            #expect(
                report.failures == [
                    .init(row: 3, why: "Only purchases are imported. This row is “sell”.")
                ])
            let holding = try await fixture.services.market.watchlist.holdings(of: owner).first
            #expect(holding?.boughtOn == "2024-05-06" && holding?.currency == "usd")
            #expect(holding?.price == Decimal(string: "60000.5"))
        }
    }

    private static let deltaHeadings = """
        Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,\
        Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes,Sync Base Holding,Leverage Metadata
        """

    @Test func `Delta's transactions are read, with the price of one coin`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                [
                    Self.deltaHeadings,
                    "2024-05-06T07:08:09.000Z,BUY,0.25,BTC (Bitcoin),CRYPTO,15000.5,EUR,Kraken,,,,,,first,true,",
                    "2024-05-07T07:08:09.000Z,DEPOSIT,0.5,BTC (Bitcoin),CRYPTO,,,,,,,,,,false,",
                ], as: .holdings, files, owner)
            #expect(report.failures.isEmpty && report.added == 2)
            let holdings = try await fixture.services.market.watchlist.holdings(of: owner)
                .sorted { $0.amount < $1.amount }
            #expect(holdings.map(\.coinId) == ["bitcoin", "bitcoin"])
            #expect(holdings.map(\.price) == [Decimal(string: "60002"), nil])
            #expect(holdings.first?.currency == "eur" && holdings.first?.boughtOn == "2024-05-06")
            #expect(holdings.first?.note == "first")
        }
    }

    @Test(arguments: [
        ("SELL,1,BTC (Bitcoin),CRYPTO", "", "Only purchases are imported. This row is “SELL”."),
        ("DEPOSIT,500,EUR (Euro),FIAT", "", "Only coins are imported. This row is “FIAT”."),
        (
            "DEPOSIT,1,BTC (Bitcoin),CRYPTO", "SYNC-BASE-HOLDINGS_BUY_BTC/EUR",
            "This row is the other side of a trade, which has a row of its own."
        ),
    ])
    func `other rows of Delta are refused with the reason`(row: String, note: String, why: String)
        async throws
    {
        try await withOwner { _, files, owner in
            let report = try await read(
                [
                    Self.deltaHeadings, "2024-05-06T07:08:09.000Z,\(row),,,,,,,,,\(note),false,",
                ], as: .holdings, files, owner)
            #expect(report.added == 0)
            #expect(report.failures == [.init(row: 2, why: why)])
        }
    }

    @Test func `Delta's coins become a list`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                [
                    Self.deltaHeadings,
                    "2024-05-06T07:08:09.000Z,BUY,1,ETH (Ethereum),CRYPTO,2000,USD,,,,,,,,false,",
                    "2024-05-06T07:08:09.000Z,BUY,1,VTI (Vanguard),FUND,200,USD,,,,,,,,false,",
                ], files, owner)
            #expect(report.added == 1)
            #expect(report.failures.map(\.row) == [3])
            #expect(try await ids(fixture, owner).contains("ethereum"))
        }
    }

    @Test func `CoinGecko's portfolio is read`() async throws {
        try await withOwner { fixture, files, owner in
            let report = try await read(
                ["Coin,Symbol,Holdings,Average Buy Price,Currency", "Bitcoin,BTC,0.5,\"60,000.50\",USD"],
                as: .holdings, files, owner)
            #expect(report.failures.isEmpty && report.added == 1)
            let holding = try await fixture.services.market.watchlist.holdings(of: owner).first
            #expect(holding?.coinId == "bitcoin" && holding?.price == Decimal(string: "60000.5"))
        }
    }

    @Test func `a symbol of coins of similar size is refused with their ids`() async throws {
        try await withServices { fixture in
            fixture.upstream.turn { request in
                guard request.path == "/coins/list" else { return .init(body: "[]") }
                return .init(
                    body: """
                        [{"id":"one","symbol":"abc","name":"One"},{"id":"two","symbol":"abc","name":"Two"},
                        {"id":"abc","symbol":"xyz","name":"Its id is a symbol"}]
                        """)
            }
            let owner = try await fixture.owner()
            let files = fixture.services.market.watchlistFiles
            let report = try await read(["symbol,id", "ABC,", "xyz,", ",two"], files, owner)
            #expect(report.added == 2)
            #expect(
                report.failures == [
                    .init(row: 2, why: "“ABC” is the symbol of 2 coins. Use the coin’s id: one, two.")
                ])
            // Ids take precedence.
            let bare = try await read(["abc"], files, owner)
            #expect(bare.unchanged == 1 && bare.failures.isEmpty)
        }
    }

    @Test func `a file's values replace the saved ones, and empty cells keep them`() async throws {
        try await withOwner { fixture, files, owner in
            let watchlist = fixture.services.market.watchlist
            try await watchlist.setNote(
                CoinNote(note: "Old", category: "Kept"), of: "bitcoin", for: owner)
            let report = try await read(["id,note,category", "bitcoin,New,"], files, owner)
            #expect(report == .init(added: 0, updated: 1, unchanged: 0, failures: []))
            let note = try await watchlist.database.read {
                try watchlist.note($0, of: owner, coin: "bitcoin")
            }
            #expect(note.note == "New" && note.category == "Kept")
        }
    }

    @Test func `a coin that CoinGecko dropped is still known if the list contains it`() async throws {
        try await withOwner { fixture, files, owner in
            try fixture.change("UPDATE watchlist_items SET coin_id = 'dropped' WHERE coin_id = 'bitcoin'")
            let report = try await read(["id,note", "dropped,x"], files, owner)
            #expect(report == .init(added: 0, updated: 1, unchanged: 0, failures: []))
        }
    }

    @Test func `a list imports what fits and reports the rest`() async throws {
        try await withServices { fixture in
            let items = (0..<502).map { #"{"id":"c\#($0)","symbol":"s","name":"n"}"# }.joined(separator: ",")
            fixture.upstream.turn { $0.path == "/coins/list" ? .init(body: "[\(items)]") : .init(body: "[]") }
            let owner = try await fixture.owner()
            let report = try await read(
                (0..<502).map { "c\($0)" }, fixture.services.market.watchlistFiles, owner)
            #expect(report.added == 500)
            #expect(
                report.failures
                    == [501, 502].map {
                        .init(row: $0, why: "A watchlist can have at most 500 coins.")
                    })
        }
    }

    @Test func `at most 5,000 rows are read`() async throws {
        try await withOwner { fixture, files, owner in
            let rows = (1...5_001).map { "bitcoin,\($0)" }
            let report = try await read(["id,amount"] + rows, as: .holdings, files, owner)
            #expect(report.added == 5_000)
            #expect(
                report.failures == [
                    .init(row: 5_002, why: "Only the first 5,000 rows are read. Split the file.")
                ])
            let more = try await read(["id,amount", "bitcoin,6000"], as: .holdings, files, owner)
            #expect(more.failures == [.init(row: 2, why: "You can have at most 5000 holdings.")])
        }
    }

    private static let invalid: [(String, WatchlistFiles.Content)] = [
        ("", .list), ("\u{0}\u{1}", .list), ("coin_id\r\n", .list), ("bitcoin", .holdings),
        ("id,note\nbitcoin,x", .holdings), ("amount\n5", .holdings),
    ]

    @Test(arguments: invalid)
    func `a file without coins is refused as a whole`(
        text: String, content: WatchlistFiles.Content
    ) async throws {
        try await withOwner { _, files, owner in
            let refused = await refusal {
                _ = try await files.read(Array(text.utf8), as: content, for: owner)
            }
            guard case .invalid("file", _) = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
        }
    }

    @Test func `a file of more than 4 MB is refused`() async throws {
        try await withOwner { _, files, owner in
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 4_194_305)
            let refused = await refusal { _ = try await files.read(bytes, as: .list, for: owner) }
            #expect(refused == .invalid(field: "file", why: "The file is larger than 4 MB."))
        }
    }

    @Test func `an import that fails midway changes nothing`() async throws {
        try await withOwner { fixture, files, owner in
            try fixture.change(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON watchlist_items WHEN new.coin_id = 'solana' BEGIN
                    SELECT RAISE(ABORT, 'no more coins');
                END
                """)
            await #expect(throws: RoostError.unavailable("Couldn’t save. Please try again.")) {
                _ = try await read(["ethereum", "solana"], files, owner)
            }
            #expect(try await ids(fixture, owner) == ["bitcoin", "boringdao-[old]"])
        }
    }

    @Test func `without the coin list an import asks to try again`() async throws {
        try await withServices { fixture in
            let owner = try await fixture.services.owner().userId
            fixture.upstream.turn { _ in .init(status: 503) }
            await fixture.loadCoins()
            let refused = await refusal {
                _ = try await read(["bitcoin"], fixture.services.market.watchlistFiles, owner)
            }
            guard case .unavailable = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
        }
    }
}
