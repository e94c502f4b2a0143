import CLibXML2

/// Receives a document piece by piece. The bytes are UTF-8 and valid only during the call.
package protocol HTMLVisitor: AnyObject {
    /// Once true, no more calls follow.
    var isDone: Bool { get }

    func start(_ name: HTMLDocument.Name, _ attributes: HTMLDocument.Attributes)
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    func end(_ name: HTMLDocument.Name)
}

extension HTMLDocument {
    /// An element's name, with ASCII letters in lower case.
    package struct Name {
        /// Identifies the name during one walk: 0, 1, 2 ... in the order of first use.
        package let number: Int
        package let bytes: UnsafeBufferPointer<UInt8>

        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    package struct Attributes: Sequence, IteratorProtocol {
        private var following: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

        init(_ first: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { following = first }

        package var count: Int {
            guard let following else { return 0 }
            var count = 0
            while following[2 * count] != nil { count += 1 }
            return count
        }

        /// Returns the next name and value in UTF-8, with entities decoded. A missing value is empty.
        package mutating func next() -> (
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
