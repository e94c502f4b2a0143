package import Foundation
package import RoostServices

/// `/bookmarks/import/stars`: how the import of GitHub's stars stands, and the button that begins it.
package struct BookmarkStarsView: TemplateView {
    package static let template = "bookmarks/stars"

    private let stars: BookmarkService.StarImport
    private let isConnected: Bool
    private let now: Date

    /// - Parameter isConnected: the reader has an account on the standard host
    package init(_ stars: BookmarkService.StarImport, isConnected: Bool, now: Date) {
        self.stars = stars
        self.isConnected = isConnected
        self.now = now
    }

    package static let sample = BookmarkStarsView(.running(230), isConnected: true, now: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "areStarsConnected": isConnected
        case "areStarsRunning": isRunning
        case "starsError": trouble
        case "starsDone": done
        case "starsTime": finishedAt.map(AgeText.iso)
        case "starsAgo": finishedAt.map { AgeText.ago($0, now: now) }
        case "starsSoFar": if case .running(let read) = stars { Figure.grouped(read) } else { nil }
        case "starsButton": stars == .idle ? "Import my stars" : "Import again"
        default: nil
        }
    }

    private var isRunning: Bool { if case .running = stars { true } else { false } }

    private var finishedAt: Date? { if case .done(_, _, let at) = stars { at } else { nil } }

    private var done: String? {
        guard case .done(let added, let known, _) = stars else { return nil }
        let were = known == 1 ? "was" : "were"
        return "\(Figure.grouped(added)) added, \(Figure.grouped(known)) \(were) bookmarked already"
    }

    private var trouble: String? {
        guard case .failed(let error, let read) = stars else { return nil }
        let kept = read > 0 ? " What was read until then, \(Figure.grouped(read)), is kept." : ""
        return error.message(source: "GitHub") + kept
    }
}
