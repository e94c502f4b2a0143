package import Foundation

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

/// One choice of several in a form.
struct Choice: ViewFields {
    let value, text: String
    let isChosen: Bool

    func field(_ name: String) -> Any? {
        switch name {
        case "choiceValue": value
        case "choiceText": text
        case "isChosen": isChosen
        default: nil
        }
    }
}

/// A token in full, this once.
package struct NewTokenView: ViewFields {
    package let name: String
    package let secret: String

    package init(name: String, secret: String) {
        self.name = name
        self.secret = secret
    }

    package static let sample = NewTokenView(
        name: "Backup script", secret: "roost_q3W9kzYt1mXv0bRr8sPdLh2nJcFgA7eUoI5xTqVwZ4k")

    package func field(_ name: String) -> Any? {
        switch name {
        case "newTokenName": self.name
        case "newTokenSecret": secret
        default: nil
        }
    }
}

/// One token, without its secret.
package struct TokenRow: ViewFields {
    package let id: String
    package let name: String
    package let mayWrite: Bool
    package let createdAt: Date
    package let expiresAt: Date?
    package let lastUsedAt: Date?
    package let now: Date

    /// - Parameter expiresAt: nil never
    package init(
        id: String, name: String, mayWrite: Bool, createdAt: Date, expiresAt: Date?, lastUsedAt: Date?,
        now: Date
    ) {
        self.id = id
        self.name = name
        self.mayWrite = mayWrite
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.now = now
    }

    package static let samples = [
        TokenRow(
            id: "1", name: "Backup script", mayWrite: false, createdAt: .sample,
            expiresAt: .sample + 86_400 * 90, lastUsedAt: nil, now: .sample),
        TokenRow(
            id: "2", name: "Home automation", mayWrite: true, createdAt: .sample - 86_400 * 40,
            expiresAt: nil, lastUsedAt: .sample - 43, now: .sample),
        TokenRow(
            id: "3", name: "Something with a long name that I made when I tried the interface",
            mayWrite: false, createdAt: .sample - 86_400 * 100, expiresAt: .sample - 86_400 * 10,
            lastUsedAt: .sample - 86_400 * 30, now: .sample),
    ]

    package func field(_ name: String) -> Any? {
        switch name {
        case "tokenId": PathSegment(id).description
        case "tokenName": self.name
        case "tokenScope": mayWrite ? "reads and writes" : "reads"
        case "tokenMade": AgeText.iso(createdAt)
        case "tokenMadeDay": AgeText.day(createdAt)
        case "tokenEnds": expiresAt.map(AgeText.iso)
        case "tokenEndsDay": expiresAt.map { AgeText.day($0) }
        case "isTokenOver": expiresAt.map { $0 <= now } ?? false
        case "tokenUsed": lastUsedAt.map(AgeText.iso)
        case "tokenUsedAgo": lastUsedAt.map { AgeText.ago($0, now: now) }
        default: nil
        }
    }
}
