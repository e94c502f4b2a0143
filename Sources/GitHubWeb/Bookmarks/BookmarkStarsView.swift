import Foundation
import GitHub
import RoostWeb
import TextFormats

/// `/bookmarks/import/stars`: the state of the star import, and the button that starts it.
struct BookmarkStarsView: Sendable {
    private let stars: StarImport
    private let refused: RefusedRepositories
    let isConnected: Bool
    private let refusal: String?
    private let now: Date

    /// - Parameters:
    ///   - isConnected: whether the user has an account on the standard host
    ///   - refusal: why an import could not start
    init(
        _ stars: StarImport, refused: RefusedRepositories = .init(), isConnected: Bool,
        refusal: String? = nil, now: Date
    ) {
        self.stars = stars
        self.refused = refused
        self.isConnected = isConnected
        self.refusal = refusal
        self.now = now
    }
    var starsError: TimedText? { errorMessage.map(TimedText.init) }
    var starsAuthorization: String? {
        if case .failed(let error, _) = stars { error.authorizationURL } else { nil }
    }
    var starsTime: String? { finishedAt.map(ISO8601.seconds) }
    var starsAgo: String? { finishedAt.map { RelativeTime.ago($0, now: now) } }
    var starsRead: String? { if case .running(let read) = stars { NumberText.grouped(read) } else { nil } }
    var starsButton: String { stars == .idle ? "Import my stars" : "Import again" }

    var refusedCount: String? {
        guard refused.count > 0 else { return nil }
        return refused.count == 1 ? "1 star was" : "\(NumberText.grouped(refused.count)) stars were"
    }
    var refusedStars: [RefusedStar] { refused.first.map { RefusedStar(row: $0) } }
    var moreRefused: String? {
        let more = refused.count - refused.first.count
        return more > 0 ? NumberText.grouped(more) : nil
    }

    var isRunning: Bool { if case .running = stars { true } else { false } }

    private var finishedAt: Date? { if case .done(_, _, let at) = stars { at } else { nil } }

    var done: String? {
        guard case .done(let added, let existing, _) = stars else { return nil }
        return "\(NumberText.grouped(added)) added, \(NumberText.grouped(existing)) already bookmarked"
    }

    private var errorMessage: String? {
        guard case .failed(let error, let read) = stars, refusal == nil else { return refusal }
        let saved = read > 0 ? " Imported until then: \(NumberText.grouped(read))." : ""
        return error.message(source: "GitHub") + saved
    }
}

struct RefusedStar {
    let row: RefusedRepositories.Row

    var refusedName: String { row.name ?? "Unnamed" }
}
