# SPDX-License-Identifier: Apache-2.0
#
# The sources, in the order in which they lie best in a small instruction cache, and the definitions.
option(MONTCORE_CURVES "Elliptic curves" ON)
option(MONTCORE_RSA "RSA" ON)
option(MONTCORE_ITERATIVE "The schedule for multipliers of several cycles" OFF)
option(MONTCORE_SMALL "Leave out strips of four words, and squares" OFF)

set(MONTCORE_SOURCES src/modadd.S src/mul_karatsuba.S src/rows.S src/montgomery.c src/wipe.c)
if(MONTCORE_CURVES)
  list(APPEND MONTCORE_SOURCES
    curves/constants.c curves/ecdsa.c curves/multiply.c curves/divsteps.c curves/point.c
    curves/p256.S curves/product.S curves/f25519.S curves/x25519.c curves/ed25519.c)
endif()
if(MONTCORE_RSA)
  list(APPEND MONTCORE_SOURCES rsa/division.c rsa/private.c rsa/signature.c rsa/state.c)
  if(NOT MONTCORE_CURVES)
    list(APPEND MONTCORE_SOURCES curves/divsteps.c)
  endif()
endif()
list(TRANSFORM MONTCORE_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)

set(MONTCORE_DEFINITIONS)
if(MONTCORE_ITERATIVE)
  list(APPEND MONTCORE_DEFINITIONS MONT_SCHEDULE_ITERATIVE)
endif()
if(MONTCORE_SMALL)
  list(APPEND MONTCORE_DEFINITIONS MONT_SMALL)
endif()
