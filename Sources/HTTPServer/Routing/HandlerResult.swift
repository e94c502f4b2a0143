/// What a handler returns: a response that is made for this request, or one that was prepared for many.
package enum HandlerResult: Sendable {
    case response(Response)
    case prepared(PreparedResponse)
}
