import TextFormats

extension CoinCatalog {
    /// The coin with this id, or else the only likely one with this symbol or name: the largest of them.
    func likelyCoin(named words: String) -> CoinListItem? {
        let words = words.trimmed
        guard !words.isEmpty else { return nil }
        if let coin = coin(id: words) ?? coin(id: words.lowercased()) { return coin }
        let folded = FoldedText.fold(words, ignoresAccents: true)
        return listed(like: words, limit: 20).first { coin in
            [coin.symbol, coin.name].contains { FoldedText.fold($0, ignoresAccents: true) == folded }
        }
    }
}
