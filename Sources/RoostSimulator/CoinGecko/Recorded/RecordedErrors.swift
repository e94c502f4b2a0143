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
        let stem = name.words.joined(separator: "_")
        switch name.status {
        case 403 where isJSON: errors.missingUserAgent = text
        case 404 where isJSON: errors.coinNotFound = text
        case 422 where stem.contains("vs_currency"): errors.missingCurrency = text
        case 422 where stem.contains("ids"): errors.missingIDs = text
        case 429 where isJSON: errors.rateLimited = text
        case 429 where !stem.contains("headers"): errors.throttled = text
        case 500 where isJSON: errors.internalError = text
        case nil where stem.contains("1015"): errors.blocked = text
        default: break
        }
    }
}
