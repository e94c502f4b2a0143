import Accounts
import HTTPServer

extension WebContext {
    /// Whose copies for reading offline a browser may show: another session's are deleted.
    func offlineOwner(_ request: Request, _ user: User) -> String {
        "\(user.userId)-" + visitor(of: request).reader.replacingBytes(of: " ", with: "-")
    }
}

extension Request {
    /// The service worker stores the page: nothing secret may stand in it.
    var isForOffline: Bool { headers["X-Roost-Offline"] != nil }
}
