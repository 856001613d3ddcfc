/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures of RFC 8017. What is encoded is public, and so is the time of encoding it.
 */
#include "rsa.h"

/* ---- PKCS#1 v1.5 ------------------------------------------------------------------------------- */

/* DigestInfo up to the hash: SEQUENCE, SEQUENCE, OID 2.16.840.1.101.3.4.2.x, NULL, OCTET STRING. Three of
 * its bytes depend on the function. */
enum { PREFIX = 19 };
static const uint8_t DIGEST_INFO[PREFIX] = {
    0x30, 0x11, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01,
    0x65, 0x03, 0x04, 0x02, 0x00, 0x05, 0x00, 0x04, 0x00,
};

static size_t hash_size(enum mc_rsa_hash function)
{
    return function == MC_SHA256 ? 32 : function == MC_SHA384 ? 48 : 64;
}

/* The whole block of a hash: 00 01 ff .. ff 00, DigestInfo, hash. It fits into 1024 bits. */
static void encode_pkcs1(uint8_t *block, size_t bytes, const uint8_t *hash,
                         enum mc_rsa_hash function)
{
    size_t size = hash_size(function), fill = bytes - size - PREFIX - 1;
    for (size_t i = size; i-- > 0;) { /* first, and from behind: the hash may lie in the block */
        block[bytes - size + i] = hash[i];
    }
    for (size_t i = 0; i < fill; ++i) {
        block[i] = i == 0 ? 0 : i == 1 ? 1 : 0xff;
    }
    block[fill] = 0;
    uint8_t *info = block + fill + 1;
    for (size_t i = 0; i < PREFIX; ++i) {
        info[i] = DIGEST_INFO[i];
    }
    info[1] = (uint8_t)(info[1] + size);
    info[14] = (uint8_t)(function == MC_SHA256 ? 1 : function == MC_SHA384 ? 2 : 3);
    info[18] = (uint8_t)size;
}

int mc_rsa_pkcs1_sign(uint8_t *signature, const uint8_t *hash, enum mc_rsa_hash function,
                      const mc_rsa_private_key *key, mc_random random, void *context,
                      const mc_rsa_work *work)
{
    size_t bytes = mc_rsa_size(&key->key);
    if (bytes < MC_RSA_LEAST_BITS / 8) {
        mc_rsa_zero(signature, bytes);
        return MC_BAD_LENGTH;
    }
    encode_pkcs1(signature, bytes, hash, function);
    return mc_rsa_private(signature, signature, bytes, key, random, context, work);
}

/* state->c = the block, as bytes, of which a signature is given. */
static int open(mc_rsa_state **state, const uint8_t *signature, size_t bytes,
                const mc_rsa_key *key, const mc_rsa_work *work)
{
    int status = mc_rsa_begin(state, key, work, 0);
    if (status == MC_OK) {
        mc_rsa_state *s = *state;
        if (mc_rsa_input(s, s->x, signature, bytes) != MC_OK) {
            return MC_BAD_SIGNATURE;
        }
        mc_rsa_raise(s, s->x, s->x);
        mc_rsa_store((uint8_t *)s->c, s->bytes, s->x);
    }
    return status;
}

static int same(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint8_t differ = 0;
    for (size_t i = 0; i < bytes; ++i) {
        differ |= a[i] ^ b[i];
    }
    return differ == 0;
}

int mc_rsa_pkcs1_verify(const uint8_t *signature, size_t bytes, const uint8_t *hash,
                        enum mc_rsa_hash function, const mc_rsa_key *key, const mc_rsa_work *work)
{
    mc_rsa_state *s = NULL;
    int status = open(&s, signature, bytes, key, work);
    if (status == MC_OK) {
        uint8_t *block = (uint8_t *)s->rest;
        encode_pkcs1(block, s->bytes, hash, function);
        status = same(block, (const uint8_t *)s->c, s->bytes) ? MC_OK : MC_BAD_SIGNATURE;
    }
    mc_rsa_end(s);
    return status;
}

/* ---- PSS --------------------------------------------------------------------------------------- */

/* A block of PSS: masked (zeros, 1, salt), H, bc. */
typedef struct {
    uint8_t *masked, *h, *salt;
    size_t masked_bytes;
    uint8_t top; /* what the first byte may have, as n has one bit more than the block */
} pss_block;

/* Lay out a block of as many bytes as n of `bits` bits; where that has 8 k + 1, the first byte is zero and
 * not of the block. */
