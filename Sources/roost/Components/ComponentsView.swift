import Foundation
import RoostWeb

/// `/settings/components`.
struct ComponentsView: PageView, Sendable {
    static let scripts = ["accounts"]

    /// The symbols in `Public/icons/roost.svg`.
    static let symbols = [
        "roost", "home", "pulls", "repositories", "bookmarks", "watchlist", "displays", "chat", "reading",
        "settings", "more", "search", "command", "person",
    ]
    /// The other drawings in `Public/icons`, which styles show in the colour of their text.
    static let drawings = [
        "archive", "attach", "back", "bell", "bookmark", "bookmarked", "chevron", "close", "comments",
        "delivered", "external", "failed", "file", "more", "muted", "pencil", "read", "running", "sending",
        "sent",
        "share", "star", "star-outline", "trash", "up", "warning",
    ]

    let layout: LayoutView
    let tabs: SettingsTabs

    init(layout: LayoutView, isOwner: Bool) {
        self.layout = layout
        tabs = SettingsTabs(.components, in: layout, isOwner: isOwner)
    }

    var symbols: [String] { Self.symbols }
    var drawings: [String] { Self.drawings }

    var fields: [FieldView] {
        let state = FormState(
            typed: ["name": "Office wall", "hours": "72"],
            fieldErrors: ["email": "An e-mail address has an @ in it."])
        var name = FieldView("name", "Name", in: state, form: "sample")
        name.hint = "As others see it."
        var empty = FieldView("note", "Note", in: state, form: "sample")
        empty.isRequired = false
        empty.placeholder = "Look at how it handles back-pressure."
        var hours = FieldView("hours", "Hours", .number, in: state, form: "sample")
        hours.range = 1...720
        var password = FieldView("password", "Password", .password, in: state, form: "sample")
        password.autocomplete = "new-password"
        let bad = FieldView("email", "E-mail", .email, in: state, form: "sample")
        return [name, empty, bad, hours, FieldView("day", "Day", .date, in: state, form: "sample"), password]
    }

    /// One for each of the ten colours of initials.
    var people: [PersonView] {
        [
            "Ada Lovelace", "Grace Hopper", "Alan Turing", "Margaret Hamilton", "Edsger Dijkstra",
            "Barbara Liskov", "Donald Knuth", "Radia Perlman", "Dennis Ritchie", "Hedy Lamarr",
        ].enumerated().map { PersonView(name: $1, toneKey: "\($0)") }
    }

    var freshnessStates: [FreshnessView] {
        [
            FreshnessView(
                state: .live, updatedAt: layout.now - 12, nextAt: layout.now + 48, source: "CoinGecko",
                now: layout.now),
            FreshnessView(
                state: .stale, updatedAt: layout.now - 840, nextAt: layout.now + 32,
                reason: "CoinGecko is temporarily unavailable.", source: "CoinGecko", now: layout.now),
            FreshnessView(state: .loading, source: "CoinGecko", now: layout.now),
        ]
    }
}
