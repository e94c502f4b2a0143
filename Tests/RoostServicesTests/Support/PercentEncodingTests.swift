import Foundation
import Testing

@testable import TextFormats

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("bitcoin", "bitcoin"), ("1move token", "1move%20token"), ("boringdao-[old]", "boringdao-%5Bold%5D"),
        ("a,b&c=d?e#f/g%h+i", "a%2Cb%26c%3Dd%3Fe%23f%2Fg%25h%2Bi"), ("-._~", "-._~"),
        ("🦘", "%F0%9F%A6%98"), ("\u{0}\r\n", "%00%0D%0A"), ("", ""),
    ])
    func `everything but the unreserved characters is encoded`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
    }

    @Test func `every byte comes back as it was`() {
        let text = String((0..<0x250).compactMap { UnicodeScalar($0).map(Character.init) })
        #expect(PercentEncoding.encode(text).removingPercentEncoding == text)
    }
}
