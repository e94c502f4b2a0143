import RoostServices
import Testing

@Suite struct PasswordTests {
    @Test func `a password matches its hash and no other does`() throws {
        let hash = try Password.hash("correct horse battery")
        #expect(try Password.matches("correct horse battery", hash: hash))
        for wrong in ["Correct horse battery", "correct horse batter", "", "correct horse battery "] {
            #expect(try !Password.matches(wrong, hash: hash))
        }
    }

    @Test func `a hash carries its parameters and a salt of its own`() throws {
        let (one, other) = (try Password.hash("0123456789"), try Password.hash("0123456789"))
        #expect(one.hasPrefix("scrypt$32768$8$1$") && one.split(separator: "$").count == 6)
        #expect(one != other)
    }

    @Test func `ten characters are enough, nine are not`() throws {
        #expect(throws: RoostError.invalid(field: "password", why: "A password has at least 10 characters."))
        {
            try Password.hash("123456789")
        }
        #expect(try Password.matches("パスワード十文字以上", hash: try Password.hash("パスワード十文字以上")))
    }

    @Test(arguments: [
        "", "plain", "scrypt$", "scrypt$1$2$3$4$5", "bcrypt$32768$8$1$AA==$AA==", "scrypt$x$8$1$AA==$AA==",
    ])
    func `what is no hash matches nothing`(stored: String) throws {
        #expect(try !Password.matches("0123456789", hash: stored))
    }

    /// RFC 7914, section 12: the parameters beside a hash are obeyed, not today's.
    @Test func `a hash made with other parameters still matches`() throws {
        let hash =
            "scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3"
            + "MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA=="
        #expect(try Password.matches("password", hash: hash))
        #expect(try !Password.matches("Password", hash: hash))
    }
}
