import Testing

@testable import Accounts

@Suite struct DeviceNameTests {
    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/19.0 Mobile/15E148 Safari/604.1", "Safari on iPhone"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "CriOS/142.0 Mobile/15E148 Safari/604.1", "Chrome on iPhone"
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "FxiOS/140.0 Mobile/15E148 Safari/605.1.15", "Firefox on iPad"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/19.0 Safari/605.1.15", "Safari on Mac"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0", "Edge on Windows"
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "HeadlessChrome/142.0.0.0 Safari/537.36", "Chrome on Linux"
        ),
        (
            "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/142.0.0.0 Mobile Safari/537.36", "Chrome on Android"
        ),
        (
            "Mozilla/5.0 (Linux; Android 15; SM-S928B) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet on Android"
        ),
        (
            "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/142.0.0.0 Safari/537.36 OPR/120.0", "Opera on ChromeOS"
        ),
        ("curl/7.88.1", "curl"), ("Wget/1.21.3", "Wget"), ("python-requests/2.32", "Python"),
        ("Mozilla/5.0 (X11; FreeBSD amd64; rv:145.0) Gecko/20100101", "A browser on FreeBSD"),
        ("Firefox/145.0", "Firefox"), ("", "Unknown device"), ("Mozilla/5.0", "Unknown device"),
    ])
    func `a user agent becomes a readable browser name`(userAgent: String, name: String) {
        #expect(DeviceName.of(userAgent: userAgent) == name)
    }

    @Test func `a device name never repeats text from the user agent`() {
        let name = DeviceName.of(userAgent: "<script>alert(1)</script> Firefox/1 (Evil; Linux)")
        #expect(name == "Firefox on Linux")
        let long = String(repeating: "x", count: 1_000_000) + "Firefox/1"
        #expect(DeviceName.of(userAgent: long) == "Unknown device")
    }
}
