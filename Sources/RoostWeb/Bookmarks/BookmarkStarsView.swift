package import Foundation
package import RoostServices

/// `/bookmarks/import/stars`: the state of the import of GitHub's stars, and the button that starts it.
package struct BookmarkStarsView: Sendable {
    private let stars: StarImport
    private let isConnected: Bool
    private let now: Date

    /// - Parameter isConnected: the user has an account on the standard host
    package init(_ stars: StarImport, isConnected: Bool, now: Date) {
        self.stars = stars
        self.isConnected = isConnected
        self.now = now
    }

    package static let sample = BookmarkStarsView(.running(230), isConnected: true, now: .sample)

    var areStarsConnected: Bool { isConnected }
    var areStarsRunning: Bool { isRunning }
    var starsError: String? { trouble }
    var starsAuthorization: String? {
        if case .failed(let error, _) = stars { error.authorizationURL } else { nil }
    }
    var starsDone: String? { done }
    var starsTime: String? { finishedAt.map(ISO8601.seconds) }
    var starsAgo: String? { finishedAt.map { RelativeTime.ago($0, now: now) } }
    var starsSoFar: String? { if case .running(let read) = stars { NumberText.grouped(read) } else { nil } }
    var starsButton: String { stars == .idle ? "Import my stars" : "Import again" }

    private var isRunning: Bool { if case .running = stars { true } else { false } }

    private var finishedAt: Date? { if case .done(_, _, let at) = stars { at } else { nil } }

    private var done: String? {
        guard case .done(let added, let known, _) = stars else { return nil }
        let were = known == 1 ? "was" : "were"
        return "\(NumberText.grouped(added)) added, \(NumberText.grouped(known)) \(were) bookmarked already"
    }

    private var trouble: String? {
        guard case .failed(let error, let read) = stars else { return nil }
        let saved = read > 0 ? " What was read until then, \(NumberText.grouped(read)), is kept." : ""
        return error.message(source: "GitHub") + saved
    }
}
