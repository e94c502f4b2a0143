/// Coins with data that careless clients break on, most of them with real ids and names.
///
/// Source: `/coins/list` of 2025-03 and `/coins/markets` of 2022-08, as recorded.
enum EdgeCaseCoins {
    static func coins(from key: Int) -> [SimulatedCoin] {
        (unusualNames + unusualNumbers + newcomers).enumerated().map { offset, coin in
            SimulatedCoin(
                key: key + offset, id: coin.id, symbol: coin.symbol, name: coin.name, price: coin.price,
                supply: coin.supply, traits: coin.traits, staleDays: coin.staleDays)
        }
    }

    private struct Coin {
        var id: String
        var symbol: String
        var name: String
        var price = 0.0123
        var supply = 1e9
        var traits: SimulatedCoin.Traits = []
        var staleDays = 0
    }

    private static let unusualNames = [
        Coin(id: "_", symbol: "gib", name: "༼ つ ◕_◕ ༽つ"),
        Coin(id: "-4", symbol: "🤡", name: "🤡"),
        Coin(id: "-5", symbol: "🟥🟩", name: "🟥🟪🟦🟩🟨🟧"),
        Coin(id: "-6", symbol: "\"\u{3000}\"", name: "\"\u{3000}\""),
        Coin(id: "1move token", symbol: "1mt", name: "1Move Token", price: 0.000412),
        Coin(id: "boringdao-[old]", symbol: "bor", name: "BoringDAO [OLD]", price: 41.27, supply: 201_000),
        Coin(id: "kangaroo-the-jumping-co-in", symbol: "$roo", name: "Kangaroo the Jumping Co\u{200B}in"),
        Coin(
            id: "zero-width-family", symbol: "zwj", name: "\u{200B}Zero\u{200D}Width\u{2060} Family\u{FEFF}"),
        Coin(id: "cat-mouse", symbol: "catmouse", name: "Cat & Mouse"),
        Coin(id: "hunter-biden-s-laptop", symbol: "laptop", name: "Hunter Biden's Laptop"),
        Coin(id: "script-kiddie", symbol: "<b>", name: "<script>alert(\"coin\")</script>"),
        Coin(id: "image-of-error", symbol: "img", name: "\"><img src=x onerror=alert(1)> & 'more'"),
        Coin(id: "mustache-coin", symbol: "{{x}}", name: "{{{name}}} \\u003c \\ / %3Cb%3E"),
        Coin(id: "fukurou", symbol: "fukurou", name: "エッホエッホ"),
        Coin(id: "long-2", symbol: "long", name: "Long 龙"),
        Coin(id: "m-ga", symbol: "$ωmσga", name: "ΩMΣGA"),
        Coin(id: "right-to-left", symbol: "rtl", name: "عملة \u{202E}nioc desrever\u{202C}"),
        Coin(
            id: "never-experienced-real-daylight", symbol: "n.e.r.d", name: "Never Experienced Daylight\u{A0}"
        ),
        Coin(id: "symbolless-rune", symbol: "", name: "NO•SYMBOL•RUNE"),
        Coin(
            id: "the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it",
            symbol: "longlonglonglonglonglong",
            name: "The Coin Whose Name Goes On and On Until Every Table Has to Wrap It Somewhere"),
    ]

    private static let unusualNumbers = [
        Coin(id: "ghost-ledger", symbol: "ghst2", name: "Ghost Ledger", traits: .priceless),
        Coin(id: "null-island", symbol: "null", name: "Null Island", traits: .priceless),
        Coin(id: "zero-hour", symbol: "zhr", name: "Zero Hour", price: 0),
        Coin(id: "nothing-burger", symbol: "nthng", name: "Nothing Burger", price: 0),
        Coin(id: "dust-mite", symbol: "mite", name: "Dust Mite", price: 8.199e-05),
        Coin(id: "speck-of-dust", symbol: "speck", name: "Speck of Dust", price: 4.2637e-12, supply: 9e17),
        Coin(id: "planck-length", symbol: "planck", name: "Planck Length", price: 1.616e-17, supply: 1e21),
        Coin(id: "whole-house", symbol: "house", name: "Whole House", price: 412_345_678, supply: 3),
        Coin(id: "sleepy-otter", symbol: "otter", name: "Sleepy Otter", price: 1.93, staleDays: 3),
        Coin(
            id: "hibernating-bear", symbol: "hbear", name: "Hibernating Bear", price: 0.0712, staleDays: 411),
        Coin(id: "no-change-at-all", symbol: "nochg", name: "No Change at All", traits: .changeless),
        Coin(id: "sparkless", symbol: "sprk0", name: "Sparkless", traits: .sparkless),
        Coin(id: "flat-spark", symbol: "sprk1", name: "Flat Spark", traits: .emptySparkline),
        Coin(id: "unranked-hope", symbol: "hope9", name: "Unranked Hope", traits: .unranked),
    ]

    private static let newcomers = [
        Coin(id: "born-yesterday", symbol: "bornx", name: "Born Yesterday", price: 0.42, traits: .newcomer),
        Coin(id: "fresh-paint", symbol: "paint", name: "Fresh Paint", price: 3.1, traits: .newcomer),
        Coin(id: "first-light-2", symbol: "dawn", name: "First Light", price: 2.3e-05, traits: .newcomer),
    ]
}
