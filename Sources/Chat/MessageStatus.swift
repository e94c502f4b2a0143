/// "Sent" means committed by the server.
package enum MessageStatus: String, CaseIterable, Codable, Sendable {
    case sending, sent, delivered, read, failed

    package var text: String {
        switch self {
        case .sending: "Sending..."
        case .sent: "Sent"
        case .delivered: "Delivered"
        case .read: "Read"
        case .failed: "Failed"
        }
    }

    /// The statuses that may follow this one. The browser retries a failed message.
    package var next: Set<MessageStatus> {
        switch self {
        case .sending: [.sent, .failed]
        case .sent: [.delivered]
        case .delivered: [.read]
        case .read: []
        case .failed: [.sending]
        }
    }

    func canBecome(_ other: MessageStatus) -> Bool { next.contains(other) }
}
