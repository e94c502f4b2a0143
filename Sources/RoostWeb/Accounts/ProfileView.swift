import Foundation
import TextFormats

/// `/settings`: name, e-mail and picture.
struct ProfileView: PageView, Sendable {
    let layout: LayoutView
    let person: PersonView
    let username: String
    let isOwner: Bool
    let joinedAt: Date
    let form: FormState
    let avatarError: String?
    let tabs: SettingsTabs
    let profileForm: FormView

    /// - Parameters:
    ///   - person: as in the layout
    ///   - form: fields displayName, email: as they are kept, or as they were typed and refused
    ///   - avatarError: why a picture was not taken, a sentence
    init(
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

    var member: PersonView { person }
    var role: String { isOwner ? "Owner" : "Member" }
    var joined: String { ISO8601.seconds(joinedAt) }
    var joinedDay: String { RelativeTime.day(joinedAt) }
}
