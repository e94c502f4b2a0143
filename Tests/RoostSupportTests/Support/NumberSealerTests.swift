import Crypto
import Testing

@testable import RoostSupport
@testable import TextFormats

@Suite struct NumberSealerTests {
    private let sealer = NumberSealer(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    @Test(arguments: [0, 1, -1, 255, 256, 1 << 53, .max, .min])
    func `a token decrypts to its number, has a fixed length and is valid in an address`(number: Int64) {
        let token = sealer.seal(number)
        #expect(sealer.open(token) == number)
        #expect(token.utf8.count == 43 && PercentEncoding.encode(token) == token)
    }

    @Test func `a token does not reveal whether its number is the same, smaller or larger`() {
        #expect(Set((0..<100).map { _ in sealer.seal(5) }).count == 100)
        let tokens = (0..<100).map { sealer.seal($0) }
        #expect(tokens != tokens.sorted() && tokens != tokens.sorted(by: >))
        #expect(Set(tokens.map { $0.suffix(12) }).count == 100)
    }

    @Test func `only tokens sealed with the key open`() {
        let token = sealer.seal(5)
        #expect(NumberSealer(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32))).open(token) == 5)
        #expect(NumberSealer().open(token) == nil)
        for text in ["", "5", "0", String(token.dropLast()), token + "A", token + "=", token.uppercased()] {
            #expect(sealer.open(text) == nil, "\(text)")
        }
        // The last letter has two unused bits and is skipped.
        for index in token.indices.dropLast() {
            var other = token
            other.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(sealer.open(other) == nil)
        }
    }

    @Test func `a name is always the same for one number and key`() {
        #expect(sealer.name(of: 5) == sealer.name(of: 5))
        #expect(Set((0..<100).map { sealer.name(of: $0) }).count == 100)
        #expect(sealer.name(of: 5) != NumberSealer().name(of: 5))
        #expect(sealer.open(sealer.name(of: 5)) == nil)
    }

    @Test func `each purpose of a server's key has its own tokens`() {
        let server = Sealer(key: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
        let token = server.numbers(for: "chat log").seal(5)
        #expect(server.numbers(for: "chat log").open(token) == 5)
        #expect(server.numbers(for: "chat search").open(token) == nil)
    }
}
