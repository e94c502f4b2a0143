import Foundation
import RoostSupport
import RoostWeb

/// `/settings/formats`.
struct FormatsView: PageView, Sendable {
    /// 28 November 2026, 21:05 in UTC. Neither the day nor the hour can be misread in another format.
    private static let example = Date(timeIntervalSince1970: 1_795_899_900)
    private static let exampleCount = 1_234

    let layout: LayoutView
    let tabs: SettingsTabs
    let zones: [SelectOption]
    let groups: [FormatGroup]
    let zoneError: String?
    let formatsError: String?

    init(layout: LayoutView, _ form: FormatsForm, refused: FormState = .empty, isOwner: Bool) {
        self.layout = layout
        tabs = SettingsTabs(.formats, in: layout, isOwner: isOwner)
        zoneError = refused.fieldErrors["timeZone"]
        formatsError = zoneError == nil ? refused.message : nil
        let automatic = SelectOption(
            value: FormatsForm.automatic, text: "Automatic, from your browser",
            isChosen: form.timeZone == FormatsForm.automatic)
        zones =
            [automatic]
            + TimeZones.names.map {
                SelectOption(
                    value: $0, text: $0.replacingBytes(of: "_", with: " "), isChosen: $0 == form.timeZone)
            }
        groups = [
            FormatGroup(
                "Date", "date", form.date, FormatPreferences.DateFormat.allCases,
                Self.texts(\.date) { RelativeTime.day(Self.example, zone: .gmt) }),
            FormatGroup(
                "Clock", "hours", form.hours, FormatPreferences.HourFormat.allCases,
                Self.texts(\.hours) { RelativeTime.clock(Self.example, zone: .gmt) }),
            FormatGroup(
                "Numbers", "numbers", form.numbers, FormatPreferences.NumberFormat.allCases,
                Self.texts(\.numbers) {
                    NumberText.grouped(Self.exampleCount) + "\(Formats.current.numbers.decimalMark)56"
                }),
            FormatGroup(
                "First day of the week", "firstDay", form.firstDay, FormatPreferences.FirstDay.allCases,
                { $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() }),
        ]
    }

    /// Returns how the example reads in each format.
    private static func texts<Choice>(
        _ path: WritableKeyPath<FormatPreferences, Choice>, _ text: @escaping () -> String
    ) -> (Choice) -> String {
        { choice in
            var preferences = FormatPreferences()
            preferences[keyPath: path] = choice
            return Formats(preferences).use(text)
        }
    }
}

struct FormatGroup: Sendable {
    let title: String
    let options: [SelectOption]

    fileprivate init<Choice: RawRepresentable<String>>(
        _ title: String, _ name: String, _ chosen: String?, _ choices: [Choice], _ text: (Choice) -> String
    ) {
        self.title = title
        options = choices.map {
            SelectOption(
                value: $0.rawValue, text: text($0), isChosen: $0.rawValue == chosen, name: name)
        }
    }
}
