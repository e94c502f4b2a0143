import Foundation

struct AvatarImage {
    let bytes: [UInt8]; let mediaType = "image/png"; init(_ b: [UInt8]) throws(RoostError) { bytes = b }
}
package enum DeviceName { package static func of(userAgent: String) -> String { "Unknown device" } }
