/// Why the server answers in place of a handler; `ServerConfiguration.fault` finds the words.
package enum ServerFault: Sendable {
    case malformed(String)
    case notFound
    case methodNotAllowed(allow: [Method])
    /// `limit` in bytes.
    case bodyTooLarge(limit: Int)
    case targetTooLong
    case unsupportedType
    case headersTooLarge
    /// A handler threw; the error is for the log, not for the reader.
    case thrown(any Error)
    case unknownMethod
    /// Too many connections.
    case overloaded
    case stopping

    package var status: Int {
        switch self {
        case .malformed: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedType: 415
        case .headersTooLarge: 431
        case .thrown: 500
        case .unknownMethod: 501
        case .overloaded, .stopping: 503
        }
    }

    /// One plain sentence, without any detail of an error thrown.
    package var reason: String {
        switch self {
        case .malformed(let why): why
        case .notFound: "There is nothing at this address."
        case .methodNotAllowed: "This address does not answer that method."
        case .bodyTooLarge(let limit): "The body of the request is larger than \(limit) bytes."
        case .targetTooLong: "The address is too long."
        case .unsupportedType: "The content type of the request is not one that this address reads."
        case .headersTooLarge: "The headers of the request are too large."
        case .thrown: "Something went wrong."
        case .unknownMethod: "The method of the request is unknown."
        case .overloaded: "Too many connections; try again in a moment."
        case .stopping: "The server is stopping; try again in a moment."
        }
    }
}
