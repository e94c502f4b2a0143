import RoostWeb
import TextFormats

struct TokensView: PageView, Sendable {
    static let scripts = ["accounts"]

    /// The choice of a token that is limited to areas, and the field with its scopes.
    static let areasField = "areas"

    struct AreaChoice: Sendable {
        let key: String
        let areaName: String
        let isReadChecked: Bool
        let isWriteChecked: Bool
        let hasActs: Bool
        let isActChecked: Bool
    }

    /// 0 is never.
    static let choicesOfDays = [30, 90, 365, 0]

    let layout: LayoutView
    let isOwner: Bool
    let list: TokensListView
    let newToken: NewTokenView?
    let form: FormState
    let tabs: SettingsTabs
    let tokenForm: FormView
    let dayChoices: [SelectOption]
    let areaChoices: [AreaChoice]

    /// - Parameters:
    ///   - newToken: the new token, shown only once
    ///   - form: fields name, scope ("read", "write", "metrics" or "areas"), days (of `choicesOfDays`), and areas, the
    ///     chosen scopes of areas
    ///   - areas: the areas that a token may be limited to
    init(
        layout: LayoutView, isOwner: Bool, list: TokensListView, newToken: NewTokenView? = nil,
        form: FormState = .empty, areas: [TokenArea] = []
    ) {
        self.layout = layout
        self.isOwner = isOwner
        self.list = list
        self.newToken = newToken
        self.form = form
        tabs = SettingsTabs(.tokens, in: layout, isOwner: isOwner)
        var name = FieldView("name", "Name", in: form, form: "token")
        name.placeholder = "Backup script"
        tokenForm = FormView([name], form)
        let chosen = form.typed["days"].flatMap(Int.init) ?? 90
        dayChoices = Self.choicesOfDays.map {
            SelectOption(value: "\($0)", text: Self.text(days: $0), isChosen: $0 == chosen)
        }
        let scopes = Set((form.typed[Self.areasField] ?? "").splitBytes(at: " ").map(String.init))
        areaChoices = areas.map { area in
            let (read, write, act) = ("\(area.key):read", "\(area.key):write", "\(area.key):act")
            return AreaChoice(
                key: area.key, areaName: area.name, isReadChecked: scopes.contains(read),
                isWriteChecked: scopes.contains(write), hasActs: area.hasActs,
                isActChecked: scopes.contains(act))
        }
    }

    private static func text(days: Int) -> String {
        switch days {
        case 0: "never"
        case 365: "in a year"
        default: "in \(days) days"
        }
    }

    var isWriteChosen: Bool { form.typed["scope"] == "write" }
    var isMetricsChosen: Bool { form.typed["scope"] == "metrics" }
    var isAreasChosen: Bool { hasAreas && form.typed["scope"] == Self.areasField }
    var isReadChosen: Bool { !isWriteChosen && !isMetricsChosen && !isAreasChosen }
    var hasAreas: Bool { !areaChoices.isEmpty }
}

/// `/settings/tokens/list`: the list, fetched again when a token is made, revoked or expired.
struct TokensListView: Sendable {
    let tokenRows: [TokenRow]

    /// - Parameter rows: the newest first
    init(rows: [TokenRow]) {
        tokenRows = rows
    }

    var hasTokens: Bool { !tokenRows.isEmpty }
}
