import Foundation

/// Base64url without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacingBytes(of: "+", with: "-").replacingBytes(of: "/", with: "_")
            .replacingBytes(of: "=", with: "")
    }

    static func decode(_ text: String) -> Data? {
        let plain = text.replacingBytes(of: "-", with: "+").replacingBytes(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
