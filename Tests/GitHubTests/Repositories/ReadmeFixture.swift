import Foundation
import TestSupport
import Testing

@testable import GitHub

enum ReadmeFixture {
    static let host = GitHubHosts().standard

    static func repository(_ fullName: String = "octocat/Hello-World", htmlURL: String? = nil) throws
        -> Repository
    {
        let name = try #require(RepositoryName(fullName))
        return try Repository(
            id: 1, nodeId: "R_1", name: name.name, fullName: fullName,
            owner: Owner(login: name.owner, type: .user), fork: false,
            htmlURL: htmlURL ?? "https://github.com/\(fullName)")
    }

    static func clean(_ html: String, branch: String = "main") throws -> Readme {
        try Readme.cleaned(Data(html.utf8), repository: repository(), branch: branch, host: host)
    }

    /// The cleaned markup, with pictures as `[alt url WxH]`, without the paragraph that libxml2 adds to bare text.
    static func shown(_ html: String, branch: String = "main") throws -> String {
        try clean(html, branch: branch).parts.map { part in
            switch part {
            case .markup(let markup): return markup.html
            case .picture(let picture):
                let size = picture.width.map { " \($0)x\(picture.height.map(String.init) ?? "-")" } ?? ""
                return "[\(picture.alt) \(picture.url)\(size)]"
            }
        }.joined()
    }
}

extension Readme {
    var markup: String {
        parts.map { part in if case .markup(let text) = part { text.html } else { "" } }.joined()
    }

    var pictures: [Picture] {
        parts.compactMap { part in if case .picture(let picture) = part { picture } else { nil } }
    }

    /// Everything that counts towards the limit: markup, and the addresses and alternative texts of pictures.
    var bytes: Int {
        markup.utf8.count + pictures.reduce(0) { $0 + $1.url.utf8.count + $1.alt.utf8.count }
    }
}
