import Market
import RoostWeb

struct DisplaySettingsView: PageView, Sendable {
    static let scripts = ["displays"]

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
    let title: String
    var hint: String?
    var isGrid = false
    let fields: [DisplayField]

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
            [("", "Same as the list")]
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
                        hint: "A line of text above the prices, such as an announcement."),
                ]),
            DisplayFieldGroup(
                title: "Prices", isGrid: true,
                fields: [
                    choice(
                        "style", "Show",
                        [
                            ("price", "Price and change"), ("line", "With 7-day line"),
                            ("cap", "With market cap"),
                        ]),
                    input(
                        "currency", "Currency", .text(maximum: 10),
                        hint: "Such as eur or btc. Leave empty to use yours."),
                    input("perPage", "Coins per page", .number(0...24), hint: "0: automatic."),
                    input("secondsPerPage", "Seconds per page", .number(5...3_600)),
                    input("redIsUp", "Red means up", .checkbox(value: "true")),
                ]),
            DisplayFieldGroup(
                title: "Coins",
                hint: boxes.isEmpty
                    ? "The watchlist is empty."
                    : "Choose the coins to show. Choose none to show the whole list.",
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
                            ("auto", "Automatic"), ("landscape", "Landscape"),
                            ("portrait", "Portrait, turned right"),
                            ("portrait-left", "Portrait, turned left"),
                        ]),
                    choice(
                        "language", "Language of the date",
                        DisplaySettings.Language.allCases.map { ($0.rawValue, $0.name) }),
                    input("reloadAt", "Reload every night at", .time, hint: "Leave empty for never."),
                    input("showsClock", "Show the clock", .checkbox(value: "true")),
                ]),
            DisplayFieldGroup(
                title: "Dimming", hint: "Uses the screen’s own clock.", isGrid: true,
                fields: [
                    input("dimming", "Percent", .number(0...90), hint: "0: not dimmed."),
                    input("dimFrom", "Dim from", .time), input("dimUntil", "Dim until", .time),
                ]),
            DisplayFieldGroup(
                title: "Screen off",
                hint: "Leave empty to stay on all day. An end earlier than the start means the next morning.",
                isGrid: true, fields: black),
        ]
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
    var isChecked: Bool?
    /// Checkboxes that share a name need distinct ids.
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
