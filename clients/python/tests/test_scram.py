"""SCRAM-SHA-256: the conversation of RFC 7677, section 3, and what is no conversation."""

from __future__ import annotations

import unittest

from penstock import scram

NONCE = "rOprNGfwEbeRWgbNEkqO"
BOTH = NONCE + "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
CHALLENGE = f"r={BOTH},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
LAST = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


class ScramTest(unittest.TestCase):
    def test_should_say_what_the_standard_says(self) -> None:
        client = scram.ScramClient("user", "pencil", NONCE)
        self.assertEqual(client.first(), f"n,,n=user,r={NONCE}")
        self.assertFalse(client.is_proved(LAST))
        self.assertEqual(client.answer(CHALLENGE), f"c=biws,r={BOTH},p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
        self.assertTrue(client.is_proved(LAST))
        for wrong in ("", "v=", "e=other-error", "v=7" + LAST[3:], "x" + LAST[1:], "v=ü"):
            self.assertFalse(client.is_proved(wrong), wrong)

    def test_should_not_answer_when_the_challenge_is_wrong(self) -> None:
        for wrong in (
            "", "r=other,s=AAAA,i=4096", f"r={NONCE},s=AAAA,i=4096", f"r={BOTH},s=,i=4096", f"r={BOTH},s=A,i=4096",
            f"r={BOTH},s=AAAA", f"r={BOTH},s=AAAA,i=4095", f"r={BOTH},s=AAAA,i=-1", f"r={BOTH},s=AAAA,i=10000001",
            f"m=1,r={BOTH},s=AAAA,i=4096", "e=unknown-user",
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "cannot be trusted", msg=wrong):
                scram.ScramClient("user", "pencil", NONCE).answer(wrong)

    def test_should_prepare_texts_as_the_broker_does(self) -> None:
        for text, expected in (("I\u00adX", "IX"), ("\u00aa", "a"), ("\u2168", "IX"), ("a\u00a0b", "a b"), ("\ufb01", "fi")):
            self.assertEqual(scram.prepared("password", text), expected)
        for text in ("", "\u0007", "a\nb", "\ue000", "\u200e", "a\ufffdb", "\ud800", "\ufdd0", "\u2028"):
            with self.assertRaisesRegex(ValueError, "password: "):
                scram.prepared("password", text)


if __name__ == "__main__":
    unittest.main()
