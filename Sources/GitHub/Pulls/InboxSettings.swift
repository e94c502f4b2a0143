import Foundation

/// What one user has done with the inbox, as it stands in SQLite at one moment.
package struct InboxSettings: Equatable, Sendable {
    /// What is put away.
    package var marks: [StoredMark] = []
    package var choices = PullChoices()
    /// In their order.
    package var sections: [OwnSection] = []

    package init() {}

    /// When the next snooze ends; nil where nothing is snoozed until a time.
    var nextEnd: Date? { marks.lazy.compactMap(\.mark.until).min() }
}
