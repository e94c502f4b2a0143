import Foundation
import RoostWeb
import TextFormats

struct ProfileView: PageView, Sendable {
    static let scripts = ["accounts"]

    let layout: LayoutView
    let person: PersonView
    let username: String
    let isOwner: Bool
    let joinedAt: Date
    let form: FormState
    let avatarError: String?
    let tabs: SettingsTabs
    let profileForm: FormView

    /// - Parameter form: fields displayName, email: the saved values or the rejected input
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

    var role: String { isOwner ? "Owner" : "Member" }
    var joined: String { ISO8601.seconds(joinedAt) }
    var joinedDay: String { RelativeTime.day(joinedAt) }
}
