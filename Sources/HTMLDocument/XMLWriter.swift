import CLibXML2
import TextFormats

/// Writes an XML document in UTF-8 with libxml2, which escapes texts and attributes.
///
/// Removes characters that XML forbids and control characters (XML 1.0, section 2.2), and those that reorder the text
/// around them. Names must be valid: they are not checked.
package final class XMLWriter {
    /// libxml2 has no memory.
    package struct WriteError: Error {}

    /// Attributes without a value are omitted.
    package typealias Attributes = [(name: String, value: String?)]

    private let buffer: xmlBufferPtr
    private let writer: xmlTextWriterPtr
    private var hasFailed = false

    /// - Parameter doctype: the name in the document type, such as "html"
    package init(doctype: String? = nil) throws(WriteError) {
        _ = HTMLWalk.isReady
        guard let buffer = xmlBufferCreate() else { throw WriteError() }
        guard let writer = xmlNewTextWriterMemory(buffer, 0) else {
            xmlBufferFree(buffer)
            throw WriteError()
        }
        (self.buffer, self.writer) = (buffer, writer)
        check(xmlTextWriterStartDocument(writer, "1.0", "UTF-8", nil))
        if let doctype { check(xmlTextWriterWriteDTD(writer, doctype, nil, nil, nil)) }
    }

    deinit {
        // Writes to the buffer.
        xmlFreeTextWriter(writer)
        xmlBufferFree(buffer)
    }

    package func start(_ name: String, _ attributes: Attributes = []) {
        check(xmlTextWriterStartElement(writer, name))
        for case (let name, let value?) in attributes {
            check(xmlTextWriterWriteAttribute(writer, name, Self.allowed(value)))
        }
    }

    /// Ends the innermost open element, with an end tag even if it is empty: some reading programs take XHTML for HTML.
    package func end() { check(xmlTextWriterFullEndElement(writer)) }

    package func text(_ text: String) { check(xmlTextWriterWriteString(writer, Self.allowed(text))) }

    /// Writes `<name/>`.
    package func element(_ name: String, _ attributes: Attributes = []) {
        start(name, attributes)
        check(xmlTextWriterEndElement(writer))
    }

    package func element(_ name: String, _ attributes: Attributes = [], text: String) {
        element(name, attributes) { self.text(text) }
    }

    package func element(
        _ name: String, _ attributes: Attributes = [], content: () throws -> Void
    ) rethrows {
        start(name, attributes)
        try content()
        end()
    }

    /// Ends all open elements and returns the document. Nothing can be written afterwards.
    package func finish() throws(WriteError) -> [UInt8] {
        check(xmlTextWriterEndDocument(writer))
        check(xmlTextWriterFlush(writer))
        guard !hasFailed, let bytes = xmlBufferContent(buffer) else { throw WriteError() }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(xmlBufferLength(buffer))))
    }

    private func check(_ result: Int32) {
        if result < 0 { hasFailed = true }
    }

    private static func allowed(_ text: String) -> String {
        text.unicodeScalars.allSatisfy(isAllowed) ? text : String(text.unicodeScalars.filter(isAllowed))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\t" || scalar == "\n" { return true }
        // Noncharacters in all planes (XML 1.0 forbids the first two and discourages the others).
        return !scalar.isControl && !scalar.isReordering && scalar.value & 0xFFFE != 0xFFFE
            && !(0xFDD0...0xFDEF).contains(scalar.value)
    }
}
