import HTTPServer
import RoostServices
import Synchronization

/// Whole pages as they were answered: each is answered again until its data changes, and for the second in which the ages
/// that it names are true.
final class ResponseCache: Sendable {
    /// What a page depends on beside its data. It holds its reader's form token and what the reader may see, so it is kept
    /// for one reader alone.
    struct Key: Hashable, Sendable {
        /// The session; of a secret link, whose address says it all, "".
        let reader: String
        let user: User?
        let host: String
        /// Path and query.
        let target: String
        let theme: LayoutView.Theme
    }

    /// What a page is true for: one version of its topics, and one second.
    struct Stamp: Equatable, Sendable {
        let version: Int
        let second: Int
    }

    private struct Entry {
        let version: Int
        let page: PreparedResponse
    }

    /// All of one second.
    private struct Pages {
        var second = 0
        var entries: [Key: Entry] = [:]
        var bytes = 0

        mutating func begin(_ second: Int) {
            guard second != self.second else { return }
            self = Pages(second: second)
        }
    }

    /// What would go beyond is not kept, for a second.
    static let maximumBytes = 16 << 20

    private let pages = Mutex(Pages())

    /// The page as it was answered; nil once a topic or the second has changed.
    func page(_ key: Key, _ stamp: Stamp) -> PreparedResponse? {
        pages.withLock { pages in
            pages.begin(stamp.second)
            guard let entry = pages.entries[key], entry.version == stamp.version else { return nil }
            return entry.page
        }
    }

    /// Keeps a page; its stamp was taken before its data was read.
    func keep(_ response: Response, _ key: Key, _ stamp: Stamp) -> PreparedResponse {
        let page = PreparedResponse(response, compress: true)
        pages.withLock { pages in
            guard stamp.second >= pages.second else { return }
            pages.begin(stamp.second)
            let bytes = pages.bytes + page.byteCount - (pages.entries[key]?.page.byteCount ?? 0)
            guard bytes <= Self.maximumBytes else { return }
            pages.entries[key] = Entry(version: stamp.version, page: page)
            pages.bytes = bytes
        }
        return page
    }
}

/// A page that has been rendered, and whether the next request may have the same.
struct RenderedPage: Sendable {
    let response: Response
    /// False for a page with a notice, which is shown once.
    let isRepeatable: Bool

    var answer: HandlerResult { .response(response) }
}
