package import Foundation
import RoostSupport
import TextFormats

/// The frame of every page: navigation, the user, a notice, and data for the scripts.
package struct LayoutView: Sendable {
    /// The colours that a user chose; `auto` follows the browser.
    package enum Theme: String, Sendable, CaseIterable {
        case auto, light, dark
    }

    /// Base address of the static files, "/static/HASH", without a slash at the end.
    package let assets: String
    /// The version of the program and the static files; a page offers to reload when it changes.
    package let version: String
    /// The change feed's cursor from before the page's data was read; "" for none.
    package let cursor: String
    package let now: Date
    package let path: String
    package var theme: Theme = .auto
    /// Goes into every form as `token`, and into scripts' requests as `X-Roost-Token`.
    package var formToken: String?
    package let person: PersonView?
    package let navigation: [NavigationItem]
    package var settingsTabs: [SettingsTab] = []
    package var notice: NoticeView?
    /// A problem that owners see on every page until it is fixed.
    package var warning: String?

    /// The count in the tab's title: pull requests on your turn, unread messages, fired alerts. Scripts keep it up to
    /// date.
    var titleCount: Int? {
        let waiting = navigation.reduce(0) { $0 + $1.waiting }
        return waiting > 0 ? waiting : nil
    }
    var hasUnread: Bool { navigation.contains { $0.isUnreadTotal && $0.waiting > 0 } }
    package var serverTime: String { ISO8601.seconds(now) }
    /// The user's date, hours and chosen time zone for `formats.js`; nil if the defaults apply.
    var formatsText: String? {
        let chosen = Formats.current.preferences
        let standard = FormatPreferences()
        guard chosen.date != standard.date || chosen.hours != standard.hours || chosen.timeZone != nil else {
            return nil
        }
        return "\(chosen.date.rawValue);\(chosen.hours.rawValue);\(chosen.timeZone ?? "")"
    }
    var isThemeAuto: Bool { theme == .auto }
    var isThemeLight: Bool { theme == .light }
    var isThemeDark: Bool { theme == .dark }
    /// The entries of the "More" menu on phones.
    var foldedItems: [NavigationItem] { navigation.filter(\.entry.isFolded) }
    package var hasMore: Bool { !foldedItems.isEmpty }
    var isMoreCurrent: Bool { foldedItems.contains(where: \.isCurrent) }
}

package struct NoticeView: Sendable {
    package let text: String
    package let isProblem: Bool
    package let undo: String?

    /// - Parameter undo: the address that the undo form posts to, or nil if there is no undo
    package init(text: String, isProblem: Bool = false, undo: String? = nil) {
        self.text = text
        self.isProblem = isProblem
        self.undo = undo
    }

    var noticeText: TimedText { TimedText(text) }
}
