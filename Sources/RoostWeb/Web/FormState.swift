import HTTPServer
import RoostSupport

/// The content of a form that is shown again: what was typed, and what is wrong with it.
struct FormState: Sendable, Equatable {
    var typed: [String: String]
    var fieldErrors: [String: String]
    var error: String?

    /// - Parameters:
    ///   - typed: texts by the name of their field; passwords are never shown again, even if they are here
    ///   - fieldErrors: sentences by the name of the field that is wrong
    ///   - error: a sentence about the form as a whole: "Wrong user name or password."
    init(typed: [String: String] = [:], fieldErrors: [String: String] = [:], error: String? = nil) {
        self.typed = typed
        self.fieldErrors = fieldErrors
        self.error = error
    }

    static let empty = FormState()
}

/// A form's fields with their content, and the sentence about the form as a whole.
struct FormView {
    let fields: [FieldView]
    let error: String?

    /// - Parameters:
    ///   - state: an error of a field that the form does not have is shown for the form as a whole
    ///   - isMain: where nothing is wrong, the first empty field that is required has the focus
    init(_ fields: [FieldView], _ state: FormState, isMain: Bool = false) {
        var fields = fields
        let wrong = fields.firstIndex { $0.error != nil }
        let empty = isMain ? fields.firstIndex { $0.isRequired && $0.value.isEmpty } : nil
        if let index = wrong ?? empty { fields[index].isFocused = true }
        self.fields = fields
        let names = Set(fields.map(\.name))
        let homeless = state.fieldErrors.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        let sentences = [state.error].compactMap(\.self) + homeless.map(\.value)
        error = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    var formError: TimedText? { error.map(TimedText.init) }
}

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

/// Tags as they are typed: separated by commas.
enum TypedTags {
    static func read(_ text: String) -> [String] {
        text.splitBytes(at: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map { part in
            var part = part
            while part.last?.isWhitespace == true { part.removeLast() }
            return String(part)
        }
        .filter { !$0.isEmpty }
    }

    static func text(_ tags: [String]) -> String { tags.joined(separator: ", ") }
}
