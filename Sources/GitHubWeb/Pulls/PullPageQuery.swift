import Foundation
import GitHub
import HTTPServer

/// What of a pull request someone looks at: the parameters of its page and of the pane.
struct PullPageQuery: Hashable, Sendable {
    enum Tab: String, Sendable {
        case conversation, files
    }

    let key: PullKey
    /// Nil if the address has none.
    let host: String?
    let tab: Tab
    /// Overrides the stored choice.
    let diffs: PullPreferences.Diffs?
    /// As above.
    let whitespace: PullPreferences.Whitespace?
    /// A commit; shows only later changes.
    let since: String?
    var page: Int
    /// The path of a file that is shown open, for browsers without scripts.
    let openPath: String?
    /// Whether that file, or the file of a fragment, is shown with all its lines.
    let isWhole: Bool
    /// The id of a thread that is shown open, because someone has shared a link to it.
    let thread: String?
    /// The last look before this one, in seconds since 1970. A region keeps it, so that its marks stay until the
    /// page is opened again.
    let seen: Int?

    /// - Parameter tab: nil reads it from the query
    init(_ request: Request, _ tab: Tab?) throws {
        let host = request.query["host"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(key: try PullKey(ofPage: request), host: host, query: request.query, tab: tab)
    }

    /// For the API, whose addresses without a host are about github.com.
    init(ofProgram request: Request, _ tab: Tab) throws {
        let key = try PullKey(ofPage: request)
        self.init(key: key, host: key.host, query: request.query, tab: tab)
    }

    init(key: PullKey, host: String?, query: Query, tab: Tab?) {
        self.key = key
        self.host = host.map { _ in key.host }
        self.tab = tab ?? query["tab"].flatMap(Tab.init) ?? .conversation
        diffs = query["diffs"].flatMap(PullPreferences.Diffs.init)
        whitespace = query["whitespace"].flatMap(PullPreferences.Whitespace.init)
        since = PullText.sha(query["since"])
        page = query["page"].flatMap(Int.init).map(Self.page) ?? 1
        openPath = query["open"]
        isWhole = query["lines"] == "all"
        thread = query["thread"].flatMap { $0.utf8.count <= Self.maximumThread ? $0 : nil }
        seen = query["seen"].flatMap(Int.init).flatMap { Self.possibleTimes.contains($0) ? $0 : nil }
    }

    /// In bytes. GitHub's ids are shorter.
    private static let maximumThread = 200
    /// GitHub lists at most 3,000 files, 100 a page.
    static let maximumPage = 30

    static func page(_ number: Int) -> Int { min(max(number, 1), maximumPage) }

    /// Until 2100, in seconds since 1970.
    private static let possibleTimes = 0...4_102_444_800
}
