/// Coins that break careless programs, a few of each kind, most of them with ids and names that really exist.
///
/// Source: `/coins/list` of 2025-03 and `/coins/markets` of 2022-08, as recorded.
enum EdgeCaseCoins {
    static func coins(from key: Int) -> [SimulatedCoin] {
        (named + figures + newcomers).enumerated().map { offset, odd in
            SimulatedCoin(
                key: key + offset, id: odd.id, symbol: odd.symbol, name: odd.name, price: odd.price,
                supply: odd.supply, traits: odd.traits, staleDays: odd.staleDays)
        }
    }

    private struct Odd {
        var id: String
        var symbol: String
        var name: String
        var price = 0.0123
        var supply = 1e9
        var traits: SimulatedCoin.Traits = []
        var staleDays = 0
    }

    private static let named = [
        Odd(id: "_", symbol: "gib", name: "༼ つ ◕_◕ ༽つ"),
        Odd(id: "-4", symbol: "🤡", name: "🤡"),
        Odd(id: "-5", symbol: "🟥🟩", name: "🟥🟪🟦🟩🟨🟧"),
        Odd(id: "-6", symbol: "\"\u{3000}\"", name: "\"\u{3000}\""),
        Odd(id: "1move token", symbol: "1mt", name: "1Move Token", price: 0.000412),
        Odd(id: "boringdao-[old]", symbol: "bor", name: "BoringDAO [OLD]", price: 41.27, supply: 201_000),
        Odd(id: "kangaroo-the-jumping-co-in", symbol: "$roo", name: "Kangaroo the Jumping Co\u{200B}in"),
        Odd(id: "zero-width-family", symbol: "zwj", name: "\u{200B}Zero\u{200D}Width\u{2060} Family\u{FEFF}"),
        Odd(id: "cat-mouse", symbol: "catmouse", name: "Cat & Mouse"),
        Odd(id: "hunter-biden-s-laptop", symbol: "laptop", name: "Hunter Biden's Laptop"),
        Odd(id: "script-kiddie", symbol: "<b>", name: "<script>alert(\"roost\")</script>"),
        Odd(id: "image-of-error", symbol: "img", name: "\"><img src=x onerror=alert(1)> & 'more'"),
        Odd(id: "mustache-coin", symbol: "{{x}}", name: "{{{name}}} \\u003c \\ / %3Cb%3E"),
        Odd(id: "fukurou", symbol: "fukurou", name: "エッホエッホ"),
        Odd(id: "long-2", symbol: "long", name: "Long 龙"),
        Odd(id: "m-ga", symbol: "$ωmσga", name: "ΩMΣGA"),
        Odd(id: "right-to-left", symbol: "rtl", name: "عملة \u{202E}nioc desrever\u{202C}"),
        Odd(
            id: "never-experienced-real-daylight", symbol: "n.e.r.d", name: "Never Experienced Daylight\u{A0}"
        ),
        Odd(id: "symbolless-rune", symbol: "", name: "NO•SYMBOL•RUNE"),
        Odd(
            id: "the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it",
            symbol: "longlonglonglonglonglong",
            name: "The Coin Whose Name Goes On and On Until Every Table Has to Wrap It Somewhere"),
    ]

    private static let figures = [
        Odd(id: "ghost-ledger", symbol: "ghst2", name: "Ghost Ledger", traits: .priceless),
        Odd(id: "null-island", symbol: "null", name: "Null Island", traits: .priceless),
        Odd(id: "zero-hour", symbol: "zhr", name: "Zero Hour", price: 0),
        Odd(id: "nothing-burger", symbol: "nthng", name: "Nothing Burger", price: 0),
        Odd(id: "dust-mite", symbol: "mite", name: "Dust Mite", price: 8.199e-05),
        Odd(id: "speck-of-dust", symbol: "speck", name: "Speck of Dust", price: 4.2637e-12, supply: 9e17),
        Odd(id: "planck-length", symbol: "planck", name: "Planck Length", price: 1.616e-17, supply: 1e21),
        Odd(id: "whole-house", symbol: "house", name: "Whole House", price: 412_345_678, supply: 3),
        Odd(id: "sleepy-otter", symbol: "otter", name: "Sleepy Otter", price: 1.93, staleDays: 3),
        Odd(id: "hibernating-bear", symbol: "hbear", name: "Hibernating Bear", price: 0.0712, staleDays: 411),
        Odd(id: "no-change-at-all", symbol: "nochg", name: "No Change at All", traits: .changeless),
        Odd(id: "sparkless", symbol: "sprk0", name: "Sparkless", traits: .sparkless),
        Odd(id: "flat-spark", symbol: "sprk1", name: "Flat Spark", traits: .emptySparkline),
        Odd(id: "unranked-hope", symbol: "hope9", name: "Unranked Hope", traits: .unranked),
    ]

    private static let newcomers = [
        Odd(id: "born-yesterday", symbol: "bornx", name: "Born Yesterday", price: 0.42, traits: .newcomer),
        Odd(id: "fresh-paint", symbol: "paint", name: "Fresh Paint", price: 3.1, traits: .newcomer),
        Odd(id: "first-light-2", symbol: "dawn", name: "First Light", price: 2.3e-05, traits: .newcomer),
    ]
}
