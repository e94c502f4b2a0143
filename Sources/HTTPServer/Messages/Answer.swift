/// What a handler gives back.
package enum Answer: Sendable {
    case response(Response)
    case prepared(PreparedResponse)
}
