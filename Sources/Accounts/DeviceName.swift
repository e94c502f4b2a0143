/// What a browser says it is, in words for a list of sessions. Nothing of its text is repeated: anybody may
/// send any.
package enum DeviceName {
    /// "Firefox on Linux", "Safari on iPhone", "curl"; "Unknown device" for what is none of these.
    package static func of(userAgent: String) -> String {
        let text = String(userAgent.prefix(512)).lowercased()
        func name(_ names: [(mark: String, name: String)]) -> String? {
            names.first { text.contains($0.mark) }?.name
        }
        if let tool = name(tools) { return tool }
        switch (name(browsers), name(systems)) {
        case (let browser?, let system?): return "\(browser) on \(system)"
        case (let browser?, nil): return browser
        case (nil, let system?): return "A browser on \(system)"
        case (nil, nil): return "Unknown device"
        }
    }

    private static let tools = [
        ("curl/", "curl"), ("wget/", "Wget"), ("httpie/", "HTTPie"), ("python", "Python"),
        ("go-http-client", "Go"), ("okhttp", "OkHttp"), ("postmanruntime", "Postman"),
        ("powershell", "PowerShell"),
    ]

    /// Most browsers name others too, for old sites' sake: the more particular ones come first.
    private static let browsers = [
        ("edg/", "Edge"), ("edga/", "Edge"), ("edgios/", "Edge"), ("opr/", "Opera"), ("opera", "Opera"),
        ("vivaldi/", "Vivaldi"), ("samsungbrowser/", "Samsung Internet"), ("duckduckgo/", "DuckDuckGo"),
        ("fxios/", "Firefox"), ("firefox/", "Firefox"), ("crios/", "Chrome"), ("chromium/", "Chromium"),
        ("chrome/", "Chrome"), ("headlesschrome/", "Chrome"), ("epiphany/", "Epiphany"),
        ("version/", "Safari"),
        ("safari/", "Safari"),
    ]

    /// Android and ChromeOS call themselves Linux too; an iPad may call itself a Mac, and nothing tells them
    /// apart.
    private static let systems = [
        ("iphone", "iPhone"), ("ipod", "iPod"), ("ipad", "iPad"), ("android", "Android"),
        ("cros ", "ChromeOS"),
        ("windows", "Windows"), ("macintosh", "Mac"), ("mac os x", "Mac"), ("freebsd", "FreeBSD"),
        ("openbsd", "OpenBSD"), ("linux", "Linux"), ("x11", "Unix"),
    ]
}
