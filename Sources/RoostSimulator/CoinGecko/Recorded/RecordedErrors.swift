/// Bodies of errors that lie in a folder of recordings, used for faults and refusals instead of our own.
enum RecordedErrors {
    static func errors(in recordings: Recordings) -> CoinGeckoErrors {
        var errors = CoinGeckoErrors()
        for file in recordings.files {
            let name = RecordedName(path: file.path)
            guard name.isError else { continue }
            let text = String(decoding: file.bytes, as: UTF8.self)
            adopt(text, of: name, isJSON: file.path.hasSuffix(".json"), into: &errors)
        }
        return errors
    }

    private static func adopt(
        _ text: String, of name: RecordedName, isJSON: Bool, into errors: inout CoinGeckoErrors
    ) {
        let words = name.words.joined(separator: "_")
        switch name.status {
        case 403 where isJSON: errors.missingUserAgent = text
        case 404 where isJSON: errors.coinNotFound = text
        case 422 where words.contains("vs_currency"): errors.missingCurrency = text
        case 422 where words.contains("ids"): errors.missingIDs = text
        case 429 where isJSON: errors.rateLimited = text
        case 429 where !words.contains("headers"): errors.throttled = text
        case 500 where isJSON: errors.internalError = text
        case nil where words.contains("1015"): errors.blocked = text
        default: break
        }
    }
}
