import Foundation
import RoostServices

/// A repository's README within its page: its markup is the cleaner's, its pictures come from Roost.
struct ReadmeView: ViewFields {
    private let readme: Readme?
    private let isLoading, hasNone: Bool
    private let trouble: Part?
    private let error: APIError?
    private let gitHub: String
    private let addresses: [String?]
    private let parts: [Part]

    /// Of no repository.
    init() {
        (readme, trouble, error) = (nil, nil, nil)
        (isLoading, hasNone, gitHub) = (false, false, "")
        (addresses, parts) = ([], [])
    }

    init(_ view: RepositoryView, gitHub: String, picture: (String) -> String?) {
        readme = view.readme
        isLoading = view.readme == nil && view.readmeLoading.isLoading && view.readmeError == nil
        hasNone = view.readme == nil && view.hasNoReadme
        error = view.readmeError
        // The same error is said once, beside the facts.
        trouble =
            view.readmeError == nil || view.readmeError == view.error
            ? nil
            : view.readmeError.map {
                Part(
                    RepositoryTrouble(
                        $0, retry: "/repositories/\(view.name)/refresh", keepsRest: true,
                        isTrying: view.readmeLoading.isLoading))
            }
        self.gitHub = gitHub
        let shown = (view.readme?.parts ?? []).map { part in
            guard case .picture(let named) = part else { return (part, String?.none) }
            return (part, picture(named.url))
        }
        addresses = shown.map(\.1)
        parts = shown.map { Part(Piece(part: $0.0, address: $0.1)) }
    }

    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(readme)
        hasher.combine(addresses)
        hasher.combine(isLoading)
        hasher.combine(hasNone)
        hasher.combine(error.map { "\($0)" })
        return hasher.finalize()
    }

    func field(_ name: String) -> Any? {
        switch name {
        case "hasReadme": readme?.parts.isEmpty == false
        case "isReadmeEmpty": readme?.parts.isEmpty == true
        case "readmeParts": parts
        case "isReadmeCut": readme?.isCut == true
        case "isReadmeLoading": isLoading
        case "hasNoReadme": hasNone
        case "readmeTrouble": trouble
        default: nil
        }
    }

    private struct Piece: ViewFields {
        let part: Readme.Part
        let address: String?

        func field(_ name: String) -> Any? {
            if case .markup(let html) = part { return name == "rendered" ? Self.reachable(html) : nil }
            guard case .picture(let picture) = part else { return nil }
            return switch name {
            case "rendered": ""
            case "isReadmePicture": true
            case "pictureAddress": address
            case "pictureWords": picture.alt
            case "pictureWidth": picture.width
            case "pictureHeight": picture.height
            default: nil
            }
        }

        /// Code and tables that are too wide are scrolled by the keyboard too. The cleaner escapes every text: these
        /// are tags.
        private static func reachable(_ html: String) -> String {
            html.replacingBytes(of: "<pre>", with: "<pre tabindex=\"0\">")
                .replacingBytes(of: "<table>", with: "<table tabindex=\"0\">")
        }
    }
}
