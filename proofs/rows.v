(* SPDX-License-Identifier: Apache-2.0 *)
(* The rows of radix 2 and 4: cs, op, mx, rc and cs4, as functions of the digits of A. *)
From Montcore Require Import loop.

Section Binary.
(* cs, op, mx, rc: T <- (T + a B + q N) / 2, q the lowest bit of T + a B.
   2 T is what all blocks hold after an iteration: s_q + 2 c1_q + 2 c2_q in cs and op, s_q + 2 c_q
   after the second cycle in mx, s_q with carry_q in rc; N is n_q, B is b_q, a is a_i, q is q_i. *)
Variables N B : Z.
Hypothesis odd : N mod 2 = 1.
Hypothesis positive : 0 < N /\ 0 <= B.

Definition even (T a : Z) := (T + a * B + (T + a * B) mod 2 * N) / 2.
Fixpoint binary (l : list Z) (T : Z) : Z :=
  match l with [] => T | a :: r => binary r (even T a) end.

Lemma even_exact T a : 2 * even T a = T + a * B + (T + a * B) mod 2 * N.
Proof.
  unfold even. set (V := T + a * B). pose proof (Z.div_mod V 2). pose proof (Z.div_mod N 2).
  rewrite odd in *. pose proof (Z.mod_pos_bound V 2 ltac:(lia)). symmetry.
  assert (E : exists c, V + V mod 2 * N = 2 * c).
  { assert (V mod 2 = 0 \/ V mod 2 = 1) as [Z0 | Z1] by lia.
    - exists (V / 2). rewrite Z0 in *. lia.
    - exists (V / 2 + N / 2 + 1). rewrite Z1 in *. lia. }
  destruct E as [c E]. rewrite E. rewrite (divided (2 * c) 2 c); lia.
Qed.
Lemma binary_run l T : exists K, run 2 N B 1 1 0 N l K T (binary l T).
Proof.
  revert T. induction l as [| a l IH]; intro T; [exists 0; constructor |].
  destruct (IH (even T a)) as [K R]. exists ((T + a * B) mod 2 * N + 2 * K).
  cbn [binary]. pose proof (Z.mod_pos_bound (T + a * B) 2 ltac:(lia)).
  apply more with (even T a); [apply Z.divide_factor_r | nia | rewrite even_exact; ring | exact R].
Qed.

Theorem binary_congruent l : (N | power 2 l * binary l 0 - value 2 l * B).
Proof.
  destruct (binary_run l 0) as [K R]. pose proof (run_sum R) as S.
  apply run_multiple in R. rewrite S. replace (_ - _) with K by ring. exact R.
Qed.
(* In every iteration; so the registers hold less than 2 (N + B), and the blocks' head has the bits
   above the words. *)
Theorem binary_register l : digits 0 1 l -> 0 <= binary l 0 < N + B.
Proof.
  assert (G : forall T, digits 0 1 l -> 0 <= T < N + B -> 0 <= binary l T < N + B).
  { induction l as [| a r IH]; intros T D R; cbn [binary]; [exact R |].
    inversion D; subst. apply IH; [assumption |]. pose proof (even_exact T a) as E.
    pose proof (Z.mod_pos_bound (T + a * B) 2 ltac:(lia)). nia. }
  intro D. apply G; [exact D | lia].
Qed.
(* R = 2^(k + 2) takes operands below 2 N and R = 2^(k + 1) operands below N: A B <= N R. *)
Theorem binary_result l : digits 0 1 l -> value 2 l * B <= N * power 2 l ->
  0 <= binary l 0 < 2 * N.
Proof.
  intros D L. split; [apply binary_register, D |]. destruct (binary_run l 0) as [K R].
  pose proof (run_range (eq_refl : 1 < 2) R) as Q.
  apply run_sum in R. apply (Z.mul_lt_mono_pos_l (power 2 l)); [apply power_pos |]; lia.
Qed.
End Binary.

Section Quaternary.
(* cs4: T <- (T + q N) / 4 + a B, q from {-1, 0, 1, 2} with T + q N = 0 mod 4.
   T is s_q + 2 c_q of all blocks, with low_q in place of the two lowest cells and head_q above;
   N is n_q, B is b_q, a is the recoded a_i, q is the register q_o of montcore_cs4_digit. *)
