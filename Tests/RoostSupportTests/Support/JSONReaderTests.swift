import Foundation
import TestSupport
import Testing

@testable import TextFormats

@Suite struct JSONReaderTests {
    private func reader(_ text: String) -> JSONReader { JSONReader(Data(text.utf8)) }

    private func string(_ text: String) throws -> String? {
        var reader = reader(text)
        let value = try reader.string()
        try reader.end()
        return value
    }

    /// Whether the text is one complete JSON value.
    private func isJSON(_ text: String) -> Bool {
        var reader = reader(text)
        do {
            try reader.skip()
            try reader.end()
            return true
        } catch {
            return false
        }
    }

    @Test func `members are read by name in any order, and unused ones are skipped`() throws {
        var reader = reader(#" { "b" : [1, {"c": null}], "a" :"x" , "n":-12, "t": true, "z": 1.5e3 } "#)
        var (a, n, t): (String?, Int?, Bool?) = (nil, nil, nil)
        let isObject = try reader.object { reader, name in
            switch name {
            case "a": a = try reader.string()
            case "n": n = try reader.int()
            case "t": t = try reader.bool()
            default: break
            }
        }
        try reader.end()
        #expect(isObject && a == "x" && n == -12 && t == true)
    }

    @Test func `a count too large for a sum is nil`() throws {
        var reader = reader(
            "[0, 1000000000, 1000000001, 9223372036854775807, -1, -9223372036854775808, 1e999999]")
        var counts: [Int?] = []
        try reader.list { counts.append(try $0.count()) }
        #expect(counts == [0, 1_000_000_000, nil, nil, nil, nil, nil])
    }

    @Test func `strings and names of any length are skipped in linear time`() throws {
        let accents = "a" + String(repeating: "\u{316}\u{301}", count: 100_000)
        let json = #"{"\#(accents)": 1, "long": "\#(accents)", "title": "\#(accents)", "end": "here"}"#
        let begin = ContinuousClock.now
        var (names, long, title): ([String], String?, String?) = ([], "", nil)
        var reader = reader(json)
        try reader.object { reader, name in
            names.append(name)
            switch name {
            case "long": long = try reader.string()
            case "title": title = try reader.string(atMost: 500_000)
            default: break
            }
        }
        try reader.end()
        #expect(
            names == ["", "long", "title", "end"] && long == nil && title?.utf8.count == accents.utf8.count)
        #expect(ContinuousClock.now - begin < .seconds(3))
    }

