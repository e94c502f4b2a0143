import Foundation
import Testing

@testable import GitHubWeb
@testable import MarketWeb
@testable import RoostSupport
@testable import RoostWeb

/// Pages show local time: a script converts each time to the user's zone, and JSON has UTC.
@Suite struct ReaderTimesTests {
    private static let reset = Date(timeIntervalSince1970: 1_763_633_460)
    private static let limit = APIError.rateLimited(resetDate: reset)
    private static let resetTime = "Resets at <time data-short datetime=\"2025-11-20T10:11:00Z\">"

    /// The visible text without its time elements, a chart's axis labels, the wall's clock, which a script updates,
    /// its legend, which names periods, and examples of formats.
    private static func plainText(_ text: String) -> String {
        text.replacing(#/<time [^>]*>[^<]*</time>/#, with: "")
            .replacing(#/<text [^>]*data-time="[0-9]+">[^<]*</text>/#, with: "")
            .replacing(#/<p class="[a-z]+" data-(?:clock|today)[^>]*>[^<]*</p>/#, with: "")
            .replacing(#/<span data-example>[^<]*</span>/#, with: "")
            .replacing(#/<p class="legend">[^<]*</p>/#, with: "")
            .replacing(#/<[^>]*>/#, with: "\n")
    }

    /// Times as Roost writes them: "09:41", "14 Nov 2025", "20 November", "2025-11-20", "4 min ago", "in 48 s".
    private static func moments(_ text: String) -> [String] {
        let patterns: [Regex<Substring>] = [
            #/\b[0-9]{1,2}:[0-9]{2}\b/#,
            #/\b[0-9]{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/#,
            #/\b[0-9]{4}-[0-9]{2}-[0-9]{2}/#,
            #/\b[0-9]+ (?:s|min|h|days?) ago\b/#,
            #/\bin [0-9]+ (?:s|min|h)\b/#,
        ]
        let plainText = plainText(text)
        return patterns.flatMap { pattern in plainText.matches(of: pattern).map { String($0.output) } }
    }

    @Test(arguments: [
        "at 09:41.", "<b>14 Nov 2025</b>", "Friday 20 November", "until 2025-11-20T10:11:00Z", "4 min ago",
        "2 days ago", "in 48 s", "<time datetime=\"2025-11-20T10:11:00Z\">x</time> 9:41",
    ])
    func `a time outside a time element is found`(text: String) {
        #expect(Self.moments(text).count == 1)
    }

    @Test(arguments: Samples.texts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 })
    func `every view's times are in elements that a script converts`(view: String, text: String) {
        #expect(Self.moments(text).isEmpty, "\(view): \(Self.moments(text))")
        for match in text.matches(of: #/<time([^>]*)>/#) {
            let isWhole =
                String(match.1).wholeMatch(
                    of:
                        #/ data-(?:age|until|clock|day|recent|short|wait)(?: data-ago)? datetime="[0-9-]{10}T[0-9:]{8}Z"(?: title="[a-z0-9 ]+")?/#
                ) != nil
            #expect(isWhole, "\(view): \(match.1)")
        }
    }

    @Test func `scripts know each kind of time in the templates`() throws {
        let scripts = try SiteFiles.texts(in: "Public/js", ending: ".js").map(\.text).joined()
        var kinds: Set<String> = []
        for (path, text) in try SiteFiles.texts(in: "Templates", ending: ".mustache") {
            for match in text.matches(of: #/<time(?: (data-[a-z]+))?/#) {
                let kind = try #require(match.1, "\(path)")
                kinds.insert(String(kind))
            }
        }
        #expect(kinds.count > 4)
        for kind in kinds {
            let uses = ["\"\(kind)\": ", "[\"\(kind)\"] = ", "time[\(kind)]"]
            #expect(uses.contains(where: scripts.contains), "\(kind)")
        }
    }

    @Test func `a time in an error message is in an element that a script converts`() {
        let sentence = Self.limit.message(source: "GitHub")
        let error = ErrorText(status: 503, title: "Not available", sentence: sentence, advice: "Wait.")
        let text = rendered(StandaloneErrorView(assets: "", error: error))
        #expect(text.contains("GitHub rate limit exceeded. \(Self.resetTime)"))
        #expect(Self.moments(text).isEmpty)
    }

    @Test func `text that only looks like a time is left alone, and escaped`() {
        let sentence = "<b> 2025-11-20T10:11Z & 2025-11-20T10:11:00Z!"
        let error = ErrorText(status: 503, title: "x", sentence: sentence, advice: "")
        let text = rendered(StandaloneErrorView(assets: "", error: error))
        #expect(text.contains("&lt;b&gt; 2025-11-20T10:11Z &amp; <time data-short"))
        #expect(text.contains("</time>!"))
    }

    @Test func `errors of tiles, imports and accounts show the user's local time`() throws {
        let now = Self.reset - 60
        let tile = PullsTileView(
            rows: [], waiting: 0, sources: [PullSample.source(error: Self.limit, updated: nil)], now: now)
        #expect(rendered(tile).contains(Self.resetTime))
        let stars = BookmarkStarsView(.failed(Self.limit, read: 3), isConnected: true, now: now)
        #expect(rendered(stars).contains(Self.resetTime))
        let state = FreshnessView(
            state: .stale, reason: Self.limit.message(source: "CoinGecko"), source: "CoinGecko", now: now)
        #expect(
            rendered(WatchlistTileView(rows: [], count: 0, freshness: state)).contains(Self.resetTime))
    }

    @Test func `a notice shows the user's local time`() {
        let notice = NoticeView(text: Self.limit.message(source: "GitHub"), isProblem: true)
        let layout = LayoutView(
            assets: "", version: "", cursor: "", now: Self.reset, path: "/", person: nil, navigation: [],
            notice: notice)
        let text = rendered(ErrorView(layout: layout, error: .sample))
        #expect(text.contains(Self.resetTime))
    }
}
