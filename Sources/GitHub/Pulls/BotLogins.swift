/// Accounts that are machines although GitHub calls them users.
enum BotLogins {
    private static let suffixes = ["[bot]", "-bot"]
    /// Well-known ones whose names do not show it. Users list further ones in their inbox settings.
    private static let known: Set = [
        "codecov-commenter", "googlebot", "k8s-ci-robot", "openshift-ci-robot", "rustbot",
    ]

    static func contains(_ login: String) -> Bool {
        let login = login.lowercased()
        return suffixes.contains { login.hasSuffix($0) } || known.contains(login)
    }
}
