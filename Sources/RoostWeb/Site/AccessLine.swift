import Foundation
import HTTPServer

/// One line of the access log: Common Log Format with the duration, and without queries and secret links.
struct AccessLine {
    let text: String

    init(_ entry: AccessEntry, at time: Date = Date()) {
        // A display's path is its secret: the route's pattern stands in its place.
        let path = entry.path.hasPrefix("/display/") ? entry.route ?? "/display/{token}" : entry.path
        let microseconds =
            entry.duration.components.seconds * 1_000_000
            + entry.duration.components.attoseconds / 1_000_000_000_000
        let agent = entry.userAgent.unicodeScalars.map { scalar in
            scalar == "\"" || scalar.properties.generalCategory == .control ? "_" : String(scalar)
        }
        text =
            "\(entry.peer) - - [\(AgeText.iso(time))] \"\(entry.method.rawValue) \(path)\" \(entry.status) "
            + "\(entry.bytesSent) \(microseconds)us \"\(agent.joined())\""
    }
}
