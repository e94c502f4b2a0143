import Glibc
import TextFormats

/// Finds coins by name, symbol or id among 17,000, in well under 5 ms.
///
/// The letters and figures of all ids, symbols and names are one run of bytes, with a zero byte between two fields, so
/// that one search through memory finds every match. Blanks and signs make no difference: "bitcoincash", "chain link"
/// and "$btc" find what they mean. Order: how well a field matches and how large the coin is, together.
struct CoinIndex: Sendable {
    /// The fewer the better: those of the best match of a coin's fields, plus those of its rank.
    private enum Points {
        static let exact = 0
        /// The same but for blanks and signs.
        static let respelled = 16
        static let beginning = 24
        static let wordBeginning = 48
        static let inside = 128
        /// CoinGecko's own search names the coin, whatever it is called.
        static let named = 128
        /// One edit away. More than those of an exact match of any coin.
        static let similar = 168
        static let similarBeginning = 176
        /// For each doubling of the rank.
        static let perDoubling = 12.0
        static let unranked = 160
        static let none = Int32.max
    }

    private struct Field {
        /// The offset in `text`; 32 bits, as there are 35,000 fields.
        let start: Int32
        let coin: Int32
        /// A symbol is a code: another one with the same beginning is another coin.
        let isSymbol: Bool
    }

    /// Longer queries find nothing; in bytes.
    private static let maximumQuery = 200
    /// Shorter ones are codes: one edit makes any other of them.
    private static let minimumSimilar = (whole: 3, beginning: 5)

    /// The largest first, those without a rank by their names' length: between equal points the earlier one wins.
    private let coins: [RankedCoin]
    private let rankedCount: Int
    private let rankPoints: [Int32]
    private let places: [String: Int]
    private let text: [UInt8]
    /// For each byte of `text` whether a word begins there.
    private let wordStarts: [Bool]
    private let fields: [Field]

    package var count: Int { coins.count }

    package init(_ coins: [RankedCoin] = []) {
        let coins = Self.ordered(coins)
        self.coins = coins
        rankedCount = coins.firstIndex { $0.rank == nil } ?? coins.count
        rankPoints = coins.map { Self.points(ofRank: $0.rank) }
        places = Dictionary(zip(coins.map(\.coin.id), coins.indices)) { first, _ in first }
        var text: [UInt8] = []
        var wordStarts: [Bool] = []
        var fields: [Field] = []
        text.reserveCapacity(coins.count * 32)
        wordStarts.reserveCapacity(coins.count * 32)
        fields.reserveCapacity(coins.count * 2)
        for (place, ranked) in coins.enumerated() {
            let coin = ranked.coin
            var known: [[UInt8]] = []
            for (field, isSymbol) in [(coin.name, false), (coin.id, false), (coin.symbol, true)] {
                let (key, starts) = Self.key(FoldedText.fold(field, ignoresAccents: true))
                guard !key.isEmpty, !known.contains(key) else { continue }
                known.append(key)
                text.append(0)
                wordStarts.append(false)
                fields.append(Field(start: Int32(text.count), coin: Int32(place), isSymbol: isSymbol))
                text += key
                wordStarts += starts
            }
        }
        text.append(0)
        self.text = text
        self.wordStarts = wordStarts
        self.fields = fields
    }

    /// By rank, the name's length and id. Numbers are sorted, as coins would take ten times as long; by their ids most
    /// lists are sorted already.
    private static func ordered(_ coins: [RankedCoin]) -> [RankedCoin] {
        let coins = coins.sorted { $0.coin.id < $1.coin.id }
        let order = coins.enumerated().map { place, ranked in
            let rank = UInt64(clamping: ranked.rank ?? .max)
            return min(rank, 0xFFFF_FFFF) << 32 | UInt64(min(ranked.coin.name.utf8.count, 0xFF)) << 24
                | UInt64(place)
        }
        return order.sorted().map { coins[Int($0 & 0xFF_FFFF)] }
    }

    private static func points(ofRank rank: Int?) -> Int32 {
        guard let rank, rank > 0 else { return Int32(Points.unranked) }
        return Int32(min(Points.perDoubling * log2(Double(rank)), Double(Points.unranked)))
    }

