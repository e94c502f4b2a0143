import Market
import RoostSupport
import RoostWeb

struct DisplaySettingsView: PageView, Sendable {
    static let scripts = ["displays"]

    let layout: LayoutView
    let status: DisplayStatusView
    let link: DisplayLinkView
    let groups: [DisplayFieldGroup]
    /// For each weekday, the hours in which the screen is off.
    let week: [DisplayWeekday]
    let error: String?

    init(
        layout: LayoutView, row: DisplayRow, link: DisplayLinkView, form: DisplayForm,
        lists: [Watchlist] = [], coins: [(id: String, name: String)],
        refused: (field: String?, why: String)? = nil
    ) {
        self.layout = layout
        status = DisplayStatusView(row: row)
        self.link = link
        groups = DisplayFieldGroup.all(form, lists: lists, coins: coins, refused: refused)
        week = DisplayWeekday.all(form, refused: refused)
        let fields = groups.flatMap(\.fields) + week.flatMap(\.fields)
        let isAtField = fields.contains { $0.error != nil }
        error = isAtField ? nil : refused?.why
    }

    var displayId: String { status.row.displayId }
}

/// `/displays/ID/status`: the live part of the page.
struct DisplayStatusView: Sendable {
    let row: DisplayRow

    var screenVersion: String? { row.screen?.version }
    var screenAddress: String? { row.screen?.address }
    var screenReloads: String? {
        row.screen.map { $0.reloads == 1 ? "1 reload" : "\($0.reloads) reloads" }
    }
}

/// A display's full secret link, to copy, open or scan.
struct DisplayLinkView: Sendable {
    let displayId: String
    let displayName: String
    /// Nil for old links, made before Roost could show a link again.
    let sharedLink: SharedLink?
    let linkCode: QRCode?

    init(displayId: String, displayName: String, sharedLink: SharedLink?) {
        self.displayId = displayId
        self.displayName = displayName
        self.sharedLink = sharedLink
        // An address too long for a QR code can still be copied.
        linkCode = sharedLink.flatMap { try? QRCode($0.address) }
    }

    var hasLink: Bool { sharedLink != nil }
    var link: String { sharedLink?.address ?? "" }
}

struct DisplayFieldGroup: Sendable {
    /// The column of the page, and how its fields are set, as classes of `displays.css`.
    enum Place: String, Sendable { case pages, main, side, coins }

    let title: String
    var hint: String?
    let place: Place
    let fields: [DisplayField]

    static func all(
        _ form: DisplayForm, lists: [Watchlist], coins: [(id: String, name: String)],
        refused: (field: String?, why: String)?
    ) -> [DisplayFieldGroup] {
        func input(_ name: String, _ label: String, _ kind: DisplayField.Kind, hint: String? = nil)
            -> DisplayField
        {
            DisplayField(name, label, kind, in: form, refused: refused, hint: hint)
        }
        func choice(_ name: String, _ label: String, _ options: [(String, String)]) -> DisplayField {
            input(name, label, .select(options))
        }
        func boxes(_ name: String, _ options: [(id: String, name: String)]) -> [DisplayField] {
            DisplayField.boxes(name, options, in: form, refused: refused)
        }
        let names = [("", "My first list")] + lists.map { ("\($0.id)", $0.name) }
        let list = lists.isEmpty ? [] : [choice("list", "List", names)]
        let orders =
            [("", "Same as the list")]
            + DisplaySettings.Order.allCases.compactMap { SortOption(rawValue: $0.rawValue) }.map {
                ($0.rawValue, $0.text)
            }
        let pages =
            [
                input("name", "Name", .text(maximum: 100, isRequired: true)),
                input("secondsPerPage", "Seconds per page", .number(5...3_600)),
                input("headline", "Headline above the pages", .text(maximum: 400)),
            ]
            + boxes("pages", DisplaySettings.PageKind.allCases.map { ($0.rawValue, $0.label) })
            + boxes("today", DisplaySettings.TodayPart.allCases.map { ($0.rawValue, $0.label) })
        let prices =
            [
                choice(
                    "style", "Show",
                    [("price", "Price and change"), ("line", "With 7-day line"), ("cap", "With market cap")]),
                input("currency", "Currency", .text(maximum: 10), hint: "Empty: yours."),
                input("perPage", "Coins per page", .number(0...24), hint: "0: automatic."),
            ] + list + [
                choice("sort", "Order", orders), input("redIsUp", "Red means up", .checkbox(value: "true")),
            ]
        let screen = [
            choice(
                "theme", "Colours",
                [("dark", "Dark"), ("light", "Light"), ("time", "Light by day, dark by night")]),
            choice(
                "orientation", "Orientation",
                [
                    ("auto", "Automatic"), ("landscape", "Landscape"), ("portrait", "Portrait, turned right"),
                    ("portrait-left", "Portrait, turned left"),
                ]),
            choice(
                "language", "Language of the date",
                DisplaySettings.Language.allCases.map { ($0.rawValue, $0.name) }),
            input("reloadAt", "Reload every night at", .time, hint: "Empty: never."),
            input("dimming", "Dim by percent", .number(0...90), hint: "0: not dimmed."),
            input("showsClock", "Show the clock", .checkbox(value: "true")),
            input("dimFrom", "Dim from", .time), input("dimUntil", "Dim until", .time),
        ]
        return [
            DisplayFieldGroup(
                title: "Pages",
                hint: "Shown in turn. Anyone at the screen can read them.",
                place: .pages, fields: pages),
            DisplayFieldGroup(title: "Prices", place: .main, fields: prices),
            DisplayFieldGroup(title: "Screen", place: .side, fields: screen),
            DisplayFieldGroup(
                title: "Coins",
                hint: coins.isEmpty
                    ? "The watchlist is empty."
                    : "Choose the coins to show. Choose none to show the whole list.",
                place: .coins, fields: boxes("coins", coins)),
        ]
    }
}

