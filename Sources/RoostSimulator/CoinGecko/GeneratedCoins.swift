/// Generates the small coins, in the proportions of the recorded list.
///
/// That list (2025-03) has 17,185 coins; 2,224 symbols belong to more than one of them, `weth` to 68.
struct GeneratedCoins {
    let dice: SeededRandom
    let usedIDs: Set<String>
    private let usedSymbols: Set<String>
    private let nameShift: Int

    /// Symbols with the most coins, and how many coins the full list has of each.
    static let crowdedSymbols = [
        ("weth", 68), ("usdc", 66), ("usdt", 57), ("wbtc", 37), ("dai", 28), ("usdc.e", 27), ("pepe", 25),
        ("moon", 19),
    ]
    private static let sharedSymbols = 2224

    init(dice: SeededRandom, after coins: [SimulatedCoin]) {
        self.dice = dice
        usedIDs = Set(coins.map(\.id))
        usedSymbols = Set(coins.map(\.symbol)).union(Self.crowdedSymbols.map(\.0))
        nameShift = dice.index(0xA11, below: Self.names)
    }

    func coins(_ count: Int, from key: Int) -> [SimulatedCoin] {
        var coins: [SimulatedCoin] = []
        coins.reserveCapacity(count)
        var symbols = symbolPlan(count)
        var name = 0
        while coins.count < count {
            let (text, id) = self.name(name)
            name += 1
            guard !usedIDs.contains(id) else { continue }
            let symbol = symbols.removeLast()
            coins.append(
                coin(key: key + coins.count, index: coins.count, id: id, symbol: symbol, name: text))
        }
        return coins
    }

    private func coin(key: Int, index: Int, id: String, symbol: String, name: String) -> SimulatedCoin {
        let salt = UInt64(key)
        // The market cap falls with the square of the rank, from 900 million dollars to a few thousand.
        let rank = Double(index + 60) / 60
        let cap = 9e8 / (rank * rank) * (0.9 + 0.2 * dice.unit(1, salt))
        let price = price(salt)
        let chance = dice.index(2, salt, below: 1000)
        return SimulatedCoin(
            key: key, id: id, symbol: symbol, name: name, price: chance < 4 ? 0 : price,
            supply: (cap / price).rounded(), volatility: 0.6 + 0.9 * dice.unit(3, salt),
            traits: traits(chance), staleDays: chance >= 900 && chance < 930 ? 1 + chance % 30 * 13 : 0)
    }

    private func price(_ salt: UInt64) -> Double {
        var price = 1 + 9 * dice.unit(4, salt)
        let decade = dice.index(5, salt, below: 13) - 10
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
    /// Returns one symbol per coin, shuffled: crowded symbols, then pairs and small groups, then unique ones.
    /// Used from the end.
    private func symbolPlan(_ count: Int) -> [String] {
        var plan: [String] = []
        plan.reserveCapacity(count)
        for (symbol, total) in Self.crowdedSymbols {
            let isWellKnown = !["usdc.e", "moon"].contains(symbol)
            plan += Array(repeating: symbol, count: total - (isWellKnown ? 1 : 0))
        }
        var symbolNumber = 0
        for group in Self.crowdedSymbols.count..<Self.sharedSymbols {
            let size = 2 + (group % 8 == 0 ? group / 8 % 9 : 0)
            plan += Array(repeating: nextSymbol(&symbolNumber), count: size)
        }
        while plan.count < count {
            plan.append(nextSymbol(&symbolNumber))
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

    /// Returns a pronounceable word of four letters, each once, because 7,919 is prime and coprime to their
    /// count.
    private func nextSymbol(_ symbolNumber: inout Int) -> String {
        while true {
            var rest = (symbolNumber * 7919 + 11) % (20 * 5 * 20 * 20)
            symbolNumber += 1
            var letters: [UInt8] = []
            for letterSet in [Self.consonants, Self.vowels, Self.consonants, Self.consonants] {
                letters.append(letterSet[rest % letterSet.count])
                rest /= letterSet.count
            }
            let symbol = String(decoding: letters, as: UTF8.self)
            if !usedSymbols.contains(symbol) { return symbol }
        }
    }

    private static let consonants = Array("bcdfghjklmnpqrstvwxz".utf8)
    private static let vowels = Array("aeiou".utf8)
}

extension GeneratedCoins {
    private static var names: Int { first.count * second.count * third.count }

    /// Returns the n-th name and its id. Each combination comes once, because 100,003 is prime.
    private func name(_ number: Int) -> (text: String, id: String) {
        var rest = (number * 100_003 + nameShift) % Self.names
        let first = Self.first[rest % Self.first.count]
        rest /= Self.first.count
        let second = Self.second[rest % Self.second.count]
        rest /= Self.second.count
        let third = Self.third[rest]
        let id = third.id.isEmpty ? "\(first)-\(second)" : "\(first)-\(second)-\(third.id)"
        let words =
            third.text.isEmpty
            ? [first, second].map(Self.capitalised)
            : [
                Self.capitalised(first), Self.capitalised(second), third.text,
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

    private static let third: [(text: String, id: String)] = [
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
