/// A currency that prices can be shown in. CoinGecko also offers coins, such as bitcoin, and ounces of metals.
package struct Currency: Hashable, Sendable, Identifiable {
    package enum Kind: Sendable { case money, coin, metal }

    /// CoinGecko's code in lower case: "usd".
    package let code: String
    /// "US dollar"; the code in capitals if the name is unknown.
    package let name: String
    package let kind: Kind
    /// The sign before an amount: "$", "CA$"; nil to write the code after it.
    package let sign: String?
    /// Whether amounts have decimals; yen have none.
    package let hasParts: Bool

    package var id: String { code }

    /// The built-in currency with this code, or one with only a code.
    package init(code: String) {
        self =
            Self.byCode[Self.code(code)]
            ?? Currency(code: Self.code(code), name: Self.code(code).uppercased())
    }

    private init(
        code: String, name: String, kind: Kind = .coin, sign: String? = nil, hasParts: Bool = true
    ) {
        self.code = code
        self.name = name
        self.kind = kind
        self.sign = sign
        self.hasParts = hasParts
    }

    /// Normalises a code to CoinGecko's lower case.
    package static func code(_ text: String) -> String { text.lowercased() }

    /// Whether the text is a possible code: two to ten lower-case letters and digits.
    package static func isCode(_ text: String) -> Bool {
        (2...10).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// The currencies in CoinGecko's `/simple/supported_vs_currencies` of February 2026: money, then metals, then
    /// coins, each sorted by name.
    package static let builtIn: [Currency] =
        money.map {
            Currency(
                code: $0.code, name: $0.name, kind: .money, sign: $0.sign,
                hasParts: !withoutParts.contains($0.code))
        }
        + metals.map { Currency(code: $0.code, name: $0.name, kind: .metal) }
        + coins.map { Currency(code: $0.code, name: $0.name, hasParts: !withoutParts.contains($0.code)) }

    private static let byCode = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.code, $0) })

    /// Currencies whose minor unit does not exist (ISO 4217) or is no longer used, and the smallest part of a bitcoin.
    private static let withoutParts: Set<String> = ["clp", "idr", "jpy", "krw", "mmk", "sats", "vnd"]

    /// The signs of the Unicode CLDR for English, unless another currency shares them; those use their code.
    private static let money: [(code: String, name: String, sign: String?)] = [
        ("ars", "Argentine peso", nil), ("aud", "Australian dollar", "A$"), ("bhd", "Bahraini dinar", nil),
        ("bdt", "Bangladeshi taka", "৳"), ("bmd", "Bermudian dollar", nil), ("brl", "Brazilian real", "R$"),
        ("gbp", "British pound", "£"), ("cad", "Canadian dollar", "CA$"), ("clp", "Chilean peso", nil),
        ("cny", "Chinese yuan", "CN¥"), ("czk", "Czech koruna", nil), ("dkk", "Danish krone", nil),
        ("eur", "Euro", "€"), ("gel", "Georgian lari", "₾"), ("hkd", "Hong Kong dollar", "HK$"),
        ("huf", "Hungarian forint", nil), ("inr", "Indian rupee", "₹"), ("idr", "Indonesian rupiah", nil),
        ("ils", "Israeli shekel", "₪"), ("jpy", "Japanese yen", "¥"), ("kwd", "Kuwaiti dinar", nil),
        ("myr", "Malaysian ringgit", nil), ("mxn", "Mexican peso", "MX$"), ("mmk", "Myanmar kyat", nil),
        ("twd", "New Taiwan dollar", "NT$"), ("nzd", "New Zealand dollar", "NZ$"),
        ("ngn", "Nigerian naira", "₦"), ("nok", "Norwegian krone", nil), ("pkr", "Pakistani rupee", nil),
        ("php", "Philippine peso", "₱"), ("pln", "Polish zloty", nil), ("rub", "Russian rouble", "₽"),
        ("sar", "Saudi riyal", nil), ("sgd", "Singapore dollar", "S$"), ("zar", "South African rand", nil),
        ("krw", "South Korean won", "₩"), ("xdr", "Special drawing rights", nil),
        ("lkr", "Sri Lankan rupee", nil), ("sek", "Swedish krona", nil), ("chf", "Swiss franc", nil),
        ("thb", "Thai baht", "฿"), ("try", "Turkish lira", "₺"), ("usd", "US dollar", "$"),
        ("uah", "Ukrainian hryvnia", "₴"), ("aed", "United Arab Emirates dirham", nil),
        ("vef", "Venezuelan bolívar (until 2018)", nil), ("vnd", "Vietnamese dong", "₫"),
    ]

    private static let metals = [
        (code: "xau", name: "Gold (troy ounce)"), (code: "xag", name: "Silver (troy ounce)"),
    ]

    private static let coins = [
        (code: "bch", name: "Bitcoin Cash"), (code: "btc", name: "Bitcoin"),
        (code: "bits", name: "Bits of a bitcoin"),
        (code: "bnb", name: "BNB"), (code: "dot", name: "Polkadot"), (code: "eos", name: "EOS"),
        (code: "eth", name: "Ethereum"), (code: "link", name: "Chainlink"), (code: "ltc", name: "Litecoin"),
        (code: "sats", name: "Satoshis"), (code: "sol", name: "Solana"), (code: "xlm", name: "Stellar"),
        (code: "xrp", name: "XRP"), (code: "yfi", name: "yearn.finance"),
    ]
}
