struct SimulatedOwner: Sendable, Hashable {
    let login: String
    let number: Int
    let isOrganisation: Bool

    var type: String { isOrganisation ? "Organization" : "User" }

    var nodeID: String {
        if let person = SimulatedCast.person(login), !isOrganisation { return person.nodeID }
        return "\(isOrganisation ? "O" : "U")_sim\(number)"
    }

    static func owner(of repository: SimulatedRepository) -> SimulatedOwner {
        let number =
            repository.isPersonal
            ? SimulatedCast.person(repository.owner)?.number ?? 0
            : SimulatedRepository.organisationNumber(repository.owner)
        return SimulatedOwner(
            login: repository.owner, number: number, isOrganisation: !repository.isPersonal)
    }

    static let count = 5_000

    /// Returns one of the other owners. Each pair of words comes once, because 7,919 is prime and coprime to
    /// their count.
    static func generated(_ index: Int, _ dice: SeededRandom) -> SimulatedOwner {
        let salt = UInt64(index)
        let pair = (index * 7_919 + 13) % (first.count * second.count)
        let (adjective, animal) = (first[pair % first.count], second[pair / first.count])
        let isOrganisation = dice.index(1, salt, below: 10) < 3
        let login =
            switch dice.index(2, salt, below: 5) {
            case 0: RepositoryTexts.capitalised(adjective) + RepositoryTexts.capitalised(animal)
            case 1: "\(adjective)\(animal)"
            case 2: isOrganisation ? "\(adjective)-\(animal)-labs" : "\(animal)-\(adjective)"
            case 3: "\(adjective)\(animal)\(1 + dice.index(3, salt, below: 99))"
            default: "\(adjective)-\(animal)"
            }
        return SimulatedOwner(login: login, number: 20_001 + index * 11, isOrganisation: isOrganisation)
    }

    private static let first = words(
        """
        amber brisk calm clever crisp curious daring dusky eager early fabled gentle glad golden green
        hidden honest humble idle jolly keen kind late lively lone lucky mellow merry mild misty modest
        mossy narrow nimble noble odd patient plain polite proud quick quiet rapid rare ready rustic sandy
        silent silver sleepy slow smart snowy soft solar spry steady stout sunny swift tidal tiny true
        vast velvet violet warm wide wild wise witty woolly young zesty
        """)

    private static let second = words(
        """
        adder badger bat bear beaver bison bittern boar bream bunting carp cat cheetah cicada clam cobra
        cod condor coot crab crane cricket crow curlew deer dingo dove duck dunlin eel egret elk ermine
        falcon ferret finch fox frog gannet gecko gnu goat godwit goose grebe gull hare harrier hawk heron
        hoopoe ibis jackdaw jay kestrel kite kiwi lark lemur linnet lynx magpie marten mole moose moth
        newt otter owl oyster panda petrel plover puffin quail rabbit raven robin rook seal shrew siskin
        skua sloth snipe sparrow stoat stork swan teal tern thrush toad trout turtle viper vole weasel
        whale wolf wren yak zebra
        """)

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
