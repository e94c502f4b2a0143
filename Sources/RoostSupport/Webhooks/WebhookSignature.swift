import Crypto
import Foundation

/// Proves to a receiver that Roost sent a delivery, and when.
enum WebhookSignature {
    /// Returns "t=SECONDS,v1=HEX": the HMAC-SHA256 of "SECONDS.BODY" under the webhook's secret. The time is signed too,
    /// so that receivers can refuse a delivery that someone repeats later.
    static func header(of body: [UInt8], secret: String, at time: Date) -> String {
        let seconds = Int(time.timeIntervalSince1970.rounded(.down))
        let key = SymmetricKey(data: Array(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(seconds).".utf8) + body, using: key)
        return "t=\(seconds),v1=\(hexadecimal(code))"
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
