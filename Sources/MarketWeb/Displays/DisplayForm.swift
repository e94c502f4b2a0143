import HTTPServer
import Market
import RoostSupport
import RoostWeb

/// The settings of a display as form texts, which can also hold invalid input.
struct DisplayForm: Sendable {
    /// Marks a form with all fields; in it, a missing checkbox means unticked.
    static let wholeForm = "settings"
    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static let switches = ["showsClock", "redIsUp"]
    private static let lists = ["coins", "pages", "today"]
    /// In bytes; no field needs more.
    private static let maximumBytes = 1_024

    private var texts: [String: String]
    /// The ticked values of checkboxes that share a name.
    private var ticked: [String: [String]]

    init(name: String, settings: DisplaySettings) {
        texts = [
            "name": name, "list": settings.listId.map { "\($0)" } ?? "",
            "sort": settings.sort?.rawValue ?? "", "perPage": "\(settings.perPage)",
            "secondsPerPage": "\(settings.secondsPerPage)", "style": settings.style.rawValue,
            "currency": settings.currency ?? "", "theme": settings.theme.rawValue,
            "dimming": "\(settings.dimming)", "dimFrom": "\(settings.dimHours.from)",
            "dimUntil": "\(settings.dimHours.until)", "orientation": settings.orientation.rawValue,
            "language": settings.language.rawValue, "showsClock": settings.showsClock ? "true" : "",
            "headline": settings.headline, "redIsUp": settings.redIsUp ? "true" : "",
            "reloadAt": settings.reloadAt.map { "\($0)" } ?? "",
        ]
        for (day, hours) in settings.blackHours.days.enumerated() {
            texts["blackFrom\(day)"] = hours.map { "\($0.from)" } ?? ""
            texts["blackUntil\(day)"] = hours.map { "\($0.until)" } ?? ""
        }
        ticked = [
            "coins": settings.coins, "pages": settings.pages.map(\.rawValue),
            "today": settings.todayParts.map(\.rawValue),
        ]
    }

    subscript(name: String) -> String { texts[name] ?? "" }

    func ticked(in list: String) -> Set<String> { Set(ticked[list] ?? []) }

    /// In a whole form, missing checkboxes mean unticked; in other forms, only a missing `redIsUp` does.
    mutating func update(from pairs: [(name: String, value: String)]) {
        let isWhole = pairs.contains { $0.name == "form" && $0.value == Self.wholeForm }
        for name in isWhole ? Self.switches : ["redIsUp"] { texts[name] = "" }
        for list in Self.lists {
            let values = pairs.filter { $0.name == list }.map(\.value)
            if isWhole || !values.isEmpty { ticked[list] = values }
        }
        for (name, value) in pairs where texts[name] != nil && value.utf8.count <= Self.maximumBytes {
            texts[name] = value
        }
    }

    /// Throws `RoostError.invalid` with the name of the field.
    func settings() throws -> DisplaySettings {
        let currency = self["currency"].lowercased().filter { !$0.isWhitespace }
        return try DisplaySettings(
            pages: choices("pages"), todayParts: choices("today"), listId: id("list"),
            coins: ticked["coins"] ?? [],
            sort: self["sort"].isEmpty ? nil : choice("sort"), perPage: number("perPage"),
            secondsPerPage: number("secondsPerPage"), style: choice("style"),
            currency: currency.isEmpty ? nil : currency, theme: choice("theme"), dimming: number("dimming"),
            dimHours: HourRange(from: time("dimFrom"), until: time("dimUntil")), blackHours: blackHours(),
            orientation: choice("orientation"), language: choice("language"),
            showsClock: !self["showsClock"].isEmpty, headline: self["headline"],
            redIsUp: !self["redIsUp"].isEmpty,
            reloadAt: self["reloadAt"].isEmpty ? nil : time("reloadAt")
        ).checked()
    }

    private func blackHours() throws -> WeeklyHours {
        WeeklyHours(
            try Self.weekdays.enumerated().map { day, name in
                let (from, until) = (self["blackFrom\(day)"], self["blackUntil\(day)"])
                guard !from.isEmpty || !until.isEmpty else { return nil }
                guard !from.isEmpty, !until.isEmpty else {
                    let missing = from.isEmpty ? "blackFrom" : "blackUntil"
                    throw RoostError.invalid(
                        field: "\(missing)\(day)", why: "Enter both times for \(name), or neither.")
                }
                return HourRange(from: try time("blackFrom\(day)"), until: try time("blackUntil\(day)"))
            })
    }

    /// Returns -1 for text that is not a number; every limit rejects it.
    private func number(_ name: String) -> Int {
        let text = self[name]
        return text.isEmpty ? 0 : Int(text) ?? -1
    }

    private func id(_ name: String) throws -> Int64? {
        guard !self[name].isEmpty else { return nil }
        guard let id = Int64(self[name]) else {
            throw RoostError.invalid(field: name, why: "There is no such list.")
        }
        return id
    }

    private func time(_ name: String) throws -> TimeOfDay {
        guard let time = TimeOfDay(self[name]) else {
            throw RoostError.invalid(field: name, why: "Enter a time such as 22:00.")
        }
        return time
    }

    private func choice<Choice: RawRepresentable<String>>(_ name: String) throws -> Choice {
        try FormError.option(self[name], name)
    }

    private func choices<Choice: RawRepresentable<String>>(_ name: String) throws -> [Choice] {
        try (ticked[name] ?? []).map { try FormError.option($0, name) }
    }
}