static int lay_out(pss_block *b, uint8_t *block, size_t bits, const mc_rsa_pss *pss)
{
    size_t bytes = (bits - 1 + 7) / 8, hash = pss->hash_bytes;
    if (hash == 0 || hash > MC_RSA_MOST_HASH || pss->salt_bytes > bytes ||
        bytes - pss->salt_bytes < hash + 2) {
        return MC_BAD_LENGTH;
    }
    b->masked = block + ((bits - 1) % 8 == 0);
    b->masked_bytes = bytes - hash - 1;
    b->h = b->masked + b->masked_bytes;
    b->salt = b->h - pss->salt_bytes;
    b->top = (uint8_t)(0xff >> (8 * bytes - (bits - 1)));
    return MC_OK;
}

/* digest = hash of eight zeros, the message's hash and the salt. */
static int hash_salt(uint8_t *digest, const pss_block *b, const uint8_t *hash,
                     const mc_rsa_pss *pss)
{
    static const uint8_t zeros[8];
    mc_bytes pieces[3] = {
        {zeros, sizeof zeros}, {hash, pss->hash_bytes}, {b->salt, pss->salt_bytes}};
    return pss->hash(pss->context, digest, pieces, 3);
}

/* masked ^= MGF1(H), its top bits = 0. */
static int mask(const pss_block *b, const mc_rsa_pss *pss)
{
    uint8_t digest[MC_RSA_MOST_HASH], counter[4] = {0, 0, 0, 0};
    mc_bytes pieces[2] = {{b->h, pss->hash_bytes}, {counter, sizeof counter}};
    for (size_t done = 0; done < b->masked_bytes;) {
        if (pss->hash(pss->context, digest, pieces, 2) != 0) {
            return MC_BAD_HASH;
        }
        for (size_t i = 0; i < pss->hash_bytes && done < b->masked_bytes; ++i) {
            b->masked[done++] ^= digest[i];
        }
        counter[2] = (uint8_t)(counter[2] + (++counter[3] == 0)); /* at most 512 times */
    }
    b->masked[0] &= b->top;
    return MC_OK;
}

int mc_rsa_pss_sign(uint8_t *signature, const uint8_t *hash, const mc_rsa_pss *pss,
                    const mc_rsa_private_key *key, mc_random random, void *context,
                    const mc_rsa_work *work)
{
    size_t bytes = mc_rsa_size(&key->key), bits = mc_rsa_bits(&key->key);
    pss_block b;
    uint8_t kept[MC_RSA_MOST_HASH]; /* the hash may lie where the signature goes */
    for (size_t i = 0; i < pss->hash_bytes && i < sizeof kept; ++i) {
        kept[i] = hash[i];
    }
    mc_rsa_zero(signature, bytes);
    int status = bits < MC_RSA_LEAST_BITS ? MC_BAD_LENGTH : lay_out(&b, signature, bits, pss);
    if (status == MC_OK && pss->salt_bytes > 0 &&
        random(context, b.salt, pss->salt_bytes) != 0) {
        status = MC_BAD_RANDOM;
    }
    if (status == MC_OK) {
        b.salt[-1] = 1;
        status = hash_salt(b.h, &b, kept, pss) == 0 ? mask(&b, pss) : MC_BAD_HASH;
    }
    if (status == MC_OK) {
        b.h[pss->hash_bytes] = 0xbc;
        return mc_rsa_private(signature, signature, bytes, key, random, context, work);
    }
    mc_rsa_zero(signature, bytes);
    return status;
}

static int check_pss(const mc_rsa_state *s, const uint8_t *hash, const mc_rsa_pss *pss)
{
    uint8_t *block = (uint8_t *)s->c, digest[MC_RSA_MOST_HASH];
    pss_block b;
    int status = lay_out(&b, block, s->bits, pss);
    if (status != MC_OK) {
        return status;
    }
    if ((b.masked != block && *block != 0) || (*b.masked & ~b.top) != 0 ||
        b.h[pss->hash_bytes] != 0xbc) {
        return MC_BAD_SIGNATURE;
    }
    status = mask(&b, pss);
    if (status != MC_OK) {
        return status;
    }
    for (const uint8_t *at = b.masked; at < b.salt - 1; ++at) {
        if (*at != 0) {
            return MC_BAD_SIGNATURE;
        }
    }
    if (b.salt[-1] != 1) {
        return MC_BAD_SIGNATURE;
    }
    if (hash_salt(digest, &b, hash, pss) != 0) {
        return MC_BAD_HASH;
    }
    return same(digest, b.h, pss->hash_bytes) ? MC_OK : MC_BAD_SIGNATURE;
}

int mc_rsa_pss_verify(const uint8_t *signature, size_t bytes, const uint8_t *hash,
                      const mc_rsa_pss *pss, const mc_rsa_key *key, const mc_rsa_work *work)
{
    mc_rsa_state *s = NULL;
    int status = open(&s, signature, bytes, key, work);
    if (status == MC_OK) {
        status = check_pss(s, hash, pss);
    }
    mc_rsa_end(s);
    return status;
}
