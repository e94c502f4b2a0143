import Foundation
import Market
import RoostSupport
import TextFormats

/// An alert of `/api/v1/alerts`. Missing fields are null; the threshold is a string.
struct CoinAlertJSON: JSONExamples {
    static var examples: [CoinAlertJSON] { [CoinAlertJSON(CoinAlert())] }

    private enum CodingKeys: String, CodingKey {
        case id, coinId, symbol, name, kind, threshold, currency, conversationId, side, isArmed, createdAt
        case crossings, firedAt, firedText, seenAt, deliveryError
    }

    private let alert: CoinAlert

    init(_ alert: CoinAlert) {
        self.alert = alert
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode("\(alert.id)", forKey: .id)
        try values.encode(alert.coinId, forKey: .coinId)
        try values.encode(alert.symbol, forKey: .symbol)
        try values.encode(alert.name, forKey: .name)
        try values.encode(alert.kind, forKey: .kind)
        try values.encode(alert.threshold.plainText, forKey: .threshold)
        try values.encode(alert.currency, forKey: .currency)
        try values.encode(alert.conversationId, forKey: .conversationId)
        try values.encode(alert.side, forKey: .side)
        try values.encode(alert.isArmed, forKey: .isArmed)
        try values.encode(ISO8601.seconds(alert.createdAt), forKey: .createdAt)
        try values.encode(alert.crossings, forKey: .crossings)
        try values.encode(alert.firedAt.map(ISO8601.seconds), forKey: .firedAt)
        try values.encode(alert.firedText, forKey: .firedText)
        try values.encode(alert.seenAt.map(ISO8601.seconds), forKey: .seenAt)
        try values.encode(alert.deliveryError, forKey: .deliveryError)
    }
}

/// A threshold in a request: a string or a number, without loss of digits.
struct ThresholdText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = try (try? value.decode(String.self)) ?? value.decode(Decimal.self).plainText
    }
}
