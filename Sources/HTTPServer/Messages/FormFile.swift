/// A file that a multipart form carries.
package struct FormFile: Sendable, Equatable {
    /// The form field's name.
    package let name: String
    /// As the client says, never to be used as a path; "" when nothing was chosen.
    package let filename: String
    /// As the client says; check the bytes before you trust it.
    package let contentType: String
    package let bytes: [UInt8]
}
