/// Describes a browser for a list of sessions. Never quotes the User-Agent, which a client can set to anything.
package enum DeviceName {
    /// "Firefox on Linux", "Safari on iPhone", "curl"; "Unknown device" for anything else.
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

    /// Most browsers also name others for compatibility, so the more specific ones come first.
    private static let browsers = [
        ("edg/", "Edge"), ("edga/", "Edge"), ("edgios/", "Edge"), ("opr/", "Opera"), ("opera", "Opera"),
        ("vivaldi/", "Vivaldi"), ("samsungbrowser/", "Samsung Internet"), ("duckduckgo/", "DuckDuckGo"),
        ("fxios/", "Firefox"), ("firefox/", "Firefox"), ("crios/", "Chrome"), ("chromium/", "Chromium"),
        ("chrome/", "Chrome"), ("headlesschrome/", "Chrome"), ("epiphany/", "Epiphany"),
        ("version/", "Safari"),
        ("safari/", "Safari"),
    ]

    /// Android and ChromeOS also call themselves Linux. An iPad may call itself a Mac, which cannot be detected.
    private static let systems = [
        ("iphone", "iPhone"), ("ipod", "iPod"), ("ipad", "iPad"), ("android", "Android"),
        ("cros ", "ChromeOS"),
        ("windows", "Windows"), ("macintosh", "Mac"), ("mac os x", "Mac"), ("freebsd", "FreeBSD"),
        ("openbsd", "OpenBSD"), ("linux", "Linux"), ("x11", "Unix"),
    ]
}
