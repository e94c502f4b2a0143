import HTMLTemplates
import TextFormats

/// A sentence whose times are in ISO 8601 in UTC, as programs get it. A page has each as a `<time>`, which a script
/// writes in the reader's zone.
struct TimedText: HTMLText {
    private let text: String

    init(_ text: String) { self.text = text }

    func write(into html: inout HTMLBuffer) {
        var rest = text[...]
        while let match = rest.firstMatch(
            of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z/#)
        {
            html.text(rest[..<match.range.lowerBound])
            if let date = ISO8601.parse(String(match.output)) {
                html.literal("<time data-short datetime=\"")
                html.text(ISO8601.seconds(date))
                html.literal("\">")
                html.text("\(RelativeTime.day(date)), \(RelativeTime.clock(date))")
                html.literal("</time>")
            } else {
                html.text(match.output)
            }
            rest = rest[match.range.upperBound...]
        }
        html.text(rest)
    }
}
