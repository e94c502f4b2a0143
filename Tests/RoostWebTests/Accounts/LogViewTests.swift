import Foundation
import Testing

@testable import AccountsWeb

@Suite struct LogViewTests {
    let noon = Date(timeIntervalSince1970: 1_763_640_000)

    @Test func `entries have day and time, newest first`() {
        let text = page([row("3", after: 0), row("2", after: -60), row("1", after: -86_400 * 2)])
        let ids = text.matches(of: /id="entry-([0-9]+)"/).map { String($0.1) }
        #expect(ids == ["3", "2", "1"])
        let times = text.matches(of: /<time data-short datetime="([^"]+)">/).map { String($0.1) }
        #expect(times == ["2025-11-20T12:00:00Z", "2025-11-20T11:59:00Z", "2025-11-18T12:00:00Z"])
    }

    @Test func `text is escaped, and problems are not marked by colour alone`() {
        let failure = LogRow(
            id: "1", sentence: "Somebody tried \"<x>\".", isFailure: true, at: noon, address: "<a>",
            device: "<d>")
        let text = page([failure])
        #expect(text.contains("Somebody tried &quot;&lt;x&gt;&quot;."))
        #expect(text.contains("&lt;d&gt; · &lt;a&gt;"))
        #expect(text.contains("class=\"bang\""))
        #expect(!page([row("1", after: 0)]).contains("class=\"bang\""))
    }

    @Test(arguments: LogView.Filter.allCases)
    func `a link chooses the filter, and older entries keep it`(filter: LogView.Filter) {
        let view = LogView(layout: .sample, rows: LogRow.samples, filter: filter, older: "17")
        let text = rendered(view)
        #expect(text.contains("href=\"/members/log?kind=\(filter.rawValue)\" aria-current=\"true\""))
        #expect(text.components(separatedBy: "aria-current=\"true\"").count == 2)
        #expect(text.contains("href=\"/members/log?kind=\(filter.rawValue)&amp;before=17\""))
    }

    @Test func `the first page links only to older entries, and the last one only to newer entries`() {
        let last = rendered(LogView(layout: .sample, rows: LogRow.samples, isFirstPage: false))
        #expect(last.contains(">Newest</a>") && !last.contains("Older entries"))
        let first = rendered(LogView(layout: .sample, rows: LogRow.samples, older: "9"))
        #expect(!first.contains(">Newest</a>") && first.contains("Older entries"))
    }

    @Test func `an empty log says so`() {
        #expect(page([]).contains("No entries yet."))
    }

    @Test func `an entry from the command line has no address`() throws {
        let text = page([LogRow(id: "1", sentence: "Done.", at: noon)])
        #expect(text.contains("<p class=\"facts\"></p>"))
        let known = page([LogRow(id: "1", sentence: "Done.", at: noon, address: "::1")])
        #expect(known.contains("<p class=\"facts\">::1</p>"))
    }

    private func row(_ id: String, after seconds: Double) -> LogRow {
        LogRow(id: id, sentence: "Ada signed in.", at: noon + seconds, address: "::1", device: "curl")
    }

    private func page(_ rows: [LogRow]) -> String {
        rendered(LogView(layout: .sample, rows: rows))
    }
}
