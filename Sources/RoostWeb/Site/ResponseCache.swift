package import Accounts
package import HTTPServer
package import RoostSupport
import Synchronization

/// Caches rendered pages until their data changes, for at most one second, since pages show ages in seconds.
package final class ResponseCache: Sendable {
    /// The inputs of a page other than its data. A page contains its reader's form token and only what that reader may
    /// see, so each is cached for one reader.
    package struct Key: Hashable, Sendable {
        /// The session, or for a secret link the settings of what it opens.
        package let reader: String
        package let user: User?
        package let host: String
        /// Path and query.
        package let target: String
        package let theme: LayoutView.Theme
        package let formats: Formats
        package let hidesFirstSteps: Bool
    }

    package struct Stamp: Equatable, Sendable {
        package let version: Int
        package let second: Int
    }

    private struct Entry {
        package let version: Int
        package let page: PreparedResponse
    }

    private struct Pages {
        package var second = 0
        package var entries: [Key: Entry] = [:]
        package var bytes = 0

        package mutating func begin(_ second: Int) {
            guard second != self.second else { return }
            self = Pages(second: second)
        }
    }

    /// Further pages are not cached until the next second.
    package static let maximumBytes = 16 << 20

    private let pages = Mutex(Pages())

    /// The cached page, or nil if a topic or the second has changed.
    package func page(_ key: Key, _ stamp: Stamp) -> PreparedResponse? {
        pages.withLock { pages in
            pages.begin(stamp.second)
            guard let entry = pages.entries[key], entry.version == stamp.version else { return nil }
            return entry.page
        }
    }

    /// Caches a page. The stamp must be taken before the page's data is read.
    package func store(_ response: Response, _ key: Key, _ stamp: Stamp) -> PreparedResponse {
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

package struct RenderedPage: Sendable {
    package var response: Response
    /// False for a page with a notice, which is shown once.
    package let isRepeatable: Bool

    package init(response: Response, isRepeatable: Bool) {
        self.response = response
        self.isRepeatable = isRepeatable
    }

    package var answer: HandlerResult { .response(response) }
}