    package func coin(id: String) -> RankedCoin? {
        places[id].map { coins[$0] }
    }

    /// All coins with one of these symbols, in lower case.
    func coins(symbols: Set<String>) -> [CoinListItem] {
        coins.lazy.map(\.coin).filter { symbols.contains($0.symbol) }
    }

    /// An index in which these coins take the place of those with the same ids.
    func merging(_ found: [RankedCoin]) -> CoinIndex {
        let ids = Set(found.map(\.coin.id))
        return CoinIndex(coins.filter { !ids.contains($0.coin.id) } + found)
    }

    /// The best matches, at most `limit`.
    ///
    /// - Parameter named: the ids that CoinGecko's own search answered
    /// - Returns: `isSure`: a coin with a rank matches whole, or from its beginning; hardly anybody means another one
    package func search(_ query: String, named: [String] = [], limit: Int = 20)
        -> (coins: [RankedCoin], isSure: Bool)
    {
        let typed = FoldedText.fold(query.trimmed, ignoresAccents: true)
        let needle = Self.key(typed).bytes
        guard !needle.isEmpty, needle.count <= Self.maximumQuery else { return ([], false) }
        var points = matches(of: needle, typed)
        let isSure = points[..<rankedCount].contains { $0 <= Points.beginning }
        if !isSure { addSimilar(to: needle, &points) }
        for place in named.compactMap({ places[$0] }) {
            points[place] = min(points[place], Int32(Points.named))
        }
        var order: [UInt64] = []
        for place in points.indices where points[place] != Points.none {
            order.append(UInt64(points[place] + rankPoints[place]) << 32 | UInt64(place))
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
                        // No other place in this field is a better one.
                        from = at + needle.count
                    } else {
                        match = wordStarts[at] ? Points.wordBeginning : Points.inside
                    }
                    note(match, of: field, in: &points)
                }
            }
        }
        for place in points.indices where points[place] == Points.respelled {
            if isExact(coins[place].coin, typed) { points[place] = Int32(Points.exact) }
        }
        return points
    }

    private func note(_ match: Int, of field: Field, in points: inout [Int32]) {
        let place = Int(field.coin)
        points[place] = min(points[place], Int32(match))
    }

    private func isExact(_ coin: CoinListItem, _ typed: [UInt8]) -> Bool {
        [coin.symbol, coin.name, coin.id].contains { FoldedText.fold($0, ignoresAccents: true) == typed }
    }

    /// The offset of the next occurrence: `memchr` for the first byte, `memcmp` for the rest.
    private static func next(
        _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from: Int
    ) -> Int? {
        guard let start = text.baseAddress, let wanted = needle.baseAddress else { return nil }
        var from = from
        while text.count - from >= needle.count {
            let rest = text.count - from - needle.count + 1
            guard let found = memchr(start + from, Int32(needle[0]), rest) else { return nil }
            let at = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if memcmp(start + at, wanted, needle.count) == 0 { return at }
            from = at + 1
        }
        return nil
    }

    /// Forgives one edit in a field, or in the beginning of a name or id.
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

    /// How many bytes of the field are left when one edit has made the needle its beginning; nil where one is not enough.
    /// An edit is a letter more, one less, another one, or two that are swapped.
    private static func rest(of field: UnsafeBufferPointer<UInt8>, after needle: UnsafeBufferPointer<UInt8>)
        -> Int?
    {
        let shorter = min(needle.count, field.count)
        var same = 0
        while same < shorter, needle[same] == field[same] { same += 1 }

        func rest(_ inNeedle: Int, _ inField: Int) -> Int? {
            let length = needle.count - inNeedle
            guard length >= 0, field.count - inField >= length else { return nil }
            for place in 0..<length where needle[inNeedle + place] != field[inField + place] { return nil }
            return field.count - inField - length
        }

        let isSwapped =
            same + 1 < shorter && needle[same] == field[same + 1] && needle[same + 1] == field[same]
        return [
            rest(same + 1, same + 1), rest(same + 1, same), rest(same, same + 1),
            isSwapped ? rest(same + 2, same + 2) : nil,
        ].compactMap(\.self).min()
    }

    /// What is compared of a folded text: letters, figures, and all that is not ASCII; a text without any of those as it
    /// is. With each byte whether a word begins there.
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