Variables N B : Z.
Hypothesis odd : N mod 2 = 1.
Hypothesis positive : 0 < N /\ 0 <= B.

Definition digit4 (T : Z) := (1 - T * N) mod 4 - 1.
Fixpoint quaternary (l : list Z) (T : Z) : Z :=
  match l with [] => T | a :: r => quaternary r ((T + digit4 T * N) / 4 + a * B) end.

Lemma digit4_range T : -1 <= digit4 T <= 2.
Proof. unfold digit4. pose proof (Z.mod_pos_bound (1 - T * N) 4 ltac:(lia)). lia. Qed.
Lemma digit4_exact T : 4 * ((T + digit4 T * N) / 4) = T + digit4 T * N.
Proof.
  assert (E : exists c, T + digit4 T * N = 4 * c).
  { unfold digit4. pose proof (Z.div_mod (1 - T * N) 4).
    assert (exists j, N * N = 1 + 4 * j) as [j J].
    { pose proof (Z.div_mod N 2). rewrite odd in *. exists (N / 2 * (N / 2) + N / 2). nia. }
    exists (- T * j - (1 - T * N) / 4 * N). nia. }
  destruct E as [c E]. rewrite E, (divided (4 * c) 4 c); lia.
Qed.
Lemma quaternary_run l T : exists K, run 4 N B 4 3 (-N) (2 * N) l K T (quaternary l T).
Proof.
  revert T. induction l as [| a l IH]; intro T; [exists 0; constructor |].
  destruct (IH ((T + digit4 T * N) / 4 + a * B)) as [K R]. exists (digit4 T * N + 4 * K).
  cbn [quaternary]. pose proof (digit4_range T). pose proof (digit4_exact T).
  eapply more; [apply Z.divide_factor_r | nia | | exact R]. lia.
Qed.
(* The first iteration only takes the lowest digit of A, since T = 0 gives q = 0. *)
Lemma quaternary_first a l : quaternary (a :: l) 0 = quaternary l (a * B).
Proof. cbn [quaternary]. now replace ((0 + digit4 0 * N) / 4 + a * B) with (a * B). Qed.

(* R = 4^(n - 1) for n digits, the last of them 0. *)
Theorem quaternary_congruent a l :
  (N | power 4 l * quaternary (a :: l) 0 - value 4 (a :: l) * B).
Proof.
  rewrite quaternary_first. destruct (quaternary_run l (a * B)) as [K R].
  pose proof (run_sum R) as S. apply run_multiple in R.
  rewrite S. cbn [value]. replace (_ - _) with K by ring. exact R.
Qed.
(* In every iteration; so the part above the blocks, of three bits, is from -3 to 1. *)
Theorem quaternary_register l : digits (-1) 2 l ->
  -(N + 4 * B) < 3 * quaternary l 0 < 2 * N + 8 * B + 1.
Proof.
  assert (G : forall T, digits (-1) 2 l -> -(N + 4 * B) < 3 * T < 2 * N + 8 * B + 1 ->
    -(N + 4 * B) < 3 * quaternary l T < 2 * N + 8 * B + 1).
  { induction l as [| a r IH]; intros T D R; cbn [quaternary]; [exact R |].
    inversion D; subst. apply IH; [assumption |].
    pose proof (digit4_exact T). pose proof (digit4_range T). nia. }
  intro D. apply G; [exact D | lia].
Qed.
Theorem quaternary_result a l A : A = value 4 (a :: l) -> 0 <= A < N -> B < N ->
  4 * N <= power 4 l -> -N < 3 * quaternary (a :: l) 0 /\ 12 * quaternary (a :: l) 0 < 11 * N.
Proof.
  intros EA HA HB HR. rewrite quaternary_first. destruct (quaternary_run l (a * B)) as [K R].
  pose proof (run_range (eq_refl : 1 < 4) R) as Q.
  apply run_sum in R. cbn [value] in EA. set (p := power 4 l) in *.
  set (S := quaternary l (a * B)) in *.
  assert (E : p * S = A * B + K) by (rewrite R, EA; ring).
  assert (0 <= A * B) by nia. assert (4 * (A * B) < N * p) by nia. split; nia.
Qed.
End Quaternary.
