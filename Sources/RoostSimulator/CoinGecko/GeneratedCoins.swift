/// The tail of the market: coins that nobody has heard of, in the proportions of the recorded list.
///
/// 17,185 coins were recorded in 2025-03: 2,224 symbols belonged to several of them, `weth` to 68.
struct GeneratedCoins {
    let dice: SeededRandom
    /// Ids that exist already.
    let taken: Set<String>
    private let takenSymbols: Set<String>
    private let nameShift: Int

    /// Symbols that many coins share, and how many the whole list has of each.
    static let crowdedSymbols = [
        ("weth", 68), ("usdc", 66), ("usdt", 57), ("wbtc", 37), ("dai", 28), ("usdc.e", 27), ("pepe", 25),
        ("moon", 19),
    ]
    private static let sharedSymbols = 2224

    init(dice: SeededRandom, after coins: [SimulatedCoin]) {
        self.dice = dice
        taken = Set(coins.map(\.id))
        takenSymbols = Set(coins.map(\.symbol)).union(Self.crowdedSymbols.map(\.0))
        nameShift = dice.index(0xA11, below: Self.names)
    }

    func coins(_ count: Int, from key: Int) -> [SimulatedCoin] {
        var coins: [SimulatedCoin] = []
        coins.reserveCapacity(count)
        var symbols = symbolPlan(count)
        var name = 0
        while coins.count < count {
            let (words, id) = self.name(name)
            name += 1
            guard !taken.contains(id) else { continue }
            let symbol = symbols.removeLast()
            coins.append(
                coin(key: key + coins.count, place: coins.count, id: id, symbol: symbol, name: words))
        }
        return coins
    }

    private func coin(key: Int, place: Int, id: String, symbol: String, name: String) -> SimulatedCoin {
        let seat = UInt64(key)
        // Caps fall with the square of the rank: 900 million dollars after the head, some thousands at the
        // end.
        let rank = Double(place + 60) / 60
        let cap = 9e8 / (rank * rank) * (0.9 + 0.2 * dice.unit(1, seat))
        let price = price(seat)
        let chance = dice.index(2, seat, below: 1000)
        return SimulatedCoin(
            key: key, id: id, symbol: symbol, name: name, price: chance < 4 ? 0 : price,
            supply: (cap / price).rounded(), volatility: 0.6 + 0.9 * dice.unit(3, seat),
            traits: traits(chance), staleDays: chance >= 900 && chance < 930 ? 1 + chance % 30 * 13 : 0)
    }

    /// A third of them cost less than 0.0001 dollars.
    private func price(_ seat: UInt64) -> Double {
        var price = 1 + 9 * dice.unit(4, seat)
        let decade = dice.index(5, seat, below: 13) - 10
        for _ in 0..<abs(decade) {
            price = decade < 0 ? price / 10 : price * 10
        }
        return SignificantDigits.round(price, to: 6)
    }

    private func traits(_ chance: Int) -> SimulatedCoin.Traits {
        switch chance {
        case 10..<20: .priceless
        case 20..<120: .unranked
        case 120..<135: .changeless
        case 135..<145: .sparkless
        case 145..<155: .emptySparkline
        default: []
        }
    }
}

extension GeneratedCoins {
    /// One symbol a coin, taken from the end: crowded ones spread over the list, then pairs and small groups.
    private func symbolPlan(_ count: Int) -> [String] {
        var plan: [String] = []
        plan.reserveCapacity(count)
        for (symbol, total) in Self.crowdedSymbols {
            let isKnown = !["usdc.e", "moon"].contains(symbol)
            plan += Array(repeating: symbol, count: total - (isKnown ? 1 : 0))
        }
        var fresh = 0
        for group in Self.crowdedSymbols.count..<Self.sharedSymbols {
            let size = 2 + (group % 8 == 0 ? group / 8 % 9 : 0)
            plan += Array(repeating: nextSymbol(&fresh), count: size)
        }
        while plan.count < count {
            plan.append(nextSymbol(&fresh))
        }
        return shuffled(Array(plan.prefix(count)))
    }

    private func shuffled(_ plan: [String]) -> [String] {
        var plan = plan
        for last in stride(from: plan.count - 1, to: 0, by: -1) {
            plan.swapAt(last, dice.index(6, UInt64(last), below: last + 1))
        }
        return plan
    }

    /// Pronounceable words of four letters, each once: 7,919 is prime and no divisor of their number.
    private func nextSymbol(_ fresh: inout Int) -> String {
        while true {
            var rest = (fresh * 7919 + 11) % (20 * 5 * 20 * 20)
            fresh += 1
            var letters: [UInt8] = []
            for letterSet in [Self.consonants, Self.vowels, Self.consonants, Self.consonants] {
                letters.append(letterSet[rest % letterSet.count])
                rest /= letterSet.count
            }
            let symbol = String(decoding: letters, as: UTF8.self)
            if !takenSymbols.contains(symbol) { return symbol }
        }
    }

    private static let consonants = Array("bcdfghjklmnpqrstvwxz".utf8)
    private static let vowels = Array("aeiou".utf8)
}

extension GeneratedCoins {
    private static var names: Int { first.count * second.count * third.count }

    /// The n-th name and its id; 100,003 is prime, so that every combination comes once.
    private func name(_ number: Int) -> (words: String, id: String) {
        var rest = (number * 100_003 + nameShift) % Self.names
        let first = Self.first[rest % Self.first.count]
        rest /= Self.first.count
        let second = Self.second[rest % Self.second.count]
        rest /= Self.second.count
        let third = Self.third[rest]
        let id = third.id.isEmpty ? "\(first)-\(second)" : "\(first)-\(second)-\(third.id)"
        let words =
            third.words.isEmpty
            ? [first, second].map(Self.capitalised)
            : [
                Self.capitalised(first), Self.capitalised(second), third.words,
            ]
        return (words.joined(separator: " "), id)
    }

    private static func capitalised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    private static let first = words(
        """
        amber ancient arctic astral atomic azure baby big binary bold brave bright cosmic crimson crypto
        crystal dark deep digital dizzy dusty eager early electric elon emerald epic fast fat flying frozen
        funny galactic gentle giga golden grand green grumpy happy hidden hyper infinite iron jolly jumping
        laser lazy little liquid lonely lost lucky lunar mad magic marble mega meta mighty misty moon mystic
        neon noble nova ocean omega orbit pixel polar proud quantum quick quiet rapid rare red royal sacred
        safe savage scarlet secret shadow shiny silent silver sleepy smart solar sonic sour space spicy
        stable steady stellar stone
        """)

    private static let second = words(
        """
        ape badger bear bee bird boar bridge bull camel castle cat cloud comet coyote crab crane crow deer
        doge dolphin dragon duck eagle elk falcon ferret finch forge fox frog gecko goat goose hamster
        harbor hawk hedgehog hippo horse hound ibis inu jackal jellyfish koala lark lemur lion lizard llama
        lynx mantis marlin meadow mole monkey moose moth mouse newt ocelot orca osprey owl ox panda parrot
        penguin phoenix pigeon pony puffin rabbit raven rhino robin salmon seal shark sheep shrimp sloth
        """)

    private static let third: [(words: String, id: String)] = [
        ("", ""), ("Token", "token"), ("Finance", "finance"), ("Protocol", "protocol"), ("Inu", "inu"),
        ("AI", "ai"),
        ("DAO", "dao"), ("by Virtuals", "by-virtuals"), ("(Runes)", "runes"), ("Swap", "swap"),
        ("Network", "network"),
        ("2.0", "2-0"), ("Fan Token", "fan-token"),
    ]

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
