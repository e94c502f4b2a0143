import Testing

@testable import HTTPServer
@testable import Market
@testable import MarketWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct FormErrorTests {
    private func form(_ fields: String) throws -> Form {
        try Request(
            .post, "/", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(fields.utf8)
        ).form()
    }

    private let invalid = RoostError.invalid(field: "name", why: "No.")

    @Test func `the error is at its field, with what was typed into the fields to show again`() throws {
        let form = try form("name=a&note=b%0D%0Ac&password=secret")
        let refused = try FormError(invalid, form, keeping: ["name", "note", "absent"])
        #expect(refused.form.typed == ["name": "a", "note": "b\nc"])
        #expect(refused.form.fieldErrors == ["name": "No."] && refused.form.error == nil)
        #expect(refused.status == 422 && refused.field == "name" && refused.message == "No.")
    }

    @Test func `nothing longer than the limit comes back`() throws {
        let form = try form("name=\(String(repeating: "a", count: 1_025))")
        #expect(try FormError(invalid, form, keeping: ["name"]).form.typed.isEmpty)
        #expect(try FormError(invalid, form, keeping: ["name"], limit: .max).form.typed["name"] != nil)
    }

    @Test(arguments: [
        (RoostError.storageFull("Full."), 507), (.notAllowed("No."), 403),
        (.unavailable("Later.", retryAfter: 9), 503), (.tooMany("Slow.", retryAfter: 9), 429),
    ])
    func `an error about no field is the whole form's, or that of its only field`(
        error: RoostError, status: Int
    ) throws {
        let refused = try FormError(error)
        #expect(refused.form == FormState(error: error.message) && refused.status == status)
        let atField = try FormError(error, about: "name")
        #expect(atField.form == FormState(fieldErrors: ["name": error.message]))
        #expect(atField.form.message == refused.form.message)
    }

    @Test func `a feature's own error about a field is shown`() throws {
        let refused = try FormError(WatchlistError.coinNotFound)
        #expect(refused.status == 404 && refused.field == "coinId")
    }

    @Test func `what the form cannot show is thrown on, unless it has one field only`() throws {
        let missing = RoostError.notFound("There is no such list.")
        #expect(throws: missing) { try FormError(missing) }
        #expect(try FormError(missing, about: "list").status == 404)
        #expect(throws: CancellationError.self) { try FormError(CancellationError(), about: "list") }
    }

    @Test func `the answer says when to try again`() throws {
        let refused = try FormError(RoostError.tooMany("Slow.", retryAfter: 9))
        guard case .response(let response) = refused.answer(Response(status: refused.status)) else {
            Issue.record("The answer is no response.")
            return
        }
        #expect(response.status == 429 && response["Retry-After"] == "9")
    }
}
