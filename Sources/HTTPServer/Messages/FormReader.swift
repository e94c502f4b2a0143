/// Reads the body of a form.
///
/// libmicrohttpd's own post processor is not used: it needs the live connection, so that an async handler
/// could not call it, and it takes broken escapes and cut bodies for valid ones.
enum FormReader {
    static func read(_ body: [UInt8], contentType: String) throws -> Form {
        let type = MediaType(contentType)
        switch type.essence {
        case "application/x-www-form-urlencoded":
            guard let fields = NamedValues(urlencoded: body) else {
                throw RequestError.malformed("The form is not properly encoded.")
            }
            return Form(fields: fields)
        case "multipart/form-data":
            guard let boundary = type.parameter("boundary"), (1...70).contains(boundary.utf8.count) else {
                throw RequestError.malformed("The form's content type names no boundary.")
            }
            return try MultipartReader(body, boundary: boundary).read()
        default: throw RequestError.notAForm
        }
    }
}
