import HTTPServer
import RoostSupport

/// A refused form, shown again with what was typed and the reason at its field.
struct FormError: Sendable {
    var form: FormState
    let status: Int
    let retryAfter: Int?

    /// Rethrows an error that the form cannot show.
    ///
    /// - Parameter fields: what is shown again; passwords never are
    init(_ error: any Error, _ form: Form, keeping fields: [String]) throws {
        let failure = Failure(error)
        let isInWords = error is RoostError || RoostError(storage: error) != nil
        guard isInWords, [401, 409, 422, 429, 503, 507].contains(failure.status) else { throw error }
        // Nobody types as much: do not send it back.
        let typed = fields.compactMap { name in
            form[name].flatMap { $0.utf8.count <= 1_024 ? (name, $0) : nil }
        }
        self.form = FormState(
            typed: Dictionary(typed, uniquingKeysWith: { $1 }),
            fieldErrors: failure.field.map { [$0: failure.message] } ?? [:],
            error: failure.field == nil ? failure.message : nil)
        status = failure.status
        retryAfter = failure.retryAfter
    }

    func answer(_ response: Response) -> HandlerResult {
        var response = response
        if let retryAfter { response["Retry-After"] = "\(retryAfter)" }
        return .response(response)
    }
}
