import TestSupport
import Testing

@testable import RoostSupport

@Suite struct ImageFuzzTests {
    private static let edges: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF]

    private func changed(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &numbers) where bytes.count > 1 {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            let other = Int.random(in: place..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            case 1: bytes[place] = Self.edges.randomElement(using: &numbers) ?? 0
            case 2: bytes.removeSubrange(place..<other)
            case 3: bytes.insert(contentsOf: bytes[place..<other], at: place)
            case 4: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
            default: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
            }
        }
        return bytes
    }

    /// A trap would end the whole run. An accepted picture must keep its size and type, and already be clean.
    @Test(arguments: Pictures.all)
    func `a mutated picture is refused with a message or accepted and clean`(seed: [UInt8]) throws {
        var (numbers, taken) = (SeededNumbers(seed: UInt64(seed.count)), 0)
        for _ in 0..<2_000 {
            let bytes = changed(seed, &numbers)
            let image: CheckedImage
            do { image = try CheckedImage(bytes) } catch {
                guard case .invalid("avatar", _) = error else { throw error }
                continue
            }
            taken += 1
            #expect((16...4_096).contains(image.width) && (16...4_096).contains(image.height))
            #expect(image.bytes.count <= bytes.count + 36)
            #expect(try CheckedImage(image.bytes) == image, "\(bytes)")
        }
        // Otherwise the mutations were too coarse to be useful.
        #expect((20..<1_990).contains(taken))
    }
}
