import CLibXML2

enum HTMLCallbacks {
    /// Handlers for elements and text. Comments, processing instructions and document types are ignored.
    static var handlers: xmlSAXHandler {
        var handlers = xmlSAXHandler()
        handlers.startElement = { HTMLCallbacks.start($0, $1, $2) }
        handlers.endElement = { HTMLCallbacks.end($0, $1) }
        handlers.characters = { HTMLCallbacks.text($0, $1, $2) }
        handlers.ignorableWhitespace = { HTMLCallbacks.text($0, $1, $2) }
        handlers.cdataBlock = { HTMLCallbacks.text($0, $1, $2) }
        // libxml2 ignores `serror` without this mark.
        handlers.initialized = UInt32(XML_SAX2_MAGIC)
        handlers.serror = { walk, _ in HTMLCallbacks.walk(walk)?.noteError() }
        return handlers
    }

    private static func walk(_ pointer: UnsafeMutableRawPointer?) -> HTMLWalk? {
        // Unretained: the walk outlives the parser.
        pointer.map { Unmanaged<HTMLWalk>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Parameter attributes: alternating names and values, then a null; values may be null
    private static func start(
        _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        guard let name else { return }
        walk(pointer)?.start(name, HTMLDocument.Attributes(attributes))
    }

    private static func end(_ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
        guard let name else { return }
        walk(pointer)?.end(name)
    }

    private static func text(
        _ pointer: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ length: Int32
    ) {
        guard let text, length > 0 else { return }
        walk(pointer)?.text(UnsafeBufferPointer(start: text, count: Int(length)))
    }
}
