import Foundation
import Market
import TextFormats

/// The time-dependent settings of a display, as JSON for the page's script and evaluated for one moment.
///
/// The script uses the screen's clock (`Public/js/wall-schedule.js` has the same rules: change both). Without scripts,
/// the server's clock decides.
struct WallSchedule {
    private let settings: DisplaySettings
    private let time: TimeOfDay?
    /// Days since Monday.
    private let weekday: Int

    init(_ settings: DisplaySettings, at date: Date, zone: TimeZone) {
        self.settings = settings
        let now = CivilDate(date, zone: zone)
        time = TimeOfDay(minute: now.hour * 60 + now.minute)
        weekday = (now.weekday + 6) % 7
    }

    var isLight: Bool {
        switch settings.theme {
        case .light: true
        case .dark: false
        case .time: time.map(DisplaySettings.day.contains) ?? false
        }
    }

    var isBlack: Bool { time.map { settings.blackHours.contains($0, weekday: weekday) } ?? false }

    /// In percent.
    var dimming: Int { time.map(settings.dimHours.contains) ?? false ? settings.dimming : 0 }

    /// Minutes since midnight: `{"black":[[1320,360],null,…],"day":[420,1140],"dim":[1320,420],"dimming":40,
    /// "reload":240,"theme":"time"}`. Weekdays start on Monday; unused settings are omitted.
    var json: String {
        func minutes(_ range: HourRange) -> String { "[\(range.from.minute),\(range.until.minute)]" }
        var members: [String] = []
        if !settings.blackHours.isOff {
            let days = settings.blackHours.days.map { $0.map(minutes) ?? "null" }
            members.append("\"black\":[\(days.joined(separator: ","))]")
        }
        members.append("\"day\":\(minutes(DisplaySettings.day))")
        if settings.dimming > 0 {
            members.append("\"dim\":\(minutes(settings.dimHours)),\"dimming\":\(settings.dimming)")
        }
        if let reloadAt = settings.reloadAt { members.append("\"reload\":\(reloadAt.minute)") }
        members.append("\"theme\":\"\(settings.theme.rawValue)\"")
        return "{\(members.joined(separator: ","))}"
    }
}
