package import Foundation
import TextFormats

/// An event that a webhook can be notified of. Features declare their names in extensions.
package struct WebhookEvent: Sendable {
    package struct Name: RawRepresentable, Hashable, Sendable {
        /// Such as "message.arrived", as in the header `Roost-Event`.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package let name: Name
    /// For the form, such as "A message arrives in a conversation".
    package let text: String
    /// Returns the item in the form of the JSON API at this time, or nil if the user cannot see it any more.
    let item: @Sendable (Reads, _ subject: String, UserID, Date) throws -> (any Encodable)?

    /// - Parameter item: throws `RoostError.unavailable` if it is not loaded yet, to be called again later
    package init(
        _ name: Name, _ text: String,
        item: @escaping @Sendable (Reads, _ subject: String, UserID, Date) throws -> (any Encodable)?
    ) {
        self.name = name
        self.text = text
        self.item = item
    }

    /// For "Send a test event"; it cannot be chosen.
    static let test = WebhookEvent(.test, "A test") { _, _, _, _ in
        TestItem(message: "This is a test event from Roost.")
    }

    private struct TestItem: Encodable {
        let message: String
    }
}

extension WebhookEvent.Name {
    static let test = WebhookEvent.Name(rawValue: "test")
}

/// The body of a delivery.
struct WebhookEnvelope: Encodable {
    private enum CodingKeys: CodingKey { case event, deliveryId, createdAt, data }

    /// In bytes.
    static let maximumSize = 262_144

    let delivery: WebhookDelivery
    let item: any Encodable

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(delivery.event, forKey: .event)
        try values.encode(delivery.deliveryId, forKey: .deliveryId)
        try values.encode(JSONTime(delivery.createdAt), forKey: .createdAt)
        try item.encode(to: values.superEncoder(forKey: .data))
    }

    var bytes: [UInt8] { get throws { try StableJSON.bytes(of: self) } }
}
