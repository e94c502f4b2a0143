/// `/settings/tokens`: what one's programs sign in with.
package struct TokensView: PageView {
    package static let template = "accounts/tokens"
    /// What the form offers; 0 is never.
    package static let choicesOfDays = [30, 90, 365, 0]

    package let layout: LayoutView
    package let isOwner: Bool
    package let rows: [TokenRow]
    package let newToken: NewTokenView?
    package let form: FormState
    private let tabs, formPart: Part
    private let rowParts, days: [Part]
    private let newTokenPart: Part?

    /// - Parameters:
    ///   - newToken: the token that has just been made; it is shown this once
    ///   - form: fields name, scope ("read" or "write"), days (of `choicesOfDays`)
    package init(
        layout: LayoutView, isOwner: Bool, rows: [TokenRow], newToken: NewTokenView? = nil,
        form: FormState = .empty
    ) {
        self.layout = layout
        self.isOwner = isOwner
        self.rows = rows
        self.newToken = newToken
        self.form = form
        tabs = Part(SettingsTabs(current: .tokens, isOwner: isOwner))
        rowParts = rows.map(Part.init)
        newTokenPart = newToken.map(Part.init)
        var name = FieldView("name", "Name", in: form, form: "token")
        name.placeholder = "Backup script"
        formPart = Part(FormView([name], form))
        let chosen = form.typed["days"].flatMap(Int.init) ?? 90
        days = Self.choicesOfDays.map {
            Part(Choice(value: "\($0)", text: Self.text(days: $0), isChosen: $0 == chosen))
        }
    }

    private static func text(days: Int) -> String {
        switch days {
        case 0: "never"
        case 365: "in a year"
        default: "in \(days) days"
        }
    }

    package static let sample = TokensView(
        layout: .settingsSample, isOwner: true, rows: TokenRow.samples, newToken: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "tokenRows": rowParts
        case "hasTokens": !rows.isEmpty
        case "newToken": newTokenPart
        case "tokenForm": formPart
        case "isWriteChosen": form.typed["scope"] == "write"
        case "dayChoices": days
        default: layout.field(name)
        }
    }
}
