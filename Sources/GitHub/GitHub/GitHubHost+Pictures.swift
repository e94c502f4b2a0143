import Foundation
import RoostSupport

extension GitHubHost: PictureSource {
    /// github.com has a host for its people's pictures; an Enterprise server with subdomain isolation keeps them under
    /// `avatars.HOST` (GitHub's documentation, "Enabling subdomain isolation").
    package var pictureURL: String {
        guard var parts = URLComponents(string: webURL), let host = parts.host?.lowercased() else {
            return webURL
        }
        parts.host = host == "github.com" ? "avatars.githubusercontent.com" : "avatars." + host
        return parts.string ?? webURL
    }
}
