/// What a request takes of the memory that libmicrohttpd keeps for its connection, reckoned from its headers.
///
/// Its answer's head must fit into the rest: libmicrohttpd closes the connection without a word where it does not.
struct RequestMemory {
    let bytes: Int

    /// libmicrohttpd 0.9.75 keeps a record of seven words for each field and each cookie, aligned to 16 bytes.
    private static let record = 64

    /// - Parameter headerBytes: of the request line and all fields
    init(_ headers: Headers, headerBytes: Int) {
        // Cookies are copied, and each gets a record of its own; commas part them, too, as in RFC 2109.
        let cookies = headers.all("Cookie")
        let pairs = cookies.reduce(0) {
            $0 + $1.utf8.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } + 1
        }
        let copies = cookies.reduce(0) { $0 + $1.utf8.count + 16 }
        bytes = headerBytes + copies + Self.record * (headers.count + pairs)
    }
}
