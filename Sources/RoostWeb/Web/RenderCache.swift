import HTTPServer
import Synchronization

/// Rendered pages that may be answered again as they are: until their data changes, and for the second in which the
/// ages they name are true.
final class RenderCache: Sendable {
    /// What a rendered page is true for.
    struct Stamp: Equatable, Sendable {
        let version: Int
        let second: Int
    }

    private struct Kept {
        let stamp: Stamp
        let page: PreparedResponse
    }

    /// One entry a person, a theme and a page; far more would be strangers' doing.
    private static let limit = 512

    private let pages = Mutex<[String: Kept]>([:])

    func page(_ key: String, _ stamp: Stamp) -> PreparedResponse? {
        pages.withLock { pages in
            guard let kept = pages[key], kept.stamp == stamp else { return nil }
            return kept.page
        }
    }

    func keep(_ page: PreparedResponse, _ key: String, _ stamp: Stamp) {
        pages.withLock { pages in
            if pages.count >= Self.limit { pages.removeAll() }
            pages[key] = Kept(stamp: stamp, page: page)
        }
    }
}
