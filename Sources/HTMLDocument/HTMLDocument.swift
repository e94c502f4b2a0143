import CLibXML2

/// HTML as people write it, read by libxml2 into a tree; what is broken in it is mended.
package struct HTMLDocument: Sendable {
    /// The version of libxml2 that this was built with: "2.9.14".
    package static let libraryVersion = LIBXML_DOTTED_VERSION
}
