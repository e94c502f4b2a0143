import ArticleText
import Foundation
import GitHub
import HTMLTemplates
import RoostSupport

/// A repository's README within its page: its markup is the cleaner's, its pictures come from Roost.
struct ReadmeView {
    private let readme: Readme?
    let isLoading, hasNone: Bool
    let readmeTrouble: RepositoryErrorPanel?
    private let error: APIError?
    private let addresses: [String?]
    let readmeParts: [Piece]

    /// Of no repository.
    init() {
        (readme, readmeTrouble, error) = (nil, nil, nil)
        (isLoading, hasNone) = (false, false)
        (addresses, readmeParts) = ([], [])
    }

    init(_ view: RepositoryView, back: String, picture: (String) -> String?) {
        readme = view.readme
        isLoading = view.readme == nil && view.readmeLoading.isLoading && view.readmeError == nil
        hasNone = view.readme == nil && view.hasNoReadme
        error = view.readmeError
        // The same error is said once, beside the facts.
        readmeTrouble =
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
        readmeParts = shown.map { Piece($0.0, address: $0.1) }
    }

    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(readme)
        hasher.combine(addresses)
        hasher.combine(isLoading)
        hasher.combine(hasNone)
        hasher.combine(error.map { "\($0)" })
        hasher.combine(readmeTrouble?.isTrying)
        return hasher.finalize()
    }

    var hasReadme: Bool { readme?.parts.isEmpty == false }
    var isReadmeEmpty: Bool { readme?.parts.isEmpty == true }
    var isReadmeCut: Bool { readme?.isCut == true }
    var hasNoReadme: Bool { hasNone }

    /// Markup, or a picture.
    struct Piece {
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

        /// A copy that is not larger than a page needs.
        var copyAddress: String? { pictureAddress.map { $0 + "/page" } }
    }
}

extension CleanMarkup: TrustedHTML {}
