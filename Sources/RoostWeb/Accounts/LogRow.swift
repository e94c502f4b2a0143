package import Foundation
import TextFormats

/// One entry of the log.
package struct LogRow: Sendable {
    package let id: String
    package let sentence: String
    package let isTrouble: Bool
    package let at: Date
    package let address: String?
    package let device: String?

    /// - Parameters:
    ///   - sentence: "Ada Lovelace signed in."
    ///   - isTrouble: a failure or a refusal: it is marked
    ///   - address, device: from where; nil where it was done on the command line
    package init(
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

    package static let samples = [
        LogRow(
            id: "21", sentence: "Grace Hopper signed in.", at: .sample - 200, address: "192.168.1.31",
            device: "Safari on iPhone"),
        LogRow(
            id: "20", sentence: "Somebody tried to sign in as Grace Hopper, with a wrong password.",
            isTrouble: true, at: .sample - 230, address: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            device: "Safari on iPhone"),
        LogRow(
            id: "19", sentence: "Ada Lovelace made the token “Backup script”, which reads.",
            at: .sample - 5_000, address: "192.168.1.7", device: "Firefox on Linux"),
        LogRow(
            id: "18", sentence: "Ada Lovelace was made an owner on the command line.",
            at: .sample - 86_400),
        LogRow(
            id: "17", sentence: "Grace Hopper joined with the link “The new neighbours”.",
            at: .sample - 86_400 - 60, address: "192.168.1.31", device: "Unknown device"),
    ]

    private var origin: String { [device, address].compactMap(\.self).joined(separator: " · ") }

    var entryId: String { id }
    var entrySentence: String { sentence }
    var isEntryTrouble: Bool { isTrouble }
    var entryTime: String { ISO8601.seconds(at) }
    var entryMoment: String { "\(RelativeTime.day(at)), \(RelativeTime.clock(at))" }
    var entryOrigin: String? { origin.isEmpty ? nil : origin }
}
