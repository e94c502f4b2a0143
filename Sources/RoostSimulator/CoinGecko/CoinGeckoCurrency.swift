/// A quote currency at a fixed rate to the dollar.
struct CoinGeckoCurrency: Sendable {
    let code: String
    let perDollar: Double

    init?(code: String) {
        let code = code.lowercased()
        guard let entry = Self.rates.first(where: { $0.code == code }) else { return nil }
        self = entry
    }

    private init(_ code: String, _ perDollar: Double) {
        self.code = code
        self.perDollar = perDollar
    }

    /// In the order of `/simple/supported_vs_currencies` (recorded in 2026).
    static let rates = table.split(whereSeparator: \.isWhitespace).compactMap { entry -> CoinGeckoCurrency? in
        let parts = entry.split(separator: "=")
        return Double(parts[1]).map { CoinGeckoCurrency(String(parts[0]), $0) }
    }

    private static let table = """
        btc=1.486e-05 eth=0.00050523 ltc=0.018653 bch=0.0019795 bnb=0.0016328 eos=11.23 xrp=0.68027
        xlm=6.1303 link=0.11481 dot=0.76336 yfi=0.00031 sol=0.011824 usd=1 aed=3.6725 ars=1398.5 aud=1.4163
        bdt=122.3 bhd=0.37701 bmd=1 brl=5.2215 cad=1.3647 chf=0.7705 clp=862.4 cny=6.9087 czk=20.487
        dkk=6.3067 eur=0.8443 gbp=0.73652 gel=2.675 hkd=7.8154 huf=319.6 idr=16832 ils=3.0927 inr=90.68
        jpy=153.12 krw=1446.8 kwd=0.30645 lkr=309.2 mmk=2098 mxn=17.164 myr=3.906 ngn=1347.5 nok=9.5311
        nzd=1.6574 php=57.89 pkr=279.6 pln=3.5573 rub=76.63 sar=3.7505 sek=8.9434 sgd=1.2623 thb=31.12
        try=43.71 twd=31.44 uah=43.18 vef=0.10013 vnd=25970 zar=15.96 xdr=0.7246 xag=0.01307 xau=0.00020143
        bits=14.86 sats=1486
        """
}
