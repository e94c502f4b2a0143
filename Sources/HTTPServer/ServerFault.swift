/// The reasons why the server itself answers; `ServerConfiguration.fault` makes the response.
public enum ServerFault: Sendable {
    case malformed(String)
    case notFound
    case methodNotAllowed(allow: [Method])
    /// `limit` in bytes.
    case bodyTooLarge(limit: Int)
    case targetTooLong
    case unsupportedType
    case headersTooLarge
    /// A handler threw. Show the error only in the log.
    case thrown(any Error)
    case unknownMethod
    case overloaded
    case stopping

    /// The status of the answer.
    public var status: Int {
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

    /// A sentence for users, without details of the thrown error.
    public var reason: String {
        switch self {
        case .malformed(let why): why
        case .notFound: "There is nothing at this address."
        case .methodNotAllowed: "This address doesn't support that method."
        case .bodyTooLarge(let limit): "The body of the request is larger than \(limit) bytes."
        case .targetTooLong: "The address is too long."
        case .unsupportedType: "This address doesn't accept the request's content type."
        case .headersTooLarge: "The headers of the request are too large."
        case .thrown: "Something went wrong."
        case .unknownMethod: "The method of the request is unknown."
        case .overloaded: "Too many connections; try again in a moment."
        case .stopping: "The server is stopping; try again in a moment."
        }
    }
}
