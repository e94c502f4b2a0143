import Foundation
import Testing

@testable import TextFormats

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("bitcoin", "bitcoin"), ("1move token", "1move%20token"), ("boringdao-[old]", "boringdao-%5Bold%5D"),
        ("a,b&c=d?e#f/g%h+i", "a%2Cb%26c%3Dd%3Fe%23f%2Fg%25h%2Bi"), ("-._~", "-._~"),
        ("🦘", "%F0%9F%A6%98"), ("\u{0}\r\n", "%00%0D%0A"), ("", ""),
    ])
    func `everything except the unreserved characters is encoded`(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
    }

    @Test func `every byte survives encoding and decoding`() {
        let text = String((1..<0x250).compactMap { UnicodeScalar($0).map(Character.init) })
        #expect(PercentEncoding.encode(text).removingPercentEncoding == text)
        #expect(PercentEncoding.decode(PercentEncoding.encode(text).utf8) == text)
    }

    @Test(arguments: [
        ("a%20b+c", "a b+c", "a b c"), ("%c3%A9", "é", "é"), ("%2B", "+", "+"), ("é", "é", "é"), ("", "", ""),
    ])
    func `escapes are decoded, and a plus sign in a form`(text: String, plain: String, form: String) {
        #expect(PercentEncoding.decode(text.utf8) == plain)
        #expect(PercentEncoding.decode(text.utf8, plusIsSpace: true) == form)
    }

    @Test(arguments: ["%", "%4", "%zz", "100%", "%00", "%ff", "%C3"])
    func `invalid escapes are refused, or stay as they are`(text: String) {
        #expect(PercentEncoding.decode(text.utf8) == nil)
        #expect(PercentEncoding.decoded(text) == text)
    }

    @Test(arguments: [
        ("a%7eb%2F%c3", "a~b%2F%C3"), ("a b/%", "a%20b/%25"), ("é", "%C3%A9"), ("%4", "%254"),
        ("?[", "%3F%5B"),
    ])
    func `an address has one canonical form`(text: String, normalized: String) {
        #expect(PercentEncoding.normalized(text, keeping: ["/".utf8.first ?? 0]) == normalized)
    }
}
