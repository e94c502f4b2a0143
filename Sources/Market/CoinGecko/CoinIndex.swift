import Glibc
import TextFormats

/// Finds coins by name, symbol or id among 17,000, in well under 5 ms.
///
/// The letters and digits of all ids, symbols and names are in one byte array, separated by zero bytes, so that one
/// pass finds all matches. Spaces and punctuation are ignored: "bitcoincash", "chain link" and "$btc" match. Results
/// are ordered by the quality of the match combined with the size of the coin.
struct CoinIndex: Sendable {
    /// Lower is better. A coin's points are those of its best matching field plus those of its rank.
    private enum Points {
        static let exact = 0
        /// Equal except for spaces and punctuation.
        static let respelled = 16
        static let beginning = 24
        static let wordBeginning = 48
        static let inside = 128
        /// CoinGecko's own search returned the coin.
        static let named = 128
        /// One edit away. Worse than an exact match of any coin.
        static let similar = 168
        static let similarBeginning = 176
        /// For each doubling of the rank.
        static let perDoubling = 12.0
        static let unranked = 160
        static let none = Int32.max
    }

    private struct Field {
        /// The offset in `text`. Uses 32 bits, as there are 35,000 fields.
        let start: Int32
        let coin: Int32
        /// A symbol is a code: a similar beginning means another coin.
        let isSymbol: Bool
    }

    /// In bytes; longer queries find nothing.
    private static let maximumQuery = 200
    /// Each takes a pass over the text.
    private static let maximumWords = 6
    /// Shorter queries are codes, where one edit makes a different code.
    private static let minimumSimilar = (whole: 3, beginning: 5)

    /// Largest first, those without a rank by length of name. Between equal points the earlier coin wins.
    private let coins: [RankedCoin]
    private let rankedCount: Int
    private let rankPoints: [Int32]
    private let indexByID: [String: Int]
    private let text: [UInt8]
    private let wordStarts: [Bool]
    private let fields: [Field]

    package var count: Int { coins.count }

    package init(_ coins: [RankedCoin] = []) {
        let coins = Self.ordered(coins)
        self.coins = coins
        rankedCount = coins.firstIndex { $0.rank == nil } ?? coins.count
        rankPoints = coins.map { Self.points(ofRank: $0.rank) }
        indexByID = Dictionary(zip(coins.map(\.coin.id), coins.indices)) { first, _ in first }
        var text: [UInt8] = []
        var wordStarts: [Bool] = []
        var fields: [Field] = []
        text.reserveCapacity(coins.count * 32)
        wordStarts.reserveCapacity(coins.count * 32)
        fields.reserveCapacity(coins.count * 2)
        for (index, ranked) in coins.enumerated() {
            let coin = ranked.coin
            var keys: [[UInt8]] = []
            for (field, isSymbol) in [(coin.name, false), (coin.id, false), (coin.symbol, true)] {
                let (key, starts) = Self.key(FoldedText.fold(field, ignoresAccents: true))
                guard !key.isEmpty, !keys.contains(key) else { continue }
                keys.append(key)
                text.append(0)
                wordStarts.append(false)
                fields.append(Field(start: Int32(text.count), coin: Int32(index), isSymbol: isSymbol))
                text += key
                wordStarts += starts
            }
        }
        text.append(0)
        self.text = text
        self.wordStarts = wordStarts
        self.fields = fields
    }

    /// Sorts by rank, length of name, then id. Sorts packed integers, which is ten times as fast; most lists are
    /// already sorted by id.
    private static func ordered(_ coins: [RankedCoin]) -> [RankedCoin] {
        let coins = coins.sorted { $0.coin.id < $1.coin.id }
        let order = coins.enumerated().map { index, ranked in
            let rank = UInt64(clamping: ranked.rank ?? .max)
            return min(rank, 0xFFFF_FFFF) << 32 | UInt64(min(ranked.coin.name.utf8.count, 0xFF)) << 24
                | UInt64(index)
        }
        return order.sorted().map { coins[Int($0 & 0xFF_FFFF)] }
    }

