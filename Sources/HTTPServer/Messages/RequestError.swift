/// What is wrong with a request that a handler tried to read; thrown on, the server answers 400, 404 or 415.
package enum RequestError: Error, Equatable {
    /// 400: the query, form or JSON cannot be read; the text says which and why.
    case malformed(String)
    /// 404: the route matches, but what its parameters name is not there.
    case notFound
    /// 415: JSON is wanted and the content type says something else.
    case notJSON
    /// 415: a form is wanted and the content type says something else.
    case notAForm
}
