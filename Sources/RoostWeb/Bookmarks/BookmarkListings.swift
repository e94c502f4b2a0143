package import RoostServices
import Synchronization

/// What pages of bookmarks were made of, kept until one of the user's bookmarks changes: what is on the way to several
/// tabs, and asked for again because a picture came, is not read from the disk each time.
package final class BookmarkListings: Sendable {
    private struct Key: Hashable {
        let user: UserID
        let wish: BookmarkService.Wish
    }

    private struct Kept {
        let version: Int
        let listing: BookmarkService.Listing
    }

    /// Of two hundred rows at most: a few megabytes.
    private static let limit = 32
    private static let pageLimit = 2

    private let kept = Mutex<[Key: Kept]>([:])

    package init() {}

    /// The listing as it was made before, if it is still true.
    ///
    /// - Parameter version: of the user's bookmarks, taken before this call
    package func listing(
        _ wish: BookmarkService.Wish, for user: UserID, version: Int,
        making make: () async throws -> BookmarkService.Listing
    ) async throws -> BookmarkService.Listing {
        let key = Key(user: user, wish: wish)
        if let kept = kept.withLock({ $0[key] }), kept.version == version { return kept.listing }
        let listing = try await make()
        guard wish.pages <= Self.pageLimit else { return listing }
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[key] = Kept(version: version, listing: listing)
        }
        return listing
    }
}
