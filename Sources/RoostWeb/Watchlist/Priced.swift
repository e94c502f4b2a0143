/// Shown with a price: `watchlist/price`.
protocol Priced {
    var price: PriceText? { get }
}

/// Shown with a coin's picture, or a letter in its own colour: `watchlist/logo`.
protocol CoinPictured {
    /// Roost's own address of the picture.
    var logo: String? { get }
    var mark: String { get }
    /// Which of the letters' colours.
    var tone: Int { get }
}
