package import Foundation

/// `/settings`: name, e-mail and picture.
package struct ProfileView: PageView {
    package static let template = "accounts/profile"

    package let layout: LayoutView
    package let person: PersonView
    package let username: String
    package let isOwner: Bool
    package let joinedAt: Date
    package let form: FormState
    package let avatarError: String?
    private let tabs, personPart, formPart: Part

    /// - Parameters:
    ///   - person: as in the layout
    ///   - form: fields displayName, email: as they are kept, or as they were typed and refused
    ///   - avatarError: why a picture was not taken, a sentence
    package init(
        layout: LayoutView, person: PersonView, username: String, isOwner: Bool, joinedAt: Date,
        form: FormState, avatarError: String? = nil
    ) {
        self.layout = layout
        self.person = person
        self.username = username
        self.isOwner = isOwner
        self.joinedAt = joinedAt
        self.form = form
        self.avatarError = avatarError
        tabs = Part(SettingsTabs(current: .profile, isOwner: isOwner))
        personPart = Part(person)
        formPart = Part(FormView([.displayName(form), .email(form)], form))
    }

    package static let sample = ProfileView(
        layout: .settingsSample, person: .sample, username: "ada", isOwner: true,
        joinedAt: .sample - 86_400 * 90,
        form: FormState(
            typed: ["displayName": "Ada Lovelace", "email": "ada@example"],
            fieldErrors: ["email": "An e-mail address looks like ada@example.org."]))

    package func field(_ name: String) -> Any? {
        switch name {
        case "tabs": tabs
        case "member": personPart
        case "username": username
        case "role": isOwner ? "Owner" : "Member"
        case "joined": AgeText.iso(joinedAt)
        case "joinedDay": AgeText.day(joinedAt)
        case "profileForm": formPart
        case "avatarError": avatarError
        default: layout.field(name)
        }
    }
}

extension LayoutView {
    /// The frame of the samples of pages about accounts.
    static let settingsSample = LayoutView(
        assets: sample.assets, version: sample.version, cursor: sample.cursor, now: sample.now,
        path: "/settings", formToken: "sample-token", person: .sample,
        navigation: NavigationItem.all(current: nil, counts: ["/watchlist": 8]))
}