    private static func points(ofRank rank: Int?) -> Int32 {
        guard let rank, rank > 0 else { return Int32(Points.unranked) }
        return Int32(min(Points.perDoubling * log2(Double(rank)), Double(Points.unranked)))
    }

    package func coin(id: String) -> RankedCoin? {
        indexByID[id].map { coins[$0] }
    }

    /// Largest first.
    func coins(symbols: Set<String>) -> [RankedCoin] {
        coins.filter { symbols.contains($0.coin.symbol) }
    }

    func merging(_ found: [RankedCoin]) -> CoinIndex {
        let ids = Set(found.map(\.coin.id))
        return CoinIndex(coins.filter { !ids.contains($0.coin.id) } + found)
    }

    /// The best matches, at most `limit`.
    ///
    /// - Parameter named: the ids that CoinGecko's own search returned
    /// - Returns: the coins, and `isSure`: whether a ranked coin matches as a whole or at its beginning
    package func search(_ query: String, named: [String] = [], limit: Int = 20)
        -> (coins: [RankedCoin], isSure: Bool)
    {
        let typed = FoldedText.fold(query.trimmed, ignoresAccents: true)
        let needle = Self.key(typed).bytes
        guard !needle.isEmpty, needle.count <= Self.maximumQuery else { return ([], false) }
        var points = matches(of: needle, typed)
        var isSure = points[..<rankedCount].contains { $0 <= Points.beginning }
        if addWords(of: typed, &points) { isSure = true }
        if !isSure { addSimilar(to: needle, &points) }
        for index in named.compactMap({ indexByID[$0] }) {
            points[index] = min(points[index], Int32(Points.named))
        }
        var order: [UInt64] = []
        for index in points.indices where points[index] != Points.none {
            order.append(UInt64(points[index] + rankPoints[index]) << 32 | UInt64(index))
        }
        order.sort()
        return (order.prefix(limit).map { coins[Int($0 & 0xFFFF_FFFF)] }, isSure)
    }

    /// The points of each coin's best field, without those of its rank.
    private func matches(of needle: [UInt8], _ typed: [UInt8]) -> [Int32] {
        var points = [Int32](repeating: Points.none, count: coins.count)
        text.withUnsafeBufferPointer { text in
            needle.withUnsafeBufferPointer { needle in
                var (from, number) = (0, 0)
                while let at = Self.next(needle, in: text, from: from) {
                    while number + 1 < fields.count, Int(fields[number + 1].start) <= at { number += 1 }
                    let field = fields[number]
                    from = at + 1
                    let match: Int
                    if at == Int(field.start) {
                        let isWhole = text[at + needle.count] == 0
                        match = isWhole ? Points.respelled : Points.beginning
                        // A later match in the same field cannot be better.
                        from = at + needle.count
                    } else {
                        match = wordStarts[at] ? Points.wordBeginning : Points.inside
                    }
                    note(match, of: field, in: &points)
                }
            }
        }
        for index in points.indices where points[index] == Points.respelled {
            if isExact(coins[index].coin, typed) { points[index] = Int32(Points.exact) }
        }
        return points
    }

    /// Adds coins with all words of the query, each at the beginning of a word of the name, the symbol or the id, in
    /// any order. Returns whether a ranked coin has them.
    private func addWords(of typed: [UInt8], _ points: inout [Int32]) -> Bool {
        let words = typed.split(separator: UInt8(ascii: " ")).prefix(Self.maximumWords).map(Array.init)
        guard words.count > 1 else { return false }
        var worst = [Int32](repeating: Int32(Points.respelled), count: coins.count)
        for word in words {
            let needle = Self.key(word).bytes
            guard !needle.isEmpty else { return false }
            for (index, found) in matches(of: needle, word).enumerated() {
                worst[index] = max(worst[index], found)
            }
        }
        var isRanked = false
        for index in worst.indices where worst[index] <= Points.wordBeginning {
            points[index] = min(points[index], worst[index])
            if index < rankedCount { isRanked = true }
        }
        return isRanked
    }

