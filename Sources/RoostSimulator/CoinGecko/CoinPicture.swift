/// The simulated logos of coins: small PNGs at the simulator's own address, as CoinGecko has them at a host for pictures.
enum CoinPicture {
    /// Where a coin's logo is, as `/coins/markets` names it.
    ///
    /// - Parameter host: the simulator's address; nil: where CoinGecko keeps its own
    static func url(of coin: SimulatedCoin, size: String = "large", host: String?) -> String {
        let origin = host.map { "http://\($0)" } ?? "https://coin-images.coingecko.com"
        return "\(origin)/coins/images/\(coin.key + 1)/\(size)/coin.png?1696501400"
    }

    /// Nil for a request that is for no logo.
    static func answer(_ request: SimulatedRequest) -> SimulatedResponse? {
        let path = request.path
        guard path.count == 5, path[0] == "coins", path[1] == "images", path[4] == "coin.png",
            let number = Int(path[2]), let side = sides[path[3]]
        else { return nil }
        return SimulatedResponse(
            status: 200,
            headers: [
                .init("Content-Type", "image/png"), .init("Cache-Control", "max-age=604800"),
                .init("ETag", "\"coin-\(number)-\(side)\""),
            ],
            body: AvatarPNG.bytes(of: number, size: side))
    }

    /// In pixels, by what CoinGecko calls them.
    private static let sides = ["thumb": 25, "small": 50, "large": 64]
}
