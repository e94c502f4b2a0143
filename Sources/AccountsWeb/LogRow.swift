import Foundation
import RoostWeb
import TextFormats

struct LogRow: Sendable {
    let id: String
    /// "Ada Lovelace signed in."
    let sentence: String
    var isFailure = false
    let at: Date
    /// Nil on the command line, like `device`.
    var address: String?
    var device: String?

    private var origin: String { [device, address].compactMap(\.self).joined(separator: " · ") }
    var entryTime: String { ISO8601.seconds(at) }
    var entryMoment: String { "\(RelativeTime.day(at)), \(RelativeTime.clock(at))" }
    var entryOrigin: String? { origin.isEmpty ? nil : origin }
}
