import Accounts
import TextFormats

/// Where a person's picture is served; nil without a picture.
enum AvatarAddress {
    static func of(_ user: User) -> String? {
        user.avatar.map { "/avatars/\(user.userId)/\(PercentEncoding.encode($0))" }
    }
}

extension WebContext {
    /// How a page shows a person.
    func person(_ user: User) -> PersonView {
        PersonView(name: user.name, avatar: AvatarAddress.of(user), toneKey: "\(user.userId)")
    }
}
