/// A place to go to. Only what exists is listed: a new feature adds its line to `all`.
package struct NavigationItem: Sendable {
    package let name: String
    package let address: String
    package let icon: String
    package let count: Int?
    package let isCurrent: Bool

    /// - Parameters:
    ///   - icon: the id of a symbol in `Public/icons/roost.svg`
    ///   - count: how much waits there; nil shows no figure
    package init(name: String, address: String, icon: String, count: Int? = nil, isCurrent: Bool = false) {
        self.name = name
        self.address = address
        self.icon = icon
        self.count = count
        self.isCurrent = isCurrent
    }

    /// Every place, with the one that is shown marked.
    ///
    /// - Parameters:
    ///   - current: the address of a place, or nil on a page that belongs to none
    ///   - counts: figures by address
    package static func all(current: String?, counts: [String: Int] = [:]) -> [NavigationItem] {
        [
            ("Home", "/", "home"), ("Pull requests", "/pulls", "pulls"),
            ("Repositories", "/repositories", "repositories"),
            ("Watchlist", "/watchlist", "watchlist"),
            ("Displays", "/displays", "displays"),
        ]
        .map { name, address, icon in
            NavigationItem(
                name: name, address: address, icon: icon, count: counts[address],
                isCurrent: address == current)
        }
    }

    /// Where the figure is fetched again when `Topic.waiting` tells of another one; nil where it stands still.
    var countAddress: String? { address == "/pulls" ? "/pulls/count" : nil }

    var placeName: String { self.name }
    var placeAddress: String { address }
    var standingCount: Int? { countAddress == nil ? count : nil }
    var placeShort: String? { ["/pulls": "Pulls", "/repositories": "Repos"][address] }
    var countText: String { (count ?? 0) > 0 ? "\(count ?? 0)" : "" }
}

/// A person: the one who is signed in, or one of the members.
package struct PersonView: Pictured, Sendable {
    package let name: String
    package let avatar: String?
    package let initials: String

    /// - Parameter avatar: the address of the picture: "/avatars/7/2"; nil where initials stand for it
    package init(name: String, avatar: String? = nil) {
        self.name = name
        self.avatar = avatar
        initials = Initials(name).text
    }

    package static let sample = PersonView(name: "Ada Lovelace")

    var personName: String { self.name }
}

/// The one or two letters that stand for a person or a coin until there is a picture.
package struct Initials: Sendable {
    package let text: String

    /// The first letters of the first and the last word: "Ada Lovelace" is "AL"; of one word the first alone.
    /// What is neither letter nor figure is passed over, "?" is left where nothing else is.
    package init(_ name: String, limit: Int = 2) {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let chosen =
            words.count > 1 && limit > 1 ? [words[0], words[words.count - 1]] : Array(words.prefix(1))
        let letters = chosen.compactMap(\.first).map { String($0).uppercased().prefix(1) }.joined()
        text = letters.isEmpty ? "?" : letters
    }
}
