package import HTTPServer
import RoostSupport

package struct FormState: Sendable, Equatable {
    package var typed: [String: String]
    package var fieldErrors: [String: String]
    package var error: String?

    /// - Parameter typed: input by field name; passwords are never shown again, even if they are in here
    package init(typed: [String: String] = [:], fieldErrors: [String: String] = [:], error: String? = nil) {
        self.typed = typed
        self.fieldErrors = fieldErrors
        self.error = error
    }

    package static let empty = FormState()

    /// For a form that shows its error in one place, whichever field it is about.
    package var message: String? { error ?? fieldErrors.values.first }
}

package struct FormView {
    package let fields: [FieldView]
    package let error: String?

    /// - Parameters:
    ///   - state: errors of fields that the form does not have are shown for the whole form
    ///   - isMain: without errors, the first required field that is empty gets the focus
    package init(_ fields: [FieldView], _ state: FormState, isMain: Bool = false) {
        var fields = fields
        let invalid = fields.firstIndex { $0.error != nil }
        let empty = isMain ? fields.firstIndex { $0.isRequired && $0.value.isEmpty } : nil
        if let index = invalid ?? empty { fields[index].isFocused = true }
        self.fields = fields
        let names = Set(fields.map(\.name))
        let otherErrors = state.fieldErrors.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        let sentences = [state.error].compactMap(\.self) + otherErrors.map(\.value)
        error = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    package var formError: TimedText? { error.map(TimedText.init) }
}

/// Why a form was rejected. Its page is shown again with the input and the reason, and answered by `answer`.
package struct FormError: Sendable {
    package var form: FormState
    private let failure: Failure

    package var message: String { failure.message }
    package var field: String? { failure.field }
    package var status: Int { failure.status }

    /// Rethrows an error that the form cannot show, such as one without a message for users or "not found".
    ///
    /// - Parameters:
    ///   - fields: the fields to show again; never include passwords
    ///   - limit: in bytes; longer values are not sent back. The default is more than anyone types into one line.
    ///   - standard: the field for errors that name none, if the form has only one
    package init(
        _ error: any Error, _ form: Form? = nil, keeping fields: [String] = [], limit: Int = 1_024,
        about standard: String? = nil
    ) throws {
        var failure = Failure(error)
        let hasUserMessage =
            error is RoostError || error is any ShownError || RoostError(storage: error) != nil
        failure.field = failure.field ?? standard
        guard
            hasUserMessage,
            failure.field != nil || [401, 403, 409, 422, 429, 503, 507].contains(failure.status)
        else { throw error }
        let typed = fields.compactMap { name in
            form?[name].flatMap {
                $0.utf8.count <= limit ? (name, $0.replacingBytes(of: "\r\n", with: "\n")) : nil
            }
        }
        self.form = FormState(
            typed: Dictionary(typed, uniquingKeysWith: { $1 }),
            fieldErrors: failure.field.map { [$0: failure.message] } ?? [:],
            error: failure.field == nil ? failure.message : nil)
        self.failure = failure
    }

    /// Returns the option with this raw value, from a form or from JSON. Throws `RoostError.invalid` for other text.
    package static func option<Option: RawRepresentable<String>>(
        _ text: String?, _ field: String
    ) throws -> Option {
        guard let option = text.flatMap(Option.init(rawValue:)) else {
            throw RoostError.invalid(field: field, why: "Choose one of the options.")
        }
        return option
    }

    /// Answers the form's page with the error's status. A page that can't show the form any more keeps its own.
    package func answer(_ page: Response) -> HandlerResult {
        var response = page
        if response.status == 200 { response.status = failure.status }
        if let retryAfter = failure.retryAfter { response["Retry-After"] = "\(retryAfter)" }
        return .response(response)
    }
}

package enum TypedTags {
    package static func read(_ text: String) -> [String] {
        text.splitBytes(at: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map { part in
            var part = part
            while part.last?.isWhitespace == true { part.removeLast() }
            return String(part)
        }
        .filter { !$0.isEmpty }
    }

    package static func text(_ tags: [String]) -> String { tags.joined(separator: ", ") }
}
