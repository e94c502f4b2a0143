import Accounts
import RoostWeb

struct PersonChoiceView: Pictured, Sendable {
    let userId: Int64
    let name: String
    let username: String
    let avatar: String?
    let initials: String
    let tone: Int
    let isPresent: Bool
    var isChosen = false

    init(
        userId: Int64, name: String, username: String, avatar: String?, isPresent: Bool,
        isChosen: Bool = false
    ) {
        self.userId = userId
        self.name = name
        self.username = username
        self.avatar = avatar
        initials = Initials(name).text
        tone = Tone.of("\(userId)")
        self.isPresent = isPresent
        self.isChosen = isChosen
    }

    var personHandle: String? { User.handle(username, for: self.name) }
}
