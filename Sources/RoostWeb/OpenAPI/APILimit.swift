/// What a value of a body may be, for the description of the API. A larger, longer or other one is answered 422.
package struct APILimit: Sendable {
    /// Keywords of JSON Schema.
    private let keywords: JSONValue
    /// Of a list's elements.
    private let element: JSONValue?

    private init(_ keywords: JSONValue, element: JSONValue? = nil) {
        self.keywords = keywords
        self.element = element
    }

    /// A text of this many code points. Blanks around it do not count, so that some longer texts fit too.
    package static func text(_ length: ClosedRange<Int>) -> APILimit {
        APILimit(["minLength": .number(length.lowerBound), "maxLength": .number(length.upperBound)])
    }

    package static func text(atMost length: Int) -> APILimit { APILimit(["maxLength": .number(length)]) }

    package static func number(_ range: ClosedRange<Int>) -> APILimit {
        APILimit(["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// A list of this many elements.
    package static func list(_ count: ClosedRange<Int>, of element: APILimit? = nil) -> APILimit {
        APILimit(
            ["minItems": .number(count.lowerBound), "maxItems": .number(count.upperBound)],
            element: element?.keywords)
    }

    /// A list without a maximum.
    package static func list(atLeast count: Int = 0, of element: APILimit? = nil) -> APILimit {
        APILimit(["minItems": .number(count)], element: element?.keywords)
    }

    package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type
    ) -> APILimit { choice(Choice.allCases.map(\.rawValue)) }

    package static func choice(_ names: [String]) -> APILimit {
        APILimit(["enum": .list(names.map(JSONValue.text))])
    }

    /// Returns the schema of a member with the limit. A member that may be null keeps that.
    func applied(to schema: JSONValue) -> JSONValue {
        var limited = schema
        for keyword in keywords.members { limited[keyword.name] = keyword.value }
        if keywords["enum"] != nil, schema["type"]?.items.contains("null") == true {
            limited["type"] = "string"
            return ["anyOf": [limited, ["type": "null"]]]
        }
        for keyword in element?.members ?? [] { limited["items"]?[keyword.name] = keyword.value }
        return limited
    }
}
