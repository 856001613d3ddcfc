/* SPDX-License-Identifier: Apache-2.0
 *
 * BearSSL's own tests of elliptic curves and RSA with montcore's engines, under QEMU's user mode. The file of the
 * tests is the user's copy; its main is not called.
 */
#define main main_of_bearssl
#include "test_crypto.c"
#undef main

#include "montcore_bearssl.h"
#include "system_call.h"

void exit(int status)
{
    for (;;) {
        system_call(SYSTEM_EXIT, status, 0, 0);
    }
}

int printf(const char *format, ...)
{
    return (int)system_call(SYSTEM_WRITE, 1, (long)format, (long)strlen(format));
}

int fprintf(FILE *file, const char *format, ...)
{
    (void)file;
    return printf(format);
}

int fflush(FILE *file)
{
    (void)file;
    return 0;
}

/* A public key longer than what is given: nothing is written behind it, as by BearSSL's own. */
static void test_longer_key(void)
{
    static unsigned char n[516], e[3] = {1, 0, 1}, box[1024];
    br_rsa_public_key key = {n, sizeof n, e, sizeof e};
    memset(n, 0xff, sizeof n);
    for (size_t given = 64; given <= 512; given *= 2) {
        memset(box, 0xcc, sizeof box);
        if (montcore_rsa_public(box, given, &key) != 0 ||
            montcore_rsa_pkcs1_vrfy(box, given, 0, 32, &key, box) != 0) {
            exit(EXIT_FAILURE);
        }
        for (size_t i = given; i < sizeof box; ++i) {
            if (box[i] != 0xcc) {
                printf("a byte behind the buffer was written\n");
                exit(EXIT_FAILURE);
            }
        }
    }
}

void qemu_main(void)
{
    test_longer_key();
    test_EC_KAT("EC montcore", &montcore_ec,
                (uint32_t)1 << BR_EC_secp256r1 | (uint32_t)1 << BR_EC_secp384r1 |
                    (uint32_t)1 << BR_EC_secp521r1);
    test_EC_P256_carry(&montcore_ec);
    test_EC_c25519("EC montcore", &montcore_ec);
    printf("ECDSA montcore");
    test_ECDSA_KAT(&montcore_ec, montcore_ecdsa_sign_raw, montcore_ecdsa_vrfy_raw, 0);
    test_ECDSA_KAT(&montcore_ec, montcore_ecdsa_sign_asn1, montcore_ecdsa_vrfy_asn1, 1);
    test_RSA_core("RSA montcore", montcore_rsa_public, montcore_rsa_private);
    test_RSA_sign("RSA montcore", montcore_rsa_private, montcore_rsa_pkcs1_sign,
                  montcore_rsa_pkcs1_vrfy);
    exit(0);
}
