import Market

/// `/displays/ID`: one display, with its screen, link and settings, and a preview of what it shows.
struct DisplaySettingsView: PageView, Sendable {
    let layout: LayoutView
    let status: DisplayStatusView
    let link: DisplayLinkView
    let groups: [DisplayFieldGroup]
    let error: String?

    init(
        layout: LayoutView, row: DisplayRow, link: DisplayLinkView, form: DisplayForm,
        lists: [(id: String, name: String)] = [], coins: [(id: String, name: String)],
        refused: (field: String?, why: String)? = nil
    ) {
        self.layout = layout
        status = DisplayStatusView(row: row)
        self.link = link
        groups = DisplayFieldGroup.all(form, lists: lists, coins: coins, refused: refused)
        let isAtField = groups.contains { $0.fields.contains { $0.error != nil } }
        error = isAtField ? nil : refused?.why
    }

    var displayId: String { status.row.displayId }
    var displayName: String { status.row.displayName }
    var formError: String? { error }
}

/// `/displays/ID/status`: the part of the page that follows the screen.
struct DisplayStatusView: Sendable {
    let row: DisplayRow

    var screenVersion: String? { row.screen?.version }
    var screenAddress: String? { row.screen?.address }
    var screenReloads: String? {
        row.screen.map { $0.reloads == 1 ? "1 reload" : "\($0.reloads) reloads" }
    }
}

/// A display's secret link, in full: to copy, to open, to scan.
struct DisplayLinkView: Sendable {
    let displayId: String
    let displayName: String
    /// Nil for a link from before links could be shown again.
    let reach: SharedLink?
    let linkCode: QRCode?

    init(displayId: String, displayName: String, reach: SharedLink?) {
        self.displayId = displayId
        self.displayName = displayName
        self.reach = reach
        // An address too long for a QR code can still be copied.
        linkCode = reach.flatMap { try? QRCode($0.address) }
    }

    var linkId: String { displayId }
    var hasLink: Bool { reach != nil }
    var link: String { reach?.address ?? "" }
}

/// Fields that belong together.
struct DisplayFieldGroup: Sendable {
    let title: String
    var hint: String?
    var isGrid = false
    let fields: [DisplayField]

    var groupTitle: String { title }

    static func all(
        _ form: DisplayForm, lists: [(id: String, name: String)], coins: [(id: String, name: String)],
        refused: (field: String?, why: String)?
    ) -> [DisplayFieldGroup] {
        func input(_ name: String, _ label: String, _ kind: DisplayField.Kind, hint: String? = nil)
            -> DisplayField
        {
            DisplayField(
                name: name, label: label, kind: kind, value: form[name],
                error: refused?.field == name ? refused?.why : nil, hint: hint)
        }
        func choice(_ name: String, _ label: String, _ options: [(String, String)]) -> DisplayField {
            input(name, label, .select(options))
        }
        let black = DisplayForm.weekdays.enumerated().flatMap { day, name in
            [
                input("blackFrom\(day)", "\(name) from", .time),
                input("blackUntil\(day)", "\(name) until", .time),
            ]
        }
        let names = [(id: "", name: "My first list")] + lists
        let list = lists.isEmpty ? [] : [choice("list", "List", names.map { ($0.id, $0.name) })]
        let orders =
            [("", "As the list is sorted")]
            + DisplaySettings.Order.allCases.compactMap { SortOption(rawValue: $0.rawValue) }.map {
                ($0.rawValue, $0.text)
            }
        let ticked = Set(form.coins)
        let boxes = coins.map { coin in
            DisplayField(
                name: "coins", label: coin.name, kind: .checkbox(value: coin.id), value: "",
                isChecked: ticked.contains(coin.id))
        }
        return [
            DisplayFieldGroup(
                title: "Display",
                fields: [
                    input("name", "Name", .text(maximum: 100, isRequired: true)),
                    input(
                        "headline", "Headline", .text(maximum: 400),
                        hint: "A line of text over the prices, such as an announcement."),
                ]),
            DisplayFieldGroup(
                title: "Prices", isGrid: true,
                fields: [
                    choice(
                        "style", "Show",
                        [
                            ("price", "Price and change"), ("line", "With line of 7 days"),
                            ("cap", "With market cap"),
                        ]),
                    input(
                        "currency", "Currency", .text(maximum: 10), hint: "Such as eur or btc. Empty: yours."),
                    input("perPage", "Coins per page", .number(0...24), hint: "0: as many as fit well."),
                    input("secondsPerPage", "Seconds per page", .number(5...3_600)),
                    input("redIsUp", "Red means up", .checkbox(value: "true")),
                ]),
            DisplayFieldGroup(
                title: "Coins",
                hint: boxes.isEmpty
                    ? "The watchlist is empty." : "Tick the coins to show. None ticked: all of the list.",
                isGrid: true, fields: list + [choice("sort", "Order", orders)] + boxes),
            DisplayFieldGroup(
                title: "Screen", isGrid: true,
                fields: [
                    choice(
                        "theme", "Colours",
                        [("dark", "Dark"), ("light", "Light"), ("time", "Light by day, dark by night")]),
                    choice(
                        "orientation", "Orientation",
                        [
                            ("auto", "As the screen says"), ("landscape", "Landscape"),
                            ("portrait", "Portrait, turned right"),
                            ("portrait-left", "Portrait, turned left"),
                        ]),
                    choice(
                        "language", "Language of the date",
                        DisplaySettings.Language.allCases.map { ($0.rawValue, $0.name) }),
                    input("reloadAt", "Reload every night at", .time, hint: "Empty: never."),
                    input("showsClock", "Show the clock", .checkbox(value: "true")),
                ]),
            DisplayFieldGroup(
                title: "Dimming", hint: "By the screen’s own clock.", isGrid: true,
                fields: [
                    input("dimming", "Percent", .number(0...90), hint: "0: never dimmed."),
                    input("dimFrom", "Dim from", .time), input("dimUntil", "Dim until", .time),
                ]),
            DisplayFieldGroup(
                title: "Black hours",
                hint: "Empty: on all day. Hours that end before they begin go on until the next morning.",
                isGrid: true, fields: black),
        ]
    }
}

/// One field of a display's settings.
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
    var isChecked: Bool?
    /// Of checkboxes of one name each has an id of its own.
    var controlId: String {
        if case .checkbox(let value) = kind, name == "coins" { return "coin-\(value)" }
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

extension DisplaySettings.Language {
    /// As its speakers write it.
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
