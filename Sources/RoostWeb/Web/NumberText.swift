/// Whole numbers as they are read: "4,812".
package enum NumberText {
    package static func grouped(_ number: Int) -> String {
        // Its digits from the last to the first, at the end of a room for the longest.
        let room = 32
        return String(unsafeUninitializedCapacity: room) { text in
            var start = room
            func put(_ byte: UInt8) {
                start -= 1
                text[start] = byte
            }
            var rest = number.magnitude
            var digits = 0
            repeat {
                if digits > 0, digits % 3 == 0 { put(UInt8(ascii: ",")) }
                put(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
                digits += 1
            } while rest > 0
            if number < 0 { for byte in "−".utf8.reversed() { put(byte) } }
            for place in start..<room { text[place - start] = text[place] }
            return room - start
        }
    }
}
