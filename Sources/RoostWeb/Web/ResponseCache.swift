import Accounts
import HTTPServer
import Synchronization

/// Rendered pages, each served again until its data changes, for at most the second in which its ages are right.
final class ResponseCache: Sendable {
    /// What a page depends on besides its data. A page holds its reader's form token and what that reader may see, so
    /// it is stored for one reader.
    struct Key: Hashable, Sendable {
        /// The session; for a secret link the settings of what it opens.
        let reader: String
        let user: User?
        let host: String
        /// Path and query.
        let target: String
        let theme: LayoutView.Theme
        let hidesFirstSteps: Bool
    }

    /// When a page is valid: for one version of its topics, and one second.
    struct Stamp: Equatable, Sendable {
        let version: Int
        let second: Int
    }

    private struct Entry {
        let version: Int
        let page: PreparedResponse
    }

    /// All pages of one second.
    private struct Pages {
        var second = 0
        var entries: [Key: Entry] = [:]
        var bytes = 0

        mutating func begin(_ second: Int) {
            guard second != self.second else { return }
            self = Pages(second: second)
        }
    }

    /// More is not stored until the next second.
    static let maximumBytes = 16 << 20

    private let pages = Mutex(Pages())

    /// The stored page; nil once a topic or the second has changed.
    func page(_ key: Key, _ stamp: Stamp) -> PreparedResponse? {
        pages.withLock { pages in
            pages.begin(stamp.second)
            guard let entry = pages.entries[key], entry.version == stamp.version else { return nil }
            return entry.page
        }
    }

    /// Stores a page; its stamp was taken before its data was read.
    func keep(_ response: Response, _ key: Key, _ stamp: Stamp) -> PreparedResponse {
        let page = PreparedResponse(response)
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

/// A rendered page, and whether the next request may get the same.
struct RenderedPage: Sendable {
    var response: Response
    /// False for a page with a notice, which is shown once.
    let isRepeatable: Bool

    var answer: HandlerResult { .response(response) }
}
