extension Topic {
    package static let prices = "prices"
    package static let coins = "coins"
}
