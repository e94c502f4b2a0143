import Foundation
import HTMLDocument
import RoostSupport
import RoostWeb
import TextFormats

/// `/today`.
struct TodayView: PageView, Sendable {
    static let scripts = ["accounts", "home"]

    let layout: LayoutView
    let lines: TodayLinesView
    let feedAddress: String?
}

/// `/today/lines`: the live part of the page.
struct TodayLinesView: Sendable {
    let lines: [TodayLine]
    let since: Date
    let now: Date

    var hasLines: Bool { !lines.isEmpty }
    var sinceTime: String { ISO8601.seconds(since) }
    var sinceText: String { "\(RelativeTime.day(since)), \(RelativeTime.clock(since))" }
}

/// Writes the lines as Atom 1.0 (RFC 4287): one entry for each day, which feed readers keep.
struct TodayFeed: Sendable {
    static let mediaType = "application/atom+xml; charset=utf-8"

    let view: TodayLinesView
    let userId: UserID
    /// Roost's own address, with or without a trailing slash.
    let base: String
    /// Of the feed, on this server.
    let address: String

    func document() throws -> [UInt8] {
        let root = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
        let day = String(ISO8601.seconds(view.now).prefix(10))
        let id = NameBasedUUID.of("today feed", "\(userId)")
        let xml = try XMLWriter()
        xml.element("feed", [("xmlns", "http://www.w3.org/2005/Atom")]) {
            xml.element("id", text: "urn:uuid:\(id)")
            xml.element("title", text: "Roost: today")
            xml.element("updated", text: ISO8601.seconds(view.now))
            xml.element("generator", text: "Roost")
            xml.element("author") { xml.element("name", text: "Roost") }
            xml.element(
                "link", [("rel", "self"), ("type", "application/atom+xml"), ("href", root + address)])
            xml.element("link", [("rel", "alternate"), ("type", "text/html"), ("href", root + "/today")])
            guard view.hasLines else { return }
            xml.element("entry") {
                xml.element("id", text: "urn:uuid:\(NameBasedUUID.of("today entry", "\(userId)", day))")
                xml.element("title", text: "\(day): \(CountText.of(view.lines.count, "change"))")
                xml.element("updated", text: ISO8601.seconds(view.now))
                xml.element("link", [("rel", "alternate"), ("type", "text/html"), ("href", root + "/today")])
                xml.element("content", [("type", "xhtml")]) {
                    xml.element("div", [("xmlns", "http://www.w3.org/1999/xhtml")]) {
                        xml.element("ul") { for line in view.lines { write(line, root, to: xml) } }
                    }
                }
            }
        }
        return try xml.finish()
    }

    private func write(_ line: TodayLine, _ root: String, to xml: XMLWriter) {
        xml.element("li") {
            xml.text(line.source + ": ")
            xml.element("a", [("href", root + line.address)], text: line.text.sanitized)
            if let summary = line.summary { xml.text(" " + summary.sanitized) }
        }
    }
}
