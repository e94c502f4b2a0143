import Foundation
import GRDB
import RoostServices
import TestSupport
import Testing

@testable import RoostSupport

/// Records that state their columns once.
@Suite(.timeLimit(.minutes(1))) struct ColumnsTests {
    private enum Colour: String, ColumnValue { case white, amber }

    private struct Size: JSONColumnValue, Equatable { var watts = 0 }

    private struct Lamp: ColumnRecord, Equatable {
        var id: Int64 = 0
        var name = ""
        var colour = Colour.white
        var size = Size()
        var isOn = false
        var madeAt = Date(timeIntervalSince1970: 0)
        var brokenAt: Date?
        var room: String?
        var repairs = 0

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("id", &id)
            try columns.column("name", &name)
            try columns.column("colour", &colour)
            try columns.column("size", &size)
            try columns.column("is_on", &isOn)
            try columns.column("made_at", &madeAt)
            try columns.column("broken_at", &brokenAt)
            try columns.column("room", &room)
            try columns.column(
                "repairs", sql: "(SELECT count(*) FROM repairs WHERE lamp_id = l.id)", &repairs)
        }
    }

    /// A lamp's guarantee, whose columns are all null without one.
    private struct Guarantee: ColumnRecord, Equatable {
        var years = 0
        var shop: String?

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.column("years", &years)
            try columns.column("shop", &shop)
        }
    }

    private struct Purchase: ColumnRecord, Equatable {
        var guarantee: Guarantee?
        var parts: [String] = []

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.part(&guarantee)
            columns.written("search_text", parts.joined(separator: " "))
            try columns.column("parts", &parts)
        }
    }

    private static let selection = Lamp.selection(of: "l")

    private static let lamp = Lamp(
        id: 7, name: "Desk", colour: .amber, size: Size(watts: 5), isOn: true,
        madeAt: Date(timeIntervalSince1970: 1_700_000_000.25), brokenAt: nil, room: "Study", repairs: 2)

    private func withLamps(_ body: (RoostSupport.Database) async throws -> Void) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let pool = try RoostSupport.Database.open(in: folder)
            try await pool.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE lamps (id INTEGER PRIMARY KEY, name ANY, colour ANY, size ANY, is_on ANY, made_at ANY,
                            broken_at ANY, room ANY) STRICT;
                        CREATE TABLE repairs (lamp_id INTEGER) STRICT;
                        INSERT INTO repairs VALUES (7), (7), (8);
                        CREATE TABLE purchases (lamp_id INTEGER PRIMARY KEY, years ANY, shop ANY, parts ANY,
                            search_text TEXT) STRICT;
                        """)
            }
            try await body(RoostSupport.Database(pool, feed: ChangeFeed(), log: LogCapture().logger))
            try pool.close()
        }
    }

    private static func all(_ reads: Reads) throws -> [Lamp] {
        try reads.database.rows("SELECT \(selection) FROM lamps AS l ORDER BY id").map { try Lamp($0) }
    }

    @Test func `the select list has all columns in order`() {
        #expect(
            Self.selection == """
                l.id, l.name, l.colour, l.size, l.is_on, l.made_at, l.broken_at, l.room, \
                (SELECT count(*) FROM repairs WHERE lamp_id = l.id) AS repairs
                """)
        #expect(Lamp.columnCount == 9)
    }

    @Test func `what is inserted is read again`() async throws {
        try await withLamps { database in
            let id = try await database.write { try $0.insert(Self.lamp, into: "lamps") }
            #expect(id == 7)
            #expect(try await database.read(Self.all) == [Self.lamp])
        }
    }

    @Test func `an omitted column gets its default`() async throws {
        try await withLamps { database in
            let id = try await database.write { try $0.insert(Self.lamp, into: "lamps", omitting: ["id"]) }
            #expect(id == 1)
            var expected = Self.lamp
            (expected.id, expected.repairs) = (1, 0)
            #expect(try await database.read(Self.all) == [expected])
        }
    }

    @Test func `an update changes only the chosen rows and columns`() async throws {
        try await withLamps { database in
            var other = Self.lamp
            (other.id, other.repairs) = (8, 1)
            var changed = Self.lamp
            (changed.id, changed.name, changed.room, changed.brokenAt) = (99, "Wall", nil, changed.madeAt)
            try await database.write { [other, changed] writes in
                try writes.insert(Self.lamp, into: "lamps")
                try writes.insert(other, into: "lamps")
                try writes.update("lamps", with: changed, omitting: ["id"], where: "id = ?", [7])
            }
            changed.id = 7
            #expect(try await database.read(Self.all) == [changed, other])
        }
    }

    @Test(arguments: [
        "name = NULL", "colour = 'green'", "size = 'large'", "is_on = x'00'", "made_at = 'today'",
    ])
    func `a value that the type does not have is an error`(_ damage: String) async throws {
        try await withLamps { database in
            try await database.write { writes in
                try writes.insert(Self.lamp, into: "lamps")
                try writes.database.execute(sql: "UPDATE lamps SET \(damage)")
            }
            let column = String(damage.prefix { $0 != " " })
            _ = try await database.read { reads in
                #expect(throws: ImpossibleValue(column: column)) { try Self.all(reads) }
            }
        }
    }

    @Test(arguments: [(-1e300, 0), (1e300, 253_402_300_799), (12.5, 12.5)])
    func `a time lies in the years 1970 to 9999`(_ stored: Double, _ expected: Double) async throws {
        try await withLamps { database in
            let lamps = try await database.write { writes in
                try writes.insert(Self.lamp, into: "lamps")
                try writes.database.execute(sql: "UPDATE lamps SET made_at = ?", arguments: [stored])
                return try Self.all(writes)
            }
            #expect(lamps.map(\.madeAt.timeIntervalSince1970) == [expected])
        }
    }

    private static func purchases(_ reads: Reads) throws -> [Purchase] {
        let columns = Purchase.selection(of: "purchases")
        return try reads.database.rows("SELECT \(columns) FROM purchases ORDER BY lamp_id").map {
            try Purchase($0)
        }
    }

    @Test func `an optional part is null as a whole`() async throws {
        try await withLamps { database in
            let purchases = [
                Purchase(guarantee: Guarantee(years: 2), parts: ["bulb"]), Purchase(parts: ["foot", "arm"]),
            ]
            try await database.write { writes in
                for (id, purchase) in purchases.enumerated() {
                    try writes.insert(purchase, into: "purchases", keys: ["lamp_id": id])
                }
            }
            #expect(try await database.read(Self.purchases) == purchases)
            let nulls = try await database.read {
                try $0.database.value(
                    Int.self, "SELECT count(*) FROM purchases WHERE years IS NULL AND shop IS NULL")
            }
            #expect(nulls == 1)
        }
    }

    @Test func `a part with a null in it is an error, unless its first column is null`() async throws {
        try await withLamps { database in
            try await database.write {
                try $0.database.execute(
                    sql: """
                        INSERT INTO purchases
                        VALUES (1, x'00', NULL, '[]', ''), (2, NULL, 'Corner', '[]', '')
                        """
                )
            }
            _ = try await database.read { reads in
                #expect(throws: ImpossibleValue(column: "years")) { try Self.purchases(reads) }
            }
            try await database.write {
                try $0.database.execute(sql: "DELETE FROM purchases WHERE lamp_id = 1")
            }
            #expect(try await database.read(Self.purchases) == [Purchase()])
        }
    }

    @Test func `a column that is only written is not in the select list`() async throws {
        try await withLamps { database in
            #expect(Purchase.selection(of: "p") == "p.years, p.shop, p.parts" && Purchase.columnCount == 3)
            let text = try await database.write { writes in
                try writes.insert(Purchase(parts: ["foot", "arm"]), into: "purchases")
                return try writes.database.value(String.self, "SELECT search_text FROM purchases")
            }
            #expect(text == "foot arm")
        }
    }

    @Test func `a row with the same key is replaced if asked for`() async throws {
        try await withLamps { database in
            try await database.write { writes in
                try writes.insert(Purchase(parts: ["foot"]), into: "purchases", keys: ["lamp_id": 7])
                try writes.insert(
                    Purchase(parts: ["arm"]), into: "purchases", keys: ["lamp_id": 7], isReplacing: true)
            }
            #expect(try await database.read(Self.purchases) == [Purchase(parts: ["arm"])])
            await #expect(throws: RoostError.self) {
                try await database.write {
                    try $0.insert(Purchase(parts: ["foot"]), into: "purchases", keys: ["lamp_id": 7])
                }
            }
        }
    }

    @Test func `an update from one record to another writes only what differs`() async throws {
        try await withLamps { database in
            let (before, after) = (
                Purchase(parts: ["foot"]), Purchase(guarantee: Guarantee(years: 3), parts: ["foot"])
            )
            let stored = try await database.write { writes in
                try writes.insert(before, into: "purchases", keys: ["lamp_id": 7])
                try writes.database.execute(sql: "UPDATE purchases SET search_text = 'as it was'")
                try writes.update("purchases", from: before, to: after, where: "lamp_id = ?", [7])
                let changes = writes.database.totalChangesCount
                try writes.update("purchases", from: after, to: after, where: "lamp_id = ?", [7])
                #expect(writes.database.totalChangesCount == changes)
                return try writes.database.value(String.self, "SELECT search_text FROM purchases")
            }
            #expect(stored == "as it was")
            #expect(try await database.read(Self.purchases) == [after])
        }
    }

    @Test func `rows that cannot be read as a record are found`() async throws {
        try await withLamps { database in
            let rows = StoredRows("purchases", Purchase.self, ids: ["lamp_id"])
            let problems = try await database.write { writes in
                try writes.database.execute(
                    sql: """
                        INSERT INTO purchases VALUES (1, 1, NULL, '[]', ''), (2, 1, NULL, '[', ''),
                            (-3, 1, NULL, '[]', '')
                        """)
                return try rows.problems(writes.database)
            }
            #expect(
                problems == [
                    "The row lamp_id -3 of purchases has an invalid value in lamp_id.",
                    "The row lamp_id 2 of purchases has an invalid value in parts.",
                ])
        }
    }

    private struct Sale: ColumnRecord, Equatable {
        var receipt: [UInt8] = []
        var soldAt = Date(timeIntervalSince1970: 0)

        mutating func columns(_ columns: inout some ColumnVisitor) throws {
            try columns.bytes("receipt", &receipt)
            try columns.column("sold_at", &soldAt)
        }
    }

    private static let salesTable =
        "CREATE TABLE sales (id INTEGER PRIMARY KEY, receipt BLOB, sold_at REAL, buyer TEXT) STRICT"

    @Test func `bytes are stored as they are`() async throws {
        try await withLamps { database in
            let sale = Sale(receipt: [0, 255, 91], soldAt: Date(timeIntervalSince1970: 5))
            let read = try await database.write { writes in
                try writes.database.execute(sql: Self.salesTable)
                try writes.insert(sale, into: "sales")
                #expect(try writes.database.value(String.self, "SELECT hex(receipt) FROM sales") == "00FF5B")
                return try writes.database.rows("SELECT \(Sale.selection(of: "sales")) FROM sales").map {
                    try Sale($0)
                }
            }
            #expect(read == [sale])
        }
    }

    @Test func `the check finds times outside the calendar, which reading moves into it`() async throws {
        try await withLamps { database in
            let rows = StoredRows("sales", Sale.self, ids: ["id"], others: ["buyer"]) { sale, row in
                if sale.receipt.isEmpty { throw ImpossibleValue(column: "receipt") }
                _ = try row.textIfPresent("buyer", maximumBytes: 3)
            }
            let problems = try await database.write { writes in
                try writes.database.execute(
                    sql: """
                        \(Self.salesTable);
                        INSERT INTO sales VALUES (1, x'00', 5, 'Ada'), (2, x'00', 1e300, NULL),
                            (3, x'', 5, NULL), (4, x'00', 5, 'Grace')
                        """)
                return try rows.problems(writes.database)
            }
            #expect(
                problems == [
                    "The row id 2 of sales has an invalid value in sold_at.",
                    "The row id 3 of sales has an invalid value in receipt.",
                    "The row id 4 of sales has an invalid value in buyer.",
                ])
        }
    }
}
