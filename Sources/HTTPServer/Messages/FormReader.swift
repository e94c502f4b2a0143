/// Reads the body of a form.
enum FormReader {
    static func read(_ body: [UInt8], contentType: String) throws -> Form {
        throw RequestError.notAForm
    }
}
