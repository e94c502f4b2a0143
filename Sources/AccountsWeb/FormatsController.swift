import Accounts
import Foundation
import HTTPServer
import RoostSupport
import RoostWeb

/// `/settings/formats`: the user's time zone, date, hours, numbers and first day of the week.
struct FormatsController: Sendable {
    private static let path = "/settings/formats"
    private static let apiPath = "/api/v1/formats"

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path) { reads, request, user in
                let formats = try reads.preferences(FormatPreferences.self, of: user.userId)
                return .response(site.html(try view(reads, request, user, FormatsForm(formats))))
            },
            guarded.member(.post, Self.path, save),
            guarded.member(.post, Self.path + "/reset") { _, user in
                try await site.identity.accounts.setFormats(of: user.userId) { _ in FormatPreferences() }
                return saved(user)
            },
            guarded.member(
                .get, Self.apiPath, api: .answers(FormatsForm.self, "How your pages write dates and numbers.")
            ) { reads, _, user in
                let formats = try reads.preferences(FormatPreferences.self, of: user.userId)
                return .response(API.json(FormatsForm(formats)))
            },
            guarded.member(
                .patch, Self.apiPath,
                api: .answers(FormatsForm.self, "Changes some formats.").taking(
                    FormatsForm.self,
                    [
                        "date": .choice(FormatPreferences.DateFormat.self),
                        "hours": .choice(FormatPreferences.HourFormat.self),
                        "numbers": .choice(FormatPreferences.NumberFormat.self),
                        "firstDay": .choice(FormatPreferences.FirstDay.self),
                    ]), change),
        ]
    }

    private func saved(_ user: User) -> HandlerResult {
        site.redirect(to: Self.path, showing: NoticeView(text: "Dates and numbers saved."), to: user)
    }

    private func save(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = FormatsForm(try request.form())
        do {
            try await site.identity.accounts.setFormats(of: user.userId) {
                try form.merged(over: FormatsForm($0)).preferences()
            }
            return saved(user)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try view($0, request, user, form, refused: refused) })
        }
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(FormatsForm.self)
        let formats = try await site.identity.accounts.setFormats(of: user.userId) {
            try body.merged(over: FormatsForm($0)).preferences()
        }
        return .response(API.json(FormatsForm(formats)))
    }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, _ form: FormatsForm, refused: FormError? = nil
    ) throws -> FormatsView {
        FormatsView(
            layout: try site.layout(reads, for: user, request, currentEntry: SettingsTabs.path), form,
            refused: refused?.form ?? .empty, isOwner: user.role == .owner)
    }
}

/// The formats as texts, in forms and JSON; in a change, nil stays as it is.
struct FormatsForm: Codable, Sendable {
    /// The time zone of a user who takes the browser's.
    static let automatic = "auto"

    private(set) var timeZone, date, hours, numbers, firstDay: String?

    init(_ preferences: FormatPreferences) {
        timeZone = preferences.timeZone ?? Self.automatic
        date = preferences.date.rawValue
        hours = preferences.hours.rawValue
        numbers = preferences.numbers.rawValue
        firstDay = preferences.firstDay.rawValue
    }

    init(_ form: Form) {
        (timeZone, date, hours) = (form["timeZone"], form["date"], form["hours"])
        (numbers, firstDay) = (form["numbers"], form["firstDay"])
    }

    func merged(over stored: Self) -> Self {
        var merged = stored
        merged.timeZone = timeZone ?? stored.timeZone
        merged.date = date ?? stored.date
        merged.hours = hours ?? stored.hours
        merged.numbers = numbers ?? stored.numbers
        merged.firstDay = firstDay ?? stored.firstDay
        return merged
    }

    /// Throws `RoostError.invalid` with the name of the field.
    func preferences() throws -> FormatPreferences {
        var preferences = FormatPreferences()
        preferences.timeZone = timeZone == Self.automatic || timeZone?.isEmpty == true ? nil : timeZone
        preferences.date = try FormError.option(date, "date")
        preferences.hours = try FormError.option(hours, "hours")
        preferences.numbers = try FormError.option(numbers, "numbers")
        preferences.firstDay = try FormError.option(firstDay, "firstDay")
        return preferences
    }
}
