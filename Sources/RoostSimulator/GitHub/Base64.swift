import Foundation

/// Base 64 of bytes (RFC 4648 section 4).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func decode(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }

    /// The alphabet for addresses, without padding (section 5).
    static func encodeForAddress(_ bytes: [UInt8]) -> String {
        encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
