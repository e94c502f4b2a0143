/// Well-known coins by market cap: real ids, symbols and names, with prices from early 2026.
enum WellKnownCoins {
    static func coins() -> [SimulatedCoin] {
        table.split(separator: "\n").enumerated().map { key, line in
            let cells = line.split(separator: "|").map(String.init)
            return SimulatedCoin(
                key: key, id: cells[0], symbol: cells[1], name: cells[2], price: Double(cells[3]) ?? 0,
                supply: Double(cells[4]) ?? 0, volatility: Double(cells[5]) ?? 1)
        }
    }

    /// id|symbol|name|dollars|supply|volatility
    private static let table = """
        bitcoin|btc|Bitcoin|67291|19990746|0.5
        ethereum|eth|Ethereum|1979.31|120692115|0.7
        tether|usdt|Tether|0.999412|183620000000|0.01
        ripple|xrp|XRP|1.47|60917000000|0.8
        binancecoin|bnb|BNB|612.44|136358000|0.6
        usd-coin|usdc|USDC|0.999893|73420000000|0.01
        solana|sol|Solana|84.57|567800000|0.9
        tron|trx|TRON|0.281347|94740000000|0.5
        staked-ether|steth|Lido Staked Ether|1977.05|9240000|0.7
        dogecoin|doge|Dogecoin|0.100172|168700000000|1.1
        figure-heloc|figr_heloc|Figure Heloc|1.018|14880000000|0.05
        cardano|ada|Cardano|0.281955|36080000000|0.9
        bitcoin-cash|bch|Bitcoin Cash|505.18|19998000|0.8
        wrapped-bitcoin|wbtc|Wrapped Bitcoin|67102|118300|0.5
        leo-token|leo|LEO Token|8.32|921300000|0.4
        hyperliquid|hype|Hyperliquid|29.43|262000000|1.2
        monero|xmr|Monero|338.6|18446744|0.9
        chainlink|link|Chainlink|8.71|708100000|0.9
        weth|weth|WETH|1979.28|2560000|0.7
        canton-network|cc|Canton|0.157236|37800000000|1.2
        ethena-usde|usde|Ethena USDe|0.998735|6100000000|0.02
        stellar|xlm|Stellar|0.163124|32700000000|0.8
        dai|dai|Dai|0.999718|4480000000|0.01
        usd1-wlfi|usd1|USD1|0.999571|4700000000|0.02
        litecoin|ltc|Litecoin|53.61|76900000|0.7
        hedera-hashgraph|hbar|Hedera|0.098653|43000000000|0.9
        avalanche-2|avax|Avalanche|8.96|431700000|0.9
        zcash|zec|Zcash|231.45|16550000|1.3
        shiba-inu|shib|Shiba Inu|6.482e-06|589240000000000|1.1
        sui|sui|Sui|0.951827|3840000000|1.1
        the-open-network|ton|Toncoin|1.42|2450000000|0.9
        crypto-com-chain|cro|Cronos|0.077418|42000000000|0.9
        polkadot|dot|Polkadot|1.31|1660000000|0.9
        uniswap|uni|Uniswap|3.52|634000000|1
        mantle|mnt|Mantle|0.631245|3250000000|0.9
        bitget-token|bgb|Bitget Token|2.43|699990000|0.7
        aave|aave|Aave|121.88|15300000|1
        pepe|pepe|Pepe|4.315e-06|420690000000000|1.4
        okb|okb|OKB|76.32|21000000|0.7
        bittensor|tao|Bittensor|181.27|10770000|1.2
        near|near|NEAR Protocol|1.02|1280000000|1
        internet-computer|icp|Internet Computer|2.21|548000000|1
        ethereum-classic|etc|Ethereum Classic|8.27|155600000|0.9
        pax-gold|paxg|PAX Gold|4912.6|501200|0.2
        worldcoin-wld|wld|Worldcoin|0.391263|2800000000|1.3
        kaspa|kas|Kaspa|0.031624|27000000000|1.1
        pi-network|pi|Pi Network|0.165318|8900000000|1.1
        cosmos|atom|Cosmos Hub|2.14|496000000|0.9
        algorand|algo|Algorand|0.091742|8880000000|1
        aptos|apt|Aptos|0.901327|773000000|1
        filecoin|fil|Filecoin|0.941538|747000000|1
        render-token|render|Render|1.41|518700000|1.2
        arbitrum|arb|Arbitrum|0.104915|5900000000|1.1
        vechain|vet|VeChain|0.007618|85980000000|1
        bonk|bonk|Bonk|6.274e-06|87990000000000|1.4
        jupiter-exchange-solana|jup|Jupiter|0.163217|3300000000|1.2
        optimism|op|Optimism|0.184629|2100000000|1.1
        arweave|ar|Arweave|2.07|65600000|1.1
        blockstack|stx|Stacks|0.251374|1840000000|1.1
        tezos|xtz|Tezos|0.374518|1070000000|0.9
        the-graph|grt|The Graph|0.025431|10700000000|1.1
        injective-protocol|inj|Injective|2.97|100000000|1.1
        maker|mkr|Maker|1417.3|560000|0.9
        dash|dash|Dash|37.52|12600000|1
        decentraland|mana|Decentraland|0.106524|1940000000|1.1
        """
}