    @Test func `a value of another type is nil, and reading continues after it`() throws {
        var reader = reader(#"{"s": 5, "i": "x", "b": [true], "o": "y", "f": 1.5, "end": "here"}"#)
        var values: [String] = []
        try reader.object { reader, name in
            switch name {
            case "s": if try reader.string() == nil { values.append("s") }
            case "i", "f": if try reader.int() == nil { values.append(name) }
            case "b": if try reader.bool() == nil { values.append("b") }
            case "o": if try !reader.object({ _, _ in }) { values.append("o") }
            default: values.append(try reader.string() ?? "")
            }
        }
        #expect(values == ["s", "i", "b", "o", "f", "here"])
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""a\"b\\c\/d\n\t""#, "a\"b\\c/d\n\t"), (#""\u00e9\u20AC""#, "é€"),
        (#""\ud83d\udc26!""#, "🐦!"), (#""\ud83d!""#, "\u{FFFD}!"), (#""\udc26""#, "\u{FFFD}"), (#""""#, ""),
        (#""\ud83dA""#, "\u{FFFD}A"), (#""héron 鷺""#, "héron 鷺"),
    ])
    func `a string's escapes are decoded`(json: String, text: String) throws {
        #expect(try string(json) == text)
    }

    @Test(arguments: [
        "", "{", "[", "[1,", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}x", "{a:1}", "\"open", "\"a\\\"",
        "tru",
        "nul", "nulL", "'a'", "{\"a\":1}}", "1 2", "<html></html>", "\"a\nb\"", "[1}", "{\"a\" 1}",
    ])
    func `invalid JSON throws and never traps`(text: String) {
        #expect(!isJSON(text))
    }

    @Test(arguments: [#""\x""#, #""\u12""#, #""\uZZZZ""#])
    func `an invalid escape throws when the string is read`(text: String) {
        #expect(throws: JSONReader.Malformed.self) { _ = try string(text) }
    }

    @Test func `every truncated prefix of an answer throws`() {
        let whole = #"{"a":[1,"x\u00e9\n",{"b":null,"c":[true,false]}],"d":-1.5e+3}"#
        #expect(isJSON(whole))
        for length in 0..<whole.utf8.count {
            #expect(!isJSON(String(decoding: whole.utf8.prefix(length), as: UTF8.self)), "\(length)")
        }
    }

    @Test func `excessive nesting is refused`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(!isJSON(deep))
        #expect(!isJSON(String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100)))
        #expect(isJSON(String(repeating: "[", count: 60) + String(repeating: "]", count: 60)))
    }

    @Test func `a refused item is skipped as a whole, however deep the error`() throws {
        var reader = reader(#"[{"n":1},{"x":[{"n":2}],"n":"no"},{"n":3}]"#)
        var kept: [Int] = []
        var refused: [String] = []
        try reader.list { reader in
            let result = try reader.attempt { reader -> Int in
                var number: Int?
                try reader.object { reader, name in
                    if name == "n" { number = try reader.int() }
                    if name == "x" { throw ValidationError(field: "x", why: "is there") }
                }
                guard let number else { throw ValidationError(field: "n", why: "is missing") }
                return number
            }
            switch result {
            case .success(let number): kept.append(number)
            case .failure(let why): refused.append(why.refusal.description)
            }
        }
        try reader.end()
        #expect(kept == [1, 3] && refused == ["x is there"])
    }

    @Test func `equal refused items are distinguished from different ones`() throws {
        var reader = reader(#"[{"a":1},{"a":2},{"a":1}]"#)
        var hashes: [Int] = []
        try reader.list { reader in
            let result = try reader.attempt { _ -> Int in throw ValidationError(field: "a", why: "is wrong") }
            if case .failure(let refused) = result { hashes.append(refused.hash) }
        }
        #expect(hashes.count == 3 && hashes[0] == hashes[2] && hashes[0] != hashes[1])
    }

    @Test func `the type of the next value can be asked without consuming it`() throws {
        var reader = reader(#"  [" a", 1]"#)
        let (isList, isString) = (try reader.isList(), try reader.isString())
        #expect(isList && !isString)
        var found: [Bool] = []
        try reader.list { try found.append($0.isString()) }
        #expect(found == [true, false])
        try reader.end()
    }

    @Test func `a value is decoded if it has the type's form and a bounded size`() throws {
        struct Point: Decodable, Equatable { let x: Int }
        let long = String(repeating: " ", count: 100)
        var reader = reader(#"[{"x": 1}, {"x": "1"}, {"x": 1\#(long)}, 7, {"x": 2}]"#)
        var found: [Point?] = []
        try reader.list { found.append(try $0.decode(Point.self, maximumBytes: 50)) }
        #expect(found == [Point(x: 1), nil, nil, nil, Point(x: 2)])
        try reader.end()
    }

    @Test(arguments: [
        (#""a,b""#, ["a", "b"]), (#"["a", 7, "b", "c", "d"]"#, ["a", "b", "c"]),
        (#"[{"id": 1, "name": "a"}, {"label": "b", "name": "x"}]"#, ["a", "b"]),
        (#"[["a", "x"], []]"#, ["a"]),
        ("7", []),
    ])
    func `names are read from a text, a list, and objects with names`(text: String, names: [String]) throws {
        var reader = reader(text)
        let found = try reader.names(atMost: 3) { $0.splitBytes(at: ",").map(String.init) }
        #expect(found == names)
        try reader.end()
    }

    @Test func `a byte order mark is ignored`() throws {
        var reader = JSONReader(Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8))
        var numbers: [Int?] = []
        try reader.list { numbers.append(try $0.int()) }
        #expect(numbers == [1])
    }

    @Test func `random bytes are refused or read and never crash the reader`() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:\\u0019truefalsn -.e".utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            var reader = JSONReader(Data(bytes))
            do {
                try reader.skip()
            } catch {
                #expect(error is JSONReader.Malformed)
            }
        }
    }

    @Test(arguments: [
        #"{"a":[1,{"b":"x"}],"c":null}"#, "[]", " 7 ",
        String(repeating: "[", count: 64)
            + String(repeating: "]", count: 64),
    ])
    func `ordinary JSON may be decoded`(text: String) throws {
        try JSONReader.check(Data(text.utf8), maximumValues: 100)
    }

    @Test(arguments: [
        String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
        #"{"\#(String(repeating: "\u{316}\u{301}", count: 100_000))":1}"#, #"[{"":1}]"#,
        "[\(String(repeating: "1,", count: 100))1]", "[1", "[1] 2", "<html>", "",
    ])
    func `JSON that is deep, long-named, crowded or broken is not decoded`(text: String) {
        #expect(throws: JSONReader.Malformed.self) {
            try JSONReader.check(Data(text.utf8), maximumValues: 100)
        }
    }
}
