/// Simulated coin logos: small PNGs at the simulator's own address. CoinGecko has a separate image host.
enum CoinPicture {
    /// Returns a logo's URL as in `/coins/markets`.
    ///
    /// - Parameter host: the simulator's address; nil for CoinGecko's image host
    static func url(of coin: SimulatedCoin, size: String = "large", host: String?) -> String {
        let origin = host.map { "http://\($0)" } ?? "https://coin-images.coingecko.com"
        return "\(origin)/coins/images/\(coin.key + 1)/\(size)/coin.png?1696501400"
    }

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

    private static let sides = ["thumb": 25, "small": 50, "large": 64]
}
