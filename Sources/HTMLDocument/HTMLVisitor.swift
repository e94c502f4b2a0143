import CLibXML2

/// Receives a document piece by piece. The bytes are UTF-8 and valid only during the call.
public protocol HTMLVisitor: AnyObject {
    /// Once true, no more calls follow.
    var isDone: Bool { get }

    /// Called for each start tag, written or implied. Its end follows.
    func start(_ name: HTMLDocument.Name, _ attributes: HTMLDocument.Attributes)
    /// Called for each piece of text, with entities decoded.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called for the end of the innermost open element.
    func end(_ name: HTMLDocument.Name)
}

extension HTMLDocument {
    /// An element's name, with ASCII letters in lower case.
    public struct Name {
        /// Identifies the name during one walk: 0, 1, 2 ... in the order of first use.
        public let number: Int
        /// In UTF-8.
        public let bytes: UnsafeBufferPointer<UInt8>

        /// A copy as a string.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The attributes of a start tag, which can be read once.
    public struct Attributes: Sequence, IteratorProtocol {
        private var following: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

        init(_ first: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { following = first }

        /// The number of attributes that have not been read.
        public var count: Int {
            guard let following else { return 0 }
            var count = 0
            while following[2 * count] != nil { count += 1 }
            return count
        }

        /// Returns the next name and value in UTF-8, with entities decoded. A missing value is empty.
        public mutating func next() -> (
            name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
        )? {
            guard let pair = following, let name = pair[0] else { return nil }
            following = pair + 2
            return (Self.bytes(name), pair[1].map(Self.bytes) ?? UnsafeBufferPointer(start: nil, count: 0))
        }

        private static func bytes(_ text: UnsafePointer<xmlChar>) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: text, count: Int(xmlStrlen(text)))
        }
    }
}

final class EventVisitor: HTMLVisitor {
    private let visit: (HTMLDocument.Event) -> Bool
    private(set) var isDone = false

    init(_ visit: @escaping (HTMLDocument.Event) -> Bool) { self.visit = visit }

    func start(_ name: HTMLDocument.Name, _ attributes: HTMLDocument.Attributes) {
        let list = attributes.map { attribute in
            HTMLDocument.Attribute(
                name: String(decoding: attribute.name, as: UTF8.self),
                value: String(decoding: attribute.value, as: UTF8.self))
        }
        show(.start(.init(name: name.text, attributes: list)))
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { show(.text(String(decoding: bytes, as: UTF8.self))) }

    func end(_ name: HTMLDocument.Name) { show(.end(name.text)) }

    private func show(_ event: HTMLDocument.Event) {
        if !visit(event) { isDone = true }
    }
}
