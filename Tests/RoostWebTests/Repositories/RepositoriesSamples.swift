import Foundation

@testable import GitHub
@testable import GitHubWeb

extension RepositoryKeysView {
    static let sample = RepositoryKeysView(layout: .sample)
}

extension RepositoryRow {
    static var sample: RepositoryRow {
        RepositoryRow(RepositoryItem.samples[0], avatar: nil, isBookmarked: true)
    }
}

extension RepositoryTab {
    static let sample = RepositoryTab(tab: .bookmarks, isCurrent: true, bookmarks: 1_234)
}
