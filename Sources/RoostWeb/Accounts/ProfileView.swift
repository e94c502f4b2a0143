package import Foundation
import TextFormats

/// `/settings`: name, e-mail and picture.
package struct ProfileView: PageView, Sendable {
    package let layout: LayoutView
    package let person: PersonView
    package let username: String
    package let isOwner: Bool
    package let joinedAt: Date
    package let form: FormState
    package let avatarError: String?
    let tabs: SettingsTabs
    let profileForm: FormView

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
        tabs = SettingsTabs(.profile, in: layout, isOwner: isOwner)
        profileForm = FormView([.displayName(form), .email(form)], form)
    }

    package static let sample = ProfileView(
        layout: .settingsSample, person: .sample, username: "ada", isOwner: true,
        joinedAt: .sample - 86_400 * 90,
        form: FormState(
            typed: ["displayName": "Ada Lovelace", "email": "ada@example"],
            fieldErrors: ["email": "An e-mail address looks like ada@example.org."]))

    var member: PersonView { person }
    var role: String { isOwner ? "Owner" : "Member" }
    var joined: String { ISO8601.seconds(joinedAt) }
    var joinedDay: String { RelativeTime.day(joinedAt) }
}
