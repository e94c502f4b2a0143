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
