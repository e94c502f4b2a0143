/// An answer as received.
struct RawResponse {
    let status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    init(status: Int) { self.status = status }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The first header of this name.
    subscript(name: String) -> String? { all(name).first }

    func all(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
