package import Foundation
import Synchronization
import TextFormats

/// What a user has chosen under "Dates and numbers". The defaults are Roost's own formats.
package struct FormatPreferences: Preferences, Hashable {
    package enum DateFormat: String, Codable, CaseIterable, Sendable {
        /// "28 Nov 2026".
        case named = "d mmm yyyy"
        /// "28.11.2026".
        case dotted = "dd.mm.yyyy"
        /// "28/11/2026".
        case slashed = "dd/mm/yyyy"
        /// "11/28/2026".
        case monthFirst = "mm/dd/yyyy"
        /// "2026-11-28".
        case yearFirst = "yyyy-mm-dd"
    }

    package enum HourFormat: String, Codable, CaseIterable, Sendable {
        /// "21:05".
        case all = "24"
        /// "9:05 PM".
        case half = "12"
    }

    package enum NumberFormat: String, Codable, CaseIterable, Sendable {
        /// "1,234.56".
        case comma
        /// "1.234,56".
        case point
        /// "1 234,56", with spaces that do not break lines.
        case space

        package var decimalMark: Unicode.Scalar { self == .comma ? "." : "," }

        package var groupMark: Unicode.Scalar {
            switch self {
            case .comma: ","
            case .point: "."
            case .space: "\u{A0}"
            }
        }

        /// Rewrites a number typed in this format, such as "1.234,56", as "1234.56".
        ///
        /// Returns other text as it is: also "1.234", which is a plain number, and all text in Roost's own format.
        package func plain(_ typed: String) -> String {
            let text = typed.trimmed
            guard self != .comma, text.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
                let number = WrittenNumber(text), number.marks != ["."]
            else { return typed }
            return number.reading(.comma) ?? typed
        }
    }

    package enum FirstDay: String, Codable, CaseIterable, Sendable {
        case monday, sunday, saturday

        /// Days of the week in this order; 0 is Monday.
        package var week: [Int] {
            let first =
                switch self {
                case .monday: 0
                case .sunday: 6
                case .saturday: 5
                }
            return (0..<7).map { (first + $0) % 7 }
        }
    }

    package static let name = "formats"

    /// Such as "Europe/Berlin"; nil for the browser's.
    package var timeZone: String?
    package var date = DateFormat.named
    package var hours = HourFormat.all
    package var numbers = NumberFormat.comma
    package var firstDay = FirstDay.monday

    package init() {}

    /// Returns the valid preferences. Throws `RoostError.invalid` for a time zone that does not exist.
    package func checked() throws -> FormatPreferences {
        if let timeZone, !TimeZones.names.contains(timeZone) {
            throw RoostError.invalid(
                field: "timeZone", why: "There is no such time zone. Enter a name such as Europe/Berlin.")
        }
        return self
    }
}

/// The formats of the user whose page is being rendered: `Formats.current`.
///
/// Everything that writes times and numbers for pages uses it. The web guard sets it for each request of a user. JSON,
/// feeds and stored messages use `standard`, and walls their owner's numbers.
package struct Formats: Hashable, Sendable {
    package static let standard = Formats()

    @TaskLocal private static var reader = Formats.standard

    package static var current: Formats { reader }

    package let preferences: FormatPreferences
    /// The name of the time zone; nil for the server's.
    package let zoneName: String?
    private let readerZone: TimeZone?

    /// - Parameter browserZone: the browser's time zone, for preferences without one; the server's if it is unknown
    package init(_ preferences: FormatPreferences = FormatPreferences(), browserZone: String? = nil) {
        self.preferences = preferences
        let name = preferences.timeZone ?? browserZone
        readerZone = name.flatMap(TimeZones.zone)
        zoneName = readerZone == nil ? nil : name
    }

    package var zone: TimeZone { readerZone ?? .current }
    package var date: FormatPreferences.DateFormat { preferences.date }
    package var hours: FormatPreferences.HourFormat { preferences.hours }
    package var numbers: FormatPreferences.NumberFormat { preferences.numbers }
    package var firstDay: FormatPreferences.FirstDay { preferences.firstDay }

    /// For ETags: different for different formats, and empty for `standard`.
    package var tag: String {
        guard self != .standard else { return "" }
        // Their names have spaces, which ETags may not have.
        let date = FormatPreferences.DateFormat.allCases.firstIndex(of: date) ?? 0
        let numbers = FormatPreferences.NumberFormat.allCases.firstIndex(of: numbers) ?? 0
        return "-\(date)-\(hours.rawValue)-\(numbers)-\(firstDay.rawValue)-\(zoneName ?? "")"
    }

    /// Runs `work` with these formats as the current ones.
    package func use<Value>(_ work: () throws -> Value) rethrows -> Value {
        try Self.$reader.withValue(self, operation: work)
    }

    /// The same for work that awaits.
    package func use<Value>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async rethrows -> Value {
        try await Self.$reader.withValue(self, operation: work)
    }
}

/// Time zones by name. They are kept in memory, because each request needs one.
package enum TimeZones {
    /// More than there are names, such as "GMT+0517" which Foundation also knows.
    private static let limit = 1_024

    private static let found = Mutex<[String: TimeZone]>([:])

    /// The names that users can choose, sorted.
    package static let names: [String] =
        ["UTC"] + TimeZone.knownTimeZoneIdentifiers.filter { $0.utf8.contains(UInt8(ascii: "/")) }.sorted()

    /// Returns the zone with a name from the IANA's database, such as "Europe/Berlin" or "UTC". Browsers may also use
    /// older names.
    package static func zone(_ name: String) -> TimeZone? {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isNameByte) else { return nil }
        if let zone = found.withLock({ $0[name] }) { return zone }
        guard let zone = TimeZone(identifier: name) else { return nil }
        found.withLock { if $0.count < limit { $0[name] = zone } }
        return zone
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
