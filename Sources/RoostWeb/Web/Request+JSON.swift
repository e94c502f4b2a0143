import Foundation
import HTTPServer
import RoostServices

extension Request {
    /// Decodes the body; a field that is missing or does not fit is refused by name.
    func json<Body: Decodable>(_ type: Body.Type, field: String) throws -> Body {
        do {
            return try json(type)
        } catch RequestError.notJSON where !body.isEmpty {
            throw RequestError.notJSON
        } catch is RequestError {
            throw RoostError.invalid(
                field: field, why: "The body is no JSON object with a fitting “\(field)”.")
        }
    }

    /// Decodes the body; a field that is missing or of the wrong type is refused by name.
    func fields<Body: Decodable>(_ type: Body.Type) throws -> Body {
        guard hasJSON else { throw RequestError.notJSON }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw RoostError.invalid(field: key.stringValue, why: "“\(key.stringValue)” is missing.")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last?.stringValue else {
                throw RequestError.malformed("The body is no JSON object.")
            }
            throw RoostError.invalid(field: key, why: "“\(key)” is not of the right kind.")
        } catch is DecodingError {
            throw RequestError.malformed("The body is no JSON object.")
        }
    }
}
