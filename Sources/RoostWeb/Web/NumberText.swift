/// Whole numbers with thousands separators: "4,812".
enum NumberText {
    static func grouped(_ number: Int) -> String {
        // Written from the last digit to the first, into the end of a buffer for the longest number.
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
