import Foundation

extension CodingUserInfoKey {
    /// The time to judge an upstream's clock by; a constant name always makes a key.
    // swift-format-ignore: NeverForceUnwrap
    package static let now = CodingUserInfoKey(rawValue: "now")!
}
