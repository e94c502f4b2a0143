import Foundation
import HTTPServer

/// One line of the access log: Common Log Format with the duration, and without queries and secret links.
struct AccessLine {
    /// What is followed by a secret: of a display, for joining, for a new password.
    private static let secrets = ["/display/", "/join/", "/reset/"]

    let text: String

    init(_ entry: AccessEntry, at time: Date = Date()) {
        // The path of a link is its secret, also when it is spelled with escapes: the route's pattern stands in its place.
        let spelled = entry.path.removingPercentEncoding ?? entry.path
        let secret = Self.secrets.first { spelled.lowercased().utf8.starts(with: $0.utf8) }
        let path = secret.map { entry.route ?? $0 + "{secret}" } ?? Self.plain(entry.path)
        let microseconds =
            entry.duration.components.seconds * 1_000_000
            + entry.duration.components.attoseconds / 1_000_000_000_000
        text =
            "\(entry.peer) - - [\(AgeText.iso(time))] \"\(entry.method.rawValue) \(path)\" \(entry.status) "
            + "\(entry.bytesSent) \(microseconds)us \"\(Self.plain(entry.userAgent))\""
    }

    /// A stranger's text must neither end its place in the line nor steer the terminal that shows it.
    private static func plain(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                scalar == "\"" || scalar.properties.generalCategory == .control ? "_" : Character(scalar)
            })
    }
}
