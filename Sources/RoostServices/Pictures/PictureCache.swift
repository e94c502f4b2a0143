package import Foundation

/// Other people's pictures, fetched once by Roost and kept on disk: browsers talk to nobody else.
package final class PictureCache: Sendable {
    /// A picture as it is served.
    package struct Picture: Sendable, Equatable {
        package let mediaType: String
        package let bytes: [UInt8]

        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    package init() {}

    /// The address below "/pictures/" of a picture that is here; nil until then: it is fetched in the background, and
    /// `Topic.pictures` tells when it has come. Never waits.
    ///
    /// - Parameters:
    ///   - url: as the upstream names it
    ///   - host: who named it: its pictures may lie where it does
    package func address(of url: String?, from host: GitHubHost) -> String? { nil }

    /// A picture by its name in the address.
    package func picture(named name: String) async -> Picture? { nil }

    package func run() async {}
}
