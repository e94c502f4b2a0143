import ArticleText
import Foundation
import GitHub
import RoostWeb

/// Sanitised text from GitHub, with its pictures from Roost.
struct PullTextView {
    let textParts: [ReadmeView.Part]

    /// Nil for an empty text.
    init?(_ markup: PullDetails.Markup, picture: (String) -> String?) {
        guard !markup.isEmpty else { return nil }
        textParts = markup.map { part in
            guard case .picture(let named) = part else { return ReadmeView.Part(part, address: nil) }
            return ReadmeView.Part(part, address: picture(named.url))
        }
    }
}

/// Roost's own addresses of the pictures that a pull request names.
struct PullPictures {
    private let services: GitHubServices?
    private let host: GitHubHost?
    private var avatars: PullAvatars?
    private let hostName: String

    /// - Parameter services: nil shows initials and alternative texts
    init(_ services: GitHubServices?, on hostName: String) {
        self.services = services
        self.hostName = hostName
        host = services.flatMap { try? $0.accounts.hosts.host(named: hostName) }
        avatars = services.map(PullAvatars.init)
    }

    mutating func person(_ login: String, _ avatarURL: String?) -> PersonView {
        PersonView(name: login, avatar: avatars?.address(of: avatarURL, from: hostName))
    }

    /// GitHub shows deleted accounts as "ghost".
    mutating func person(_ person: PullDetails.Person?) -> PersonView {
        self.person(person?.login ?? "ghost", person?.avatarURL)
    }

    func text(_ markup: PullDetails.Markup) -> PullTextView? {
        PullTextView(markup) { url in host.flatMap { services?.pictures.address(of: url, from: $0) } }
    }
}
