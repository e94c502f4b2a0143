import RoostSupport
import TextFormats

/// A CSV file of coins as somebody uploads it: ours, another program's, or one written by hand.
struct WatchlistFile: Sendable {
    enum Column: Sendable {
        case id, symbol, category, note, amount, price, currency, boughtOn

        /// What a column's head means, written in any case and with or without lines between the words.
        init?(head: String) {
            switch head.lowercased().filter(\.isLetter) {
            case "coinid", "id", "coingeckoid": self = .id
            case "symbol", "ticker": self = .symbol
            case "category", "group": self = .category
            case "note", "notes", "comment", "comments": self = .note
            case "amount", "quantity", "qty": self = .amount
            case "price", "buyprice", "pricepercoin", "priceperunit", "boughtat": self = .price
            case "currency", "pricecurrency": self = .currency
            case "boughton", "bought", "date", "buydate", "purchasedate": self = .boughtOn
            default: return nil
            }
        }
    }

    struct Row: Sendable {
        /// Where it begins in the file, from 1.
        let line: Int
        private let cells: [Column: String]

        fileprivate init(line: Int, cells: [Column: String]) {
            self.line = line
            self.cells = cells
        }

        /// "" where there is nothing.
        subscript(column: Column) -> String { cells[column] ?? "" }

        /// An amount or a price as the file writes it, without the sign of the row's own currency: "€1.234,50".
        func number(_ column: Column) -> String {
            let text = self[column].trimmed
            guard let sign = Currency(code: self[.currency].trimmed.lowercased()).sign else { return text }
            if text.hasPrefix(sign) { return String(text.dropFirst(sign.count)).trimmed }
            if text.hasSuffix(sign) { return String(text.dropLast(sign.count)).trimmed }
            return text
        }

        /// The cell as it is kept; nil where it is empty, which says nothing.
        func said(_ column: Column) -> String? { self[column].isBlank ? nil : self[column] }
    }

    static let maximumBytes = 4 << 20
    static let maximumRows = 5_000
    /// Longer than anything that is kept: comparing an endless run of accents takes Swift minutes.
    private static let maximumCellBytes = 20_000

    private(set) var rows: [Row] = []
    private(set) var failures: [WatchlistFiles.Report.Failure] = []
    /// Without a line that names the columns, each line begins with a coin's id or symbol.
    private(set) var hasHeads = true
    private(set) var numbers = NumberConvention([], isCommaSeparated: true)

    /// Throws `RoostError.invalid(field: "file")` for what is no list of coins, or names no amounts for holdings.
    init(_ bytes: [UInt8], as content: WatchlistFiles.Content) throws {
        guard bytes.count <= Self.maximumBytes else { throw Self.refusal("A file has 4 MB at most.") }
        guard let text = UploadedText.utf8OrLatin(bytes) else { throw Self.refusal("This is no text.") }
        let separator = CSV.separator(in: text)
        let records = CSV.records(in: text, separator: separator, atMost: Self.maximumRows + 2)
        guard let first = records.first else { throw Self.refusal("The file is empty.") }
        let columns = Self.columns(first.fields)
        hasHeads = columns[.id] != nil || columns[.symbol] != nil
        if content == .holdings, !hasHeads || columns[.amount] == nil {
            throw Self.refusal("The first line names the columns: “coin_id” or “symbol”, and “amount”.")
        }
        for record in records.dropFirst(hasHeads ? 1 : 0) {
            guard rows.count + failures.count < Self.maximumRows else {
                fail(record.line, "Only the first \(Self.maximumRows) rows were read.")
                break
            }
            read(record, hasHeads ? columns : [.id: 0])
        }
        guard !rows.isEmpty || !failures.isEmpty else { throw Self.refusal("There are no coins in it.") }
        if content == .holdings {
            let cells = rows.flatMap { row in
                [(row.line, row.number(.amount)), (row.line, row.number(.price))]
            }
            numbers = NumberConvention(cells, isCommaSeparated: separator == UInt8(ascii: ","))
        }
    }

    private mutating func read(_ record: CSV.Record, _ columns: [Column: Int]) {
        guard !record.isOpen else {
            return fail(record.line, "A quotation mark is opened here and never closed.")
        }
        guard record.fields.allSatisfy({ $0.utf8.count <= Self.maximumCellBytes }) else {
            return fail(record.line, "It is too long.")
        }
        let cells = columns.compactMapValues { place in
            place < record.fields.count ? CSV.read(record.fields[place]) : nil
        }
        rows.append(Row(line: record.line, cells: cells))
    }

    private mutating func fail(_ line: Int, _ why: String) {
        failures.append(.init(row: line, why: why))
    }

    private static func columns(_ fields: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        // A heading is a word: one of megabytes is left out.
        for (place, field) in fields.enumerated() where field.utf8.count <= 40 {
            if let column = Column(head: field), columns[column] == nil { columns[column] = place }
        }
        return columns
    }

    private static func refusal(_ why: String) -> RoostError { .invalid(field: "file", why: why) }
}
