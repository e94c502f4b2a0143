import Foundation
import Testing
import TextFormats

@Suite struct StableJSONTests {
    private struct Page: Encodable {
        let url = "https://example.org/b/"
        let author: String? = nil
        let addedAt = Date(timeIntervalSince1970: 1_795_000_000)
    }

    @Test func `keys are sorted, slashes are plain, and missing values are left out`() throws {
        let text = String(decoding: try StableJSON.bytes(of: Page(), dates: .iso8601), as: UTF8.self)
        #expect(text == #"{"addedAt":"2026-11-18T11:06:40Z","url":"https://example.org/b/"}"#)
    }

    @Test func `the same value always gives the same text`() throws {
        let counts = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", $0) })
        let copy = Dictionary(uniqueKeysWithValues: counts.reversed())
        #expect(try StableJSON.text(of: counts) == StableJSON.text(of: copy))
    }
}
