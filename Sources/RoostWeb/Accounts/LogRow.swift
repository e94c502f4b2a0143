import Foundation
import TextFormats

/// One entry of the log.
struct LogRow: Sendable {
    let id: String
    let sentence: String
    let isTrouble: Bool
    let at: Date
    let address: String?
    let device: String?

    /// - Parameters:
    ///   - sentence: "Ada Lovelace signed in."
    ///   - isTrouble: a failure or a refusal: it is marked
    ///   - address, device: from where; nil where it was done on the command line
    init(
        id: String, sentence: String, isTrouble: Bool = false, at: Date, address: String? = nil,
        device: String? = nil
    ) {
        self.id = id
        self.sentence = sentence
        self.isTrouble = isTrouble
        self.at = at
        self.address = address
        self.device = device
    }

    private var origin: String { [device, address].compactMap(\.self).joined(separator: " · ") }
    var entryTime: String { ISO8601.seconds(at) }
    var entryMoment: String { "\(RelativeTime.day(at)), \(RelativeTime.clock(at))" }
    var entryOrigin: String? { origin.isEmpty ? nil : origin }
}
