import TestSupport
import Testing

@testable import Accounts
@testable import RoostSupport

@Suite struct PasswordTests {
    private static let cheap = PasswordCost(rounds: 16, blockSize: 8, parallelism: 1)

    @Test func `a password matches its hash and no other`() throws {
        let hash = try Password.hash("correct horse battery", cost: Self.cheap)
        #expect(try Password.matches("correct horse battery", hash: hash))
        for wrong in ["Correct horse battery", "correct horse batter", "", "correct horse battery "] {
            #expect(try !Password.matches(wrong, hash: hash))
        }
    }

    @Test func `a hash contains its parameters and its own salt`() throws {
        let (one, other) = (
            try Password.hash("0123456789", cost: .standard),
            try Password.hash("0123456789", cost: .standard)
        )
        #expect(one.hasPrefix("scrypt$32768$8$1$") && one.hasSuffix("$nfkc"))
        #expect(one != other)
        let cheap = try Password.hash("0123456789", cost: Self.cheap)
        #expect(cheap.hasPrefix("scrypt$16$8$1$"))
    }

    @Test(arguments: [
        ("Blåbærgrød!", "Bla\u{30A}bærgrød!"), ("ｐａｓｓ　ｐｈｒａｓｅ", "pass phrase"), ("oﬃce oﬃce", "office office"),
        ("한국어 비밀번호", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}어 비밀번호"),
        ("x² and ½ and Å", "x2 and 1⁄2 and Å"),
    ])
    func `the same characters match whichever way a keyboard encodes them`(one: String, other: String) throws
    {
        #expect(Array(one.utf8) != Array(other.utf8))
        #expect(try Password.matches(other, hash: try Password.hash(one, cost: Self.cheap)))
        #expect(try Password.matches(one, hash: try Password.hash(other, cost: Self.cheap)))
    }

    @Test func `a hash from before normalisation matches the password as it was typed`() throws {
        #expect(try Password.matches("ｐａｓｓｗｏｒｄ", hash: Self.fullWidth))
        #expect(try !Password.matches("password", hash: Self.fullWidth))
        #expect(Password.needsRehash(Self.fullWidth, cost: Self.cheap))
    }

    /// scrypt of the full-width "ｐａｓｓｗｏｒｄ" and the salt "NaCl", computed with Python's hashlib.
    private static let fullWidth = "scrypt$16$8$1$TmFDbA==$2rYufZpA9RXPMTYK4xvymJSCaM60pnIixhD8mz+3nC0="

    @Test func `a hash needs replacing when the cost rises, not when it falls`() throws {
        let hash = try Password.hash("correct horse battery", cost: Self.cheap)
        #expect(!Password.needsRehash(hash, cost: Self.cheap))
        #expect(Password.needsRehash(hash, cost: .standard))
        #expect(Password.needsRehash(hash, cost: PasswordCost(rounds: 16, blockSize: 8, parallelism: 2)))
        #expect(Password.needsRehash(hash, cost: PasswordCost(rounds: 16, blockSize: 9, parallelism: 1)))
        #expect(!Password.needsRehash(hash, cost: PasswordCost(rounds: 8, blockSize: 8, parallelism: 1)))
        #expect(!Password.needsRehash("plain", cost: .standard))
    }

    @Test(arguments: [
        "", "plain", "scrypt$", "scrypt$1$2$3$4$5", "bcrypt$32768$8$1$AA==$AA==", "scrypt$x$8$1$AA==$AA==",
        "scrypt$16$8$1$AA==$AA==", "scrypt$16$8$1$$\(hash)", "scrypt$16$8$1$AA==$\(hash)$nfc",
        "scrypt$16$8$1$AA==$\(hash)$nfkc$",
    ])
    func `a malformed hash matches nothing`(stored: String) throws {
        #expect(try !Password.matches("0123456789", hash: stored))
    }

    /// Without checks these would overflow, exceed a signed 64-bit integer, or request terabytes.
    @Test(arguments: [
        (0, 8, 1), (1, 8, 1), (15, 8, 1), (-16, 8, 1), (16, -8, 1), (16, 8, -1), (16, 0, 1), (16, 8, 0),
        (1 << 62, 8, 1), (16, 1 << 62, 1), (16, 8, 1 << 62), (1 << 32, 8, 1), (1 << 22, 8, 1),
        (1 << 16, 1, 1),
    ])
    func `invalid scrypt parameters match nothing and create no hash`(n: Int, r: Int, p: Int) throws {
        #expect(try !Password.matches("0123456789", hash: "scrypt$\(n)$\(r)$\(p)$AAAA$\(Self.hash)"))
        #expect(throws: RoostError.self) {
            try Password.hash(
                "0123456789", cost: PasswordCost(rounds: n, blockSize: r, parallelism: p))
        }
    }

    private static let hash = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

    /// RFC 7914, section 12: the parameters stored with a hash apply, not today's.
    @Test func `a hash made with other parameters still matches`() throws {
        let hash =
            "scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3"
            + "MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA=="
        #expect(try Password.matches("password", hash: hash))
        #expect(try !Password.matches("Password", hash: hash))
    }
}
