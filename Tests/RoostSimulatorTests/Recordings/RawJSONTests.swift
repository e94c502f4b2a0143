import Testing

@testable import RoostSimulator

@Suite struct RawJSONTests {
    private func raw(_ text: String) -> RawJSON? {
        RawJSON(Array(text.utf8)[...])
    }

    @Test func `elements keep their bytes, blanks and digits`() {
        let elements = raw(#" [ {"a": 1.10}, "x,]" ,8.199e-05, [1, [2]],null ] "#)?.elements
        #expect(elements?.map(\.text) == [#"{"a": 1.10}"#, #""x,]""#, "8.199e-05", "[1, [2]]", "null"])
    }

    @Test func `members are in order, with decoded keys`() {
        let members = raw(#"{"b":{"c":"}"},"\u0061\n":[],"d":-1}"#)?.members
        #expect(members?.map(\.key) == ["b", "a\n", "d"])
        #expect(members?.map(\.value.text) == [#"{"c":"}"}"#, "[]", "-1"])
    }

    @Test func `strings are decoded, including escapes and surrogate pairs`() {
        #expect(raw(#""S\u0026P \"500\" \\ \/ \ud83e\udd21 é""#)?.string == #"S&P "500" \ / 🤡 é"#)
        #expect(raw(#""plain""#)?.string == "plain")
        #expect(raw("12")?.string == nil)
        #expect(raw(#""""#)?.string == "")
    }

    @Test func `numbers are read for ordering only`() {
        #expect(raw("19990746.0")?.number == 19_990_746)
        #expect(raw("4.2e-12")?.number == 4.2e-12)
        #expect(raw(#""7""#)?.number == nil)
        #expect(raw("null")?.isNull == true)
    }

    @Test(arguments: ["", "  ", "[1,2", #"{"a":1"#, #"["a]"#, #"{"a":[}"#])
    func `truncated JSON is not a value`(_ text: String) {
        #expect(raw(text) == nil)
    }

    @Test(arguments: [#"{"a"}"#, #"{1:2}"#, #"{"a":}"#])
    func `a malformed object has no members`(_ text: String) {
        #expect(raw(text)?.members == nil)
    }

    @Test func `empty containers are empty, and other values are not containers`() {
        #expect(raw("[ ]")?.elements?.isEmpty == true)
        #expect(raw("{ }")?.members?.isEmpty == true)
        #expect(raw("7")?.elements == nil && raw("7")?.members == nil)
        #expect(raw("{}")?.elements == nil && raw("[]")?.members == nil)
    }
}
