"""What of a certificate is bound to: the hash of its signature."""

from __future__ import annotations

import hashlib
import ssl
import unittest
from typing import Optional, Tuple

from penstock.binding import server_end_point

# Certificates that openssl has made, and the hash of each.
CERTIFICATES: Tuple[Tuple[str, Optional[str], str], ...] = (
    (
        "ec384",
        "sha384",
        "MIIBcDCCARWgAwIBAgIUf/WSZPshBnCOsZe+ZQfZg35mzYcwCgYIKoZIzj0EAwMw"
        "DDEKMAgGA1UEAwwBYjAgFw0yNjExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYxN1ow"
        "DDEKMAgGA1UEAwwBYjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDffi8F1wesv"
        "T11OdUP0p48tFYICDzToPnlmLrIYefTKPXOlN0c31vWNpbXF1sSdFAkiek50ggix"
        "OaSC1JBBcDujUzBRMB0GA1UdDgQWBBStVp2FL2GDGXqD2GPivhtPvTqlDTAfBgNV"
        "HSMEGDAWgBStVp2FL2GDGXqD2GPivhtPvTqlDTAPBgNVHRMBAf8EBTADAQH/MAoG"
        "CCqGSM49BAMDA0kAMEYCIQDhS+GPk3GsSicp+5tr75skJVBRwdq28MzQbLNA7aQx"
        "xQIhAJ5uia4lD3RlY2BTC8lPF9CwLOemJ5JIfv4fWgcC7SmO",
    ),
    (
        "ed25519",
        "sha512",
        "MIIBLjCB4aADAgECAhRC6zVreX0bAyqcH89jAG+caIWm7TAFBgMrZXAwDDEKMAgG"
        "A1UEAwwBYjAgFw0yNjExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgG"
        "A1UEAwwBYjAqMAUGAytlcAMhAJgPfWqT+cHOHJ59CilHxZB+l9Qn3fAECrGI5YbV"
        "CC5fo1MwUTAdBgNVHQ4EFgQUQhxQbK/RUn+yg8npElImdjZuYM0wHwYDVR0jBBgw"
        "FoAUQhxQbK/RUn+yg8npElImdjZuYM0wDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD"
        "QQBZceJHilcLsFFcig7i8k6buV95Sd0hncCsk7tNP0VH/ni4xDrZYs/HMkD+aVFe"
        "MZwi5eKZfAH77rnjtI4DN2wA",
    ),
    (
        "pss512",
        "sha512",
        "MIICXjCCAZOgAwIBAgIULGZ2WPAkORaTM3b2MYhlSxM3JWowQQYJKoZIhvcNAQEK"
        "MDSgDzANBglghkgBZQMEAgMFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgMF"
        "AKIDAgEgMAwxCjAIBgNVBAMMAWIwIBcNMjYxMTI2MTkzNjE3WhgPMjEyNjExMDIx"
        "OTM2MTdaMAwxCjAIBgNVBAMMAWIwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGB"
        "AMkpkNe7v09bveBBKIUJe4ZzLlNPLq6qaNc9F7l041YrnsrR9riavmDX8uyHWJFa"
        "ud7avGVK1oYPWX5yKYi7Cpw+gipLVL0PzibcB+aibBnVWTzd4NHQX8xR8RSGhn/8"
        "qU/h5CiVrYnWFuwvjVdkcHiHYpNCLxMkTq0+2WoyMfTbAgMBAAGjUzBRMB0GA1Ud"
        "DgQWBBRmNRE8yM/4cfCoanKdv7kZFDOWrDAfBgNVHSMEGDAWgBRmNRE8yM/4cfCo"
        "anKdv7kZFDOWrDAPBgNVHRMBAf8EBTADAQH/MEEGCSqGSIb3DQEBCjA0oA8wDQYJ"
        "YIZIAWUDBAIDBQChHDAaBgkqhkiG9w0BAQgwDQYJYIZIAWUDBAIDBQCiAwIBIAOB"
        "gQC2bHV7xoJ/4T3xDyoXnzNgtL9qd6eJ6yB1fKaJ+BdsToXpLQPBzJgt81a30I6N"
        "5v4TsFabmOKRryDWADoFLBEGTPhvc7u+V+n69u4qMyyMgNVJl7CRCKUi1v2E0GVJ"
        "Mc6fspZMtMYxaWYg41ptHEdZFy0mdKzNclr0bMDA/jLoWg==",
    ),
    (
        "sha1",
        "sha256",
        "MIIB9jCCAV+gAwIBAgIUFOMlHO7nSNh/bSH3tPxQwRcnosQwDQYJKoZIhvcNAQEF"
        "BQAwDDEKMAgGA1UEAwwBYjAgFw0yNjExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYx"
        "N1owDDEKMAgGA1UEAwwBYjCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAr6nb"
        "Ci1z00QP/hxNR1fs/8i2k9FVcZ1H0GpkwhsD48uAXYkJlhyDXUjsJjzzRTxJ7J7H"
        "wN+T5O/KEmgr+6U+NUpifwqlrwgnVw+/1NRE3cnFA27kVPjvc7lhAFrp30yzuyF/"
        "pKQoAKfM4etTtMbzThrILSwSKl+NxuqFqmT4f60CAwEAAaNTMFEwHQYDVR0OBBYE"
        "FEnVg2tzzdG1vvo++GLO1ubeBiizMB8GA1UdIwQYMBaAFEnVg2tzzdG1vvo++GLO"
        "1ubeBiizMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEFBQADgYEAelUL78Fp"
        "RBKi3OXhidiTsDB95uIsKFnbUKldTKUZ7kUIXeXgW49MT6uik6/EP7NeMnR8B60F"
        "JG+JM94mEevd8Q//amvqotbeswqNnznxIEU7ApusK9W6CanHB9Hmex2UjdD69Uqz"
        "Bvi/ZW8dmGmq4Elwc2AexJDAatQAVhk0DJA=",
    ),
    (
        "pssdefault",
        "sha256",
        "MIICADCCAWSgAwIBAgIUEErqcKwOErFttc6+cYLpRfrZl/8wEgYJKoZIhvcNAQEK"
        "MAWiAwIBajAMMQowCAYDVQQDDAFiMCAXDTI2MTEyNjE5MzYxN1oYDzIxMjYxMTAy"
        "MTkzNjE3WjAMMQowCAYDVQQDDAFiMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKB"
        "gQDVJ9XOueHTV4M7bDlPmKvVhAPcqWmgA5zLAamTRDhLjOt9NkUbnFJjk1ZEZNWd"
        "uv9AF6Txz6FLmepKabrXLinRzrWmKil8nfQpFqrc/mCd46qXB1PuYu/TN4TJ8TQB"
        "GRUC6rrxVCmJzrYowzTL8RoU7l5YzfRjvwyDIOGJr360owIDAQABo1MwUTAdBgNV"
        "HQ4EFgQU/GEWefjc7h8dmvZnezBQxLezc34wHwYDVR0jBBgwFoAU/GEWefjc7h8d"
        "mvZnezBQxLezc34wDwYDVR0TAQH/BAUwAwEB/zASBgkqhkiG9w0BAQowBaIDAgFq"
        "A4GBAMbN4HjE3DDuEq/vXfBCJEqF54f3FHKGdzoQ1FlcAbf29Jv9QBUqTJqZyWm0"
        "arXUXeQxB0mDBQcY1CJ1aDWxbBqG1mewYDlqmkakfV6RZn8YE5wo3dhz1c76naOF"
        "BvEVDtOmUFZl34k+LjHZmGgD35P2LlD0pm/T+MfI+PRaupGy",
    ),
    (
        "ed448",
        None,
        "MIIBeTCB+qADAgECAhQS8daKu0C5eslSXxhikld9Yu6p9zAFBgMrZXEwDDEKMAgG"
        "A1UEAwwBYjAgFw0yNjExMjYxOTM2MTdaGA8yMTI2MTEwMjE5MzYxN1owDDEKMAgG"
        "A1UEAwwBYjBDMAUGAytlcQM6ACxDrIJjqozuuawctd0nIi84a8x8JSERf0BTln1m"
        "PyG9lxF6viz1R/jFU2UgGJuZuka7TFSl3xUwgKNTMFEwHQYDVR0OBBYEFCP7EAqL"
        "egiWU3HO/7o+pAgAgIc+MB8GA1UdIwQYMBaAFCP7EAqLegiWU3HO/7o+pAgAgIc+"
        "MA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VxA3MA5fU74x6E0160dvJi3NpnpmUfVig5"
        "Efa0aJ/Uyft+Hg/lVrwm7uCvt6akRV36cdFoLGayWUN5SZcAYnCtmPXGqALcKZya"
        "Bz24jljEGMtuvSm9a3+n3/fPDoXOhlRnZK4T5+DZWkR8k0POylJozNaiqSoA",
    ),
)


def der(text: str) -> bytes:
    return ssl.PEM_cert_to_DER_cert(f"-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")


class BindingTest(unittest.TestCase):
    def test_should_hash_as_the_signature_does(self) -> None:
        for name, expected, text in CERTIFICATES:
            certificate = der(text)
            bound = None if expected is None else hashlib.new(expected, certificate).digest()
            self.assertEqual(server_end_point(certificate), bound, name)

    def test_should_bind_to_nothing_when_there_is_no_certificate(self) -> None:
        certificate = der(CERTIFICATES[0][2])
        self.assertIsNone(server_end_point(None))
        for length in range(len(certificate)):
            self.assertIsNone(server_end_point(certificate[:length]), length)
        for wrong in (b"\x30\x00", b"\x30\x84\xff\xff\xff\xff", b"\x30\x80", b"\x30\x04\x30\x02\x05\x00"):
            self.assertIsNone(server_end_point(wrong), wrong)


if __name__ == "__main__":
    unittest.main()
