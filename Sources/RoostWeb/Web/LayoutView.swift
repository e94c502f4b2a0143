import Foundation
import TextFormats

/// What surrounds every page: navigation, the person, a notice, and what the scripts need to know.
struct LayoutView: Sendable {
    /// The colours that a user chose; automatic follows the browser.
    enum Theme: String, Sendable, CaseIterable {
        case auto, light, dark
    }

    let assets: String
    let version: String
    let cursor: String
    let now: Date
    let path: String
    let theme: Theme
    let formToken: String?
    let person: PersonView?
    let navigation: [NavigationItem]
    let settingsTabs: [SettingsTab]
    let notice: NoticeView?
    let warning: String?

    /// - Parameters:
    ///   - assets: base address of the static files, "/static/HASH", without a slash at the end
    ///   - version: of program and static files; a page offers to reload when it changes
    ///   - cursor: of the change feed, taken before the page's data was read; "" for none
    ///   - now: the server's clock
    ///   - path: of this page, which the theme form returns to
    ///   - formToken: goes into every form as `token`, and into the scripts' requests as `X-Roost-Token`
    ///   - warning: what an owner needs to know on every page until it is repaired
    init(
        assets: String, version: String, cursor: String, now: Date, path: String, theme: Theme = .auto,
        formToken: String? = nil, person: PersonView?, navigation: [NavigationItem],
        settingsTabs: [SettingsTab] = [], notice: NoticeView? = nil, warning: String? = nil
    ) {
        self.assets = assets
        self.version = version
        self.cursor = cursor
        self.now = now
        self.path = path
        self.theme = theme
        self.formToken = formToken
        self.person = person
        self.navigation = navigation
        self.settingsTabs = settingsTabs
        self.notice = notice
        self.warning = warning
    }

    /// What waits for an answer, for the tab's title: your turn, unread messages, fired alerts. Scripts keep it up to date.
    var titleCount: Int? {
        let waiting = navigation.reduce(0) { $0 + $1.waiting }
        return waiting > 0 ? waiting : nil
    }
    /// Whether somebody has written to the user: the tab's icon says so.
    var hasUnread: Bool { navigation.contains { $0.isUnreadTotal && $0.waiting > 0 } }
    var serverTime: String { ISO8601.seconds(now) }
    var isThemeAuto: Bool { theme == .auto }
    var isThemeLight: Bool { theme == .light }
    var isThemeDark: Bool { theme == .dark }
    var isAtSettings: Bool { settingsTabs.contains { path.hasPrefix($0.address) } }
    /// The "More" menu of phones has these places, and the person.
    var foldedPlaces: [NavigationItem] { navigation.filter(\.isFolded) }
    var hasMore: Bool { person != nil || !foldedPlaces.isEmpty }
    var isMoreCurrent: Bool { isAtSettings || foldedPlaces.contains(where: \.isCurrent) }
}

/// A sentence above the page about what has just been done, shown once.
struct NoticeView: Sendable {
    let text: String
    let isTrouble: Bool
    let undo: String?

    /// - Parameter undo: where the form that undoes it posts to; nil if it cannot be undone
    init(text: String, isTrouble: Bool = false, undo: String? = nil) {
        self.text = text
        self.isTrouble = isTrouble
        self.undo = undo
    }

    var noticeText: TimedText { TimedText(text) }
}