struct DisplayWeekday: Sendable {
    let day: String
    /// From and until.
    let fields: [DisplayField]

    /// All days, in the order of the reader's week.
    static func all(_ form: DisplayForm, refused: (field: String?, why: String)?) -> [DisplayWeekday] {
        Formats.current.firstDay.week.map { day in
            let name = DisplayForm.weekdays[day]
            return DisplayWeekday(
                day: name,
                fields: [("blackFrom\(day)", "\(name) from"), ("blackUntil\(day)", "\(name) until")].map {
                    var field = DisplayField($0.0, $0.1, .time, in: form, refused: refused)
                    field.isInTable = true
                    return field
                })
        }
    }
}

struct DisplayField: Sendable {
    enum Kind: Sendable {
        case text(maximum: Int, isRequired: Bool = false)
        case number(ClosedRange<Int>)
        case time
        case checkbox(value: String)
        case select([(String, String)])
    }

    let name: String
    let label: String
    let kind: Kind
    let value: String
    var error: String?
    var hint: String?
    /// Nil unless it shares its name with others.
    var isChecked: Bool?
    /// The headings of a table say to readers what the label says to screen readers.
    var isInTable = false

    init(
        _ name: String, _ label: String, _ kind: Kind, in form: DisplayForm,
        refused: (field: String?, why: String)?, hint: String? = nil
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.hint = hint
        value = form[name]
        error = refused?.field == name ? refused?.why : nil
    }

    /// Checkboxes that share a name. The first one shows the error.
    static func boxes(
        _ name: String, _ options: [(id: String, name: String)], in form: DisplayForm,
        refused: (field: String?, why: String)?
    ) -> [DisplayField] {
        let ticked = form.ticked(in: name)
        return options.enumerated().map { index, option in
            var field = DisplayField(
                name, option.name, .checkbox(value: option.id), in: form, refused: index == 0 ? refused : nil)
            field.isChecked = ticked.contains(option.id)
            return field
        }
    }

    var isWide: Bool { name == "headline" }
    /// Checkboxes that share a name need distinct ids.
    var controlId: String {
        if case .checkbox(let value) = kind, isChecked != nil { return "\(name)-\(value)" }
        return "set-\(name)"
    }
    var describedBy: String? {
        let ids = [error.map { _ in "\(controlId)-error" }, hint.map { _ in "\(controlId)-hint" }]
            .compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }
    var isControlInvalid: Bool { error != nil }

    var controlType: String {
        switch kind {
        case .text, .select: "text"
        case .number: "number"
        case .time: "time"
        case .checkbox: "checkbox"
        }
    }
    var controlValue: String {
        if case .checkbox(let value) = kind { return value }
        return value
    }
    var isCheckbox: Bool { if case .checkbox = kind { true } else { false } }
    var isControlChecked: Bool { isChecked ?? !value.isEmpty }
    var isSelect: Bool { if case .select = kind { true } else { false } }
    var isControlRequired: Bool {
        switch kind {
        case .text(_, let isRequired): isRequired
        case .number: true
        case .time: name == "dimFrom" || name == "dimUntil"
        case .checkbox, .select: false
        }
    }
    var controlMaximumLength: Int? { if case .text(let maximum, _) = kind { maximum } else { nil } }
    var controlMinimum: Int? { if case .number(let range) = kind { range.lowerBound } else { nil } }
    var controlMaximum: Int? { if case .number(let range) = kind { range.upperBound } else { nil } }
    var options: [SelectOption] {
        guard case .select(let options) = kind else { return [] }
        return options.map { SelectOption(value: $0.0, text: $0.1, isChosen: $0.0 == value) }
    }
}

extension DisplaySettings.PageKind {
    var label: String {
        switch self {
        case .coins: "Prices"
        case .pulls: "Pull requests"
        case .today: "Today"
        case .headline: "Headline"
        }
    }
}

extension DisplaySettings.TodayPart {
    var label: String {
        switch self {
        case .alerts: "Today: alerts"
        case .bookmarks: "Today: bookmarks"
        case .reading: "Today: articles"
        }
    }
}

extension DisplaySettings.Language {
    var name: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .french: "Français"
        case .spanish: "Español"
        case .italian: "Italiano"
        case .portuguese: "Português"
        case .dutch: "Nederlands"
        case .danish: "Dansk"
        case .norwegian: "Norsk bokmål"
        case .swedish: "Svenska"
        case .finnish: "Suomi"
        case .polish: "Polski"
        case .czech: "Čeština"
        case .turkish: "Türkçe"
        case .ukrainian: "Українська"
        case .japanese: "日本語"
        case .korean: "한국어"
        case .chinese: "中文"
        }
    }
}
