import Foundation

/// What to call a picture of which nothing but its address is known.
enum PictureName {
    /// "build status" of ".../build%20status.svg?branch=main"; "Picture" where there is no name.
    static func of(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.splitBytes(at: "/").last.map(String.init) ?? ""
        let name = (last.removingPercentEncoding ?? last).prefix { $0 != "." }
        return name.isEmpty ? "Picture" : String(name)
    }
}
