import Foundation
import RoostSupport
import TextFormats

/// An uploaded CSV file of coins: from Roost, from another program, or written by hand.
struct WatchlistFile: Sendable {
    enum Column: Sendable {
        case id, symbol
        /// An id or a symbol.
        case coin
        case category, note, amount, price, currency, boughtOn
        /// Prices whose currency is in the heading, as CoinMarketCap writes them.
        case priceInDollars, priceInEuros
        /// "buy" or "sell".
        case kind
        /// Delta's coins, "BTC (Bitcoin)", what was paid for all of them, and whether they are coins.
        case named, total, totalCurrency, assetKind

        init?(heading: String) {
            switch heading {
            case "coinid", "id", "coingeckoid": self = .id
            case "symbol", "ticker", "coinsymbol": self = .symbol
            case "coin", "coins", "token", "asset", "cryptocurrency": self = .coin
            case "category", "group": self = .category
            case "note", "notes", "comment", "comments": self = .note
            case "amount", "quantity", "qty", "holdings", "baseamount": self = .amount
            case "price", "buyprice", "pricepercoin", "priceperunit", "boughtat", "averagebuyprice",
                "avgbuyprice":
                self = .price
            case "currency", "pricecurrency": self = .currency
            case "boughton", "bought", "date", "buydate", "purchasedate": self = .boughtOn
            case "basecurrencyname", "basecurrency": self = .named
            case "quoteamount": self = .total
            case "quotecurrency": self = .totalCurrency
            case "basetype": self = .assetKind
            // "Date (UTC+1:00)"
            case "dateutc": self = .boughtOn
            case "priceusd": self = .priceInDollars
            case "priceeur": self = .priceInEuros
            case "type", "way", "side", "transactiontype": self = .kind
            default: return nil
            }
        }
    }

    typealias Row = CSV.Table<Column>.Row

    static let rules = FileImportRules(megabytes: 4, maximumRows: 5_000, noRows: "The file has no coins.")

    private(set) var rows: FileImport<Row>
    let numbers: NumberConvention

    /// Throws `RoostError.invalid(field: "file")` if it is not a list of coins, or if holdings have no amounts.
    init(_ file: [UInt8], as content: WatchlistFiles.Content) throws {
        rows = try FileImport(of: file, Self.rules)
        let table = try UploadedText(file, Self.rules)
            .table(keys: [.id, .symbol, .coin, .named], standard: [.coin: 0], Column.init(heading:))
        if content == .holdings, table.columns[.amount] == nil {
            throw RoostError.file(
                "The first line must name the columns “coin_id” or “symbol”, and “amount”.")
        }
        rows.read(table) { $0 }
        try rows.requireRows()
        let cells = rows.drafts.flatMap { row in
            [.amount, row.priceColumn, .total].map { (row.line, row.number($0)) }
        }
        numbers = NumberConvention(cells, isCommaSeparated: table.separator == UInt8(ascii: ","))
    }
}

extension WatchlistFile.Row {
    /// The symbol column, or else a column that has ids or symbols.
    var symbol: String {
        let symbol = self[.symbol].trimmed
        if !symbol.isEmpty { return symbol }
        let named = self[.named].splitBytes(at: "(", maxSplits: 1).first.map { String($0).trimmed } ?? ""
        return named.isEmpty ? self[.coin].trimmed : named
    }

    var priceColumn: WatchlistFile.Column {
        [.price, .priceInDollars, .priceInEuros].first { !self[$0].isBlank } ?? .price
    }

    var priceCurrency: String {
        switch priceColumn {
        case .priceInDollars: "usd"
        case .priceInEuros: "eur"
        default: self[.price].isBlank && !self[.total].isBlank ? self[.totalCurrency] : self[.currency]
        }
    }

    /// The price of one coin, as plain text. A file may have the price of all instead.
    func price(_ numbers: NumberConvention, amount: String) throws -> String {
        let price = try numbers.plain(number(priceColumn), field: "price")
        guard price.isBlank else { return price }
        let total = try numbers.plain(number(.total), field: "price")
        guard let total = Decimal(plain: total), let amount = Decimal(plain: amount), amount > 0 else {
            return ""
        }
        var (exact, rounded) = (total / amount, Decimal())
        NSDecimalRound(&rounded, &exact, Self.priceScale, .plain)
        return rounded.plainText
    }

    /// Digits after the point of a calculated price.
    private static let priceScale = 12

    /// Why the row is no coin that was bought: Delta's files have other assets, and rows that balance others.
    var otherAsset: String? {
        let kind = self[.assetKind].trimmed
        if !kind.isEmpty, kind.lowercased() != "crypto" {
            return "Only coins are imported. This row is “\(String(kind.prefix(40)).sanitized)”."
        }
        return self[.note].hasPrefix("SYNC-BASE-HOLDINGS")
            ? "This row is the other side of a trade, which has a row of its own." : nil
    }

    /// Without the time of day: "2024-05-06 07:08:09".
    var boughtOn: String {
        let text = self[.boughtOn].trimmed
        let isTime =
            text.utf8.count > 10 && text.utf8.dropFirst(10).first.map { $0 == 0x20 || $0 == 0x54 } ?? false
        return isTime ? String(decoding: text.utf8.prefix(10), as: UTF8.self) : text
    }

    /// What the row is about if it isn't a purchase. Holdings are purchases: other transactions would be counted as such.
    var otherKind: String? {
        let kind = self[.kind].trimmed
        let isOther = ["sell", "sold", "withdraw", "transfer out", "transfer_out", "sent", "send"].contains {
            kind.lowercased().hasPrefix($0)
        }
        return isOther ? kind : nil
    }

    /// An amount or a price as written, without the sign of the row's currency: "€1.234,50".
    func number(_ column: WatchlistFile.Column) -> String {
        let text = self[column].trimmed
        guard let sign = Currency(code: self[.currency].trimmed.lowercased()).sign else { return text }
        if text.hasPrefix(sign) { return String(text.dropFirst(sign.count)).trimmed }
        if text.hasSuffix(sign) { return String(text.dropLast(sign.count)).trimmed }
        return text
    }
}
