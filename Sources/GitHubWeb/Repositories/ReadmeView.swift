import ArticleText
import Foundation
import GitHub
import HTMLTemplates
import RoostSupport

/// The README on a repository's page. Its markup is sanitised and its pictures come from Roost.
struct ReadmeView {
    private let readme: Readme?
    let isLoading, hasNoReadme: Bool
    let readmeErrorPanel: RepositoryErrorPanel?
    private let error: APIError?
    private let addresses: [String?]
    let readmeParts: [Part]

    init() {
        (readme, readmeErrorPanel, error) = (nil, nil, nil)
        (isLoading, hasNoReadme) = (false, false)
        (addresses, readmeParts) = ([], [])
    }

    init(_ view: RepositoryView, back: String, picture: (String) -> String?) {
        readme = view.readme
        isLoading = view.readme == nil && view.readmeLoading.isLoading && view.readmeError == nil
        hasNoReadme = view.readme == nil && view.hasNoReadme
        error = view.readmeError
        // An error that the facts already show is not repeated.
        readmeErrorPanel =
            view.readmeError == nil || view.readmeError == view.error
            ? nil
            : view.readmeError.map {
                RepositoryErrorPanel(
                    $0, retry: "/repositories/\(view.name)/refresh", keepsContent: true,
                    isTrying: view.readmeLoading.isLoading, back: back)
            }
        let shown = (view.readme?.parts ?? []).map { part in
            guard case .picture(let named) = part else { return (part, String?.none) }
            return (part, picture(named.url))
        }
        addresses = shown.map(\.1)
        readmeParts = shown.map { Part($0.0, address: $0.1) }
    }

    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(readme)
        hasher.combine(addresses)
        hasher.combine(isLoading)
        hasher.combine(hasNoReadme)
        hasher.combine(error.map { "\($0)" })
        hasher.combine(readmeErrorPanel?.isTrying)
        return hasher.finalize()
    }

    var hasReadme: Bool { readme?.parts.isEmpty == false }
    var isReadmeEmpty: Bool { readme?.parts.isEmpty == true }
    var isReadmeCut: Bool { readme?.isCut == true }

    struct Part {
        let markup: CleanMarkup?
        let picture: Picture?

        init(_ part: Readme.Part, address: String?) {
            switch part {
            case .markup(let html): (markup, picture) = (html.scrollable, nil)
            case .picture(let named):
                (markup, picture) = (nil, Picture(named: named, pictureAddress: address))
            }
        }
    }

    struct Picture {
        let named: Readme.Picture
        let pictureAddress: String?

        /// A copy scaled down for pages.
        var copyAddress: String? { pictureAddress.map { $0 + "/page" } }
    }
}
