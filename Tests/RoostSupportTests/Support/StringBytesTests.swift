import Foundation
import Testing

@Suite struct StringBytesTests {
    @Test(arguments: [
        ("", "", true), ("quay", "", true), ("", "quay", false), ("qua", "quay", false),
        ("quay", "quay", true), ("the quayside", "quay", true), ("ququay", "quay", true),
        ("qu ay", "quay", false), ("e\u{301}", "e", true), ("a\u{37E}b", ";", false),
    ])
    func `a part is found where its bytes occur`(text: String, part: String, isThere: Bool) {
        #expect(text.containsBytes(part) == isThere)
        #expect(text[...].containsBytes(part) == isThere)
    }

    @Test(arguments: [1, 2, 127, 128, 129, 300])
    func `a part of any length is found, and a near match is not`(length: Int) {
        let part = String(repeating: "a", count: length - 1) + "b"
        let near = String(repeating: "a", count: 1_000)
        #expect((near + "b").containsBytes(part))
        #expect((near + "b" + near).containsBytes(part))
        #expect(!near.containsBytes(part))
        #expect(!part.dropLast().containsBytes(part))
    }
}