    private func note(_ match: Int, of field: Field, in points: inout [Int32]) {
        let index = Int(field.coin)
        points[index] = min(points[index], Int32(match))
    }

    private func isExact(_ coin: CoinListItem, _ typed: [UInt8]) -> Bool {
        [coin.symbol, coin.name, coin.id].contains { FoldedText.fold($0, ignoresAccents: true) == typed }
    }

    private static func next(
        _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from: Int
    ) -> Int? {
        guard let start = text.baseAddress, let needleStart = needle.baseAddress else { return nil }
        var from = from
        while text.count - from >= needle.count {
            let rest = text.count - from - needle.count + 1
            guard let found = memchr(start + from, Int32(needle[0]), rest) else { return nil }
            let at = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if memcmp(start + at, needleStart, needle.count) == 0 { return at }
            from = at + 1
        }
        return nil
    }

    /// Adds fields, or beginnings of names and ids, that are one edit away.
    private func addSimilar(to needle: [UInt8], _ points: inout [Int32]) {
        guard needle.count >= Self.minimumSimilar.whole else { return }
        text.withUnsafeBufferPointer { text in
            needle.withUnsafeBufferPointer { needle in
                for (number, field) in fields.enumerated() {
                    let start = Int(field.start)
                    let end = number + 1 < fields.count ? Int(fields[number + 1].start) - 1 : text.count - 1
                    guard end - start >= needle.count - 1 else { continue }
                    let content = UnsafeBufferPointer(rebasing: text[start..<end])
                    let match: Int
                    switch Self.rest(of: content, after: needle) {
                    case 0: match = Points.similar
                    case .some where !field.isSymbol && needle.count >= Self.minimumSimilar.beginning:
                        match = Points.similarBeginning
                    default: continue
                    }
                    note(match, of: field, in: &points)
                }
            }
        }
    }

    /// How many bytes of the field are left after the needle with one edit, or nil if one is not enough. An edit
    /// inserts, deletes or replaces a letter, or swaps two.
    private static func rest(of field: UnsafeBufferPointer<UInt8>, after needle: UnsafeBufferPointer<UInt8>)
        -> Int?
    {
        let shorter = min(needle.count, field.count)
        var common = 0
        while common < shorter, needle[common] == field[common] { common += 1 }

        func rest(_ inNeedle: Int, _ inField: Int) -> Int? {
            let length = needle.count - inNeedle
            guard length >= 0, field.count - inField >= length else { return nil }
            for offset in 0..<length where needle[inNeedle + offset] != field[inField + offset] { return nil }
            return field.count - inField - length
        }

        let isSwapped =
            common + 1 < shorter && needle[common] == field[common + 1] && needle[common + 1] == field[common]
        return [
            rest(common + 1, common + 1), rest(common + 1, common), rest(common, common + 1),
            isSwapped ? rest(common + 2, common + 2) : nil,
        ].compactMap(\.self).min()
    }

    /// The bytes of a folded text that are compared: letters, digits and all non-ASCII. A text without any of those is
    /// kept as it is. Also returns, for each byte, whether a word begins there.
    private static func key(_ folded: [UInt8]) -> (bytes: [UInt8], wordStarts: [Bool]) {
        var bytes: [UInt8] = []
        var wordStarts: [Bool] = []
        var isStart = true
        for byte in folded {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                bytes.append(byte)
                wordStarts.append(isStart)
                isStart = false
            default: isStart = true
            }
        }
        guard bytes.isEmpty else { return (bytes, wordStarts) }
        bytes = folded.filter { $0 != 0 }
        return (bytes, bytes.indices.map { $0 == 0 })
    }
}
