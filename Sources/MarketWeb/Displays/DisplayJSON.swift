import Foundation
import Market
import RoostSupport
import TextFormats

/// A display with its settings, whose names are those of the settings' form.
struct DisplayJSON: Codable {
    private struct ScreenJSON: Codable {
        let version, address: String
        let reloads: Int
    }

    private let id, name: String
    private let isOnline: Bool
    private let createdAt: String
    private let lastSeenAt: String?
    private let screen: ScreenJSON?
    private let pages: [DisplaySettings.PageKind]
    private let today: [DisplaySettings.TodayPart]
    private let coins: [String]
    private let list, sort, currency, reloadAt: String?
    private let perPage, secondsPerPage, dimming: Int
    private let style: DisplaySettings.Style
    private let theme: DisplaySettings.Theme
    private let dimFrom, dimUntil: TimeOfDay
    private let blackHours: WeeklyHours
    private let orientation: DisplaySettings.Orientation
    private let language: DisplaySettings.Language
    private let showsClock, redIsUp: Bool
    private let headline: String

    init(_ display: Display, now: Date) {
        let settings = display.settings
        (id, name) = ("\(display.id)", display.name)
        isOnline = display.isOnline(at: now)
        createdAt = ISO8601.seconds(display.createdAt)
        lastSeenAt = display.lastSeenAt.map(ISO8601.seconds)
        screen = display.screen.map {
            ScreenJSON(version: $0.version, address: $0.address, reloads: $0.reloads)
        }
        (pages, today, coins) = (settings.pages, settings.todayParts, settings.coins)
        (list, sort) = (settings.listId.map { "\($0)" }, settings.sort?.rawValue)
        (currency, reloadAt) = (settings.currency, settings.reloadAt.map { "\($0)" })
        (perPage, secondsPerPage, dimming) = (settings.perPage, settings.secondsPerPage, settings.dimming)
        (style, theme) = (settings.style, settings.theme)
        (dimFrom, dimUntil) = (settings.dimHours.from, settings.dimHours.until)
        blackHours = settings.blackHours
        (orientation, language) = (settings.orientation, settings.language)
        (showsClock, redIsUp, headline) = (settings.showsClock, settings.redIsUp, settings.headline)
    }
}

/// A change of a display. Missing fields stay unchanged; "" removes the list, order, currency or time of the reload.
struct DisplayChange: Decodable {
    let name: String?
    private let pages: [DisplaySettings.PageKind]?
    private let today: [DisplaySettings.TodayPart]?
    private let coins: [String]?
    private let list, sort, currency, reloadAt: String?
    private let perPage, secondsPerPage, dimming: Int?
    private let style: DisplaySettings.Style?
    private let theme: DisplaySettings.Theme?
    private let dimFrom, dimUntil: TimeOfDay?
    private let blackHours: WeeklyHours?
    private let orientation: DisplaySettings.Orientation?
    private let language: DisplaySettings.Language?
    private let showsClock, redIsUp: Bool?
    private let headline: String?

    /// Throws `RoostError.invalid` with the field.
    func changed(_ old: DisplaySettings) throws -> DisplaySettings {
        var new = old
        new.pages = pages ?? old.pages
        new.todayParts = today ?? old.todayParts
        new.coins = coins ?? old.coins
        if let list {
            new.listId = try Self.value(list, "list") { Int64($0) }
        }
        if let sort {
            new.sort = try Self.value(sort, "sort") { DisplaySettings.Order(rawValue: $0) }
        }
        if let currency { new.currency = try Self.value(currency, "currency") { $0.lowercased() } }
        if let reloadAt {
            new.reloadAt = try Self.value(reloadAt, "reloadAt") { TimeOfDay($0) }
        }
        new.perPage = perPage ?? old.perPage
        new.secondsPerPage = secondsPerPage ?? old.secondsPerPage
        new.dimming = dimming ?? old.dimming
        new.style = style ?? old.style
        new.theme = theme ?? old.theme
        new.dimHours.from = dimFrom ?? old.dimHours.from
        new.dimHours.until = dimUntil ?? old.dimHours.until
        new.blackHours = blackHours ?? old.blackHours
        new.orientation = orientation ?? old.orientation
        new.language = language ?? old.language
        new.showsClock = showsClock ?? old.showsClock
        new.redIsUp = redIsUp ?? old.redIsUp
        new.headline = headline ?? old.headline
        return try new.checked()
    }

    /// Returns nil for "".
    private static func value<Value>(
        _ text: String, _ field: String, _ read: (String) -> Value?
    ) throws -> Value? {
        guard !text.isEmpty else { return nil }
        guard let value = read(text) else {
            throw RoostError.invalid(field: field, why: "“\(field)” doesn’t accept this value.")
        }
        return value
    }
}
