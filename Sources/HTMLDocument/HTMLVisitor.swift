import CLibXML2

/// Is shown a document piece by piece, as bytes in UTF-8 that are there during the call alone.
package protocol HTMLVisitor: AnyObject {
    /// Nothing more is shown once it is true.
    var isDone: Bool { get }

    func start(_ name: HTMLDocument.Name, _ attributes: HTMLDocument.Attributes)
    /// Not empty.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    func end(_ name: HTMLDocument.Name)
}

extension HTMLDocument {
    /// An element's name; ASCII letters are small.
    package struct Name {
        /// The same for the same name throughout one walk: 0, 1, 2 ... in the order in which names come up.
        package let number: Int
        package let bytes: UnsafeBufferPointer<UInt8>

        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Of one start tag, as libxml2 holds them.
    package struct Attributes: Sequence, IteratorProtocol {
        private var following: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

        init(_ first: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { following = first }

        /// How many are left.
        package var count: Int {
            guard let following else { return 0 }
            var count = 0
            while following[2 * count] != nil { count += 1 }
            return count
        }

        /// The next one's name and value, in UTF-8, its entities resolved; an attribute without a value has an
        /// empty one.
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

/// Shows pieces as texts.
final class PieceVisitor: HTMLVisitor {
    private let visit: (HTMLDocument.Piece) -> Bool
    private(set) var isDone = false

    init(_ visit: @escaping (HTMLDocument.Piece) -> Bool) { self.visit = visit }

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

    private func show(_ piece: HTMLDocument.Piece) {
        if !visit(piece) { isDone = true }
    }
}
