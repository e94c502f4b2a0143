import Foundation

@testable import GitHub
@testable import GitHubWeb
@testable import TextFormats

extension PullGroupRow {
    static let sample = PullGroupRow(name: "an-organisation/its-repository", count: 12)
}

extension PullRow {
    static var sample: PullRow {
        PullRow(InboxItem.samples[0], PullPreferences(), avatar: nil, now: .sample)
    }
}

extension PullSectionsView {
    static let sample = PullSectionsView(
        layout: .sample,
        sections: [
            OwnSection(id: 1, name: "Bugs of ours", query: "org:roost label:bug is:open", order: 0),
            OwnSection(id: 2, name: "Releases", query: "repo:apple/swift-nio label:release", order: 1),
        ], choices: PullPreferences())
}

extension PullSnoozeView {
    static let sample = PullSnoozeView(
        layout: .sample, item: InboxItem.samples[2], back: "/pulls?sort=size")
}

extension PullKeysView {
    static let sample = PullKeysView(layout: .sample)
}
