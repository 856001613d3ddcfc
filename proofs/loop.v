(* SPDX-License-Identifier: Apache-2.0 *)
(* The loop that all cores have in common, over the integers: for every radix b, every number of
   iterations and every modulus M.

   V is the number that the registers of a core hold together. An iteration takes a digit a of A,
   adds a multiple k of M that makes the sum divisible, and divides by the radix. *)
From Coq Require Export ZArith List Lia Psatz Znumtheory.
Export ListNotations.
Open Scope Z_scope.

(* A number from its digits, the lowest first. *)
Fixpoint value (b : Z) (l : list Z) : Z :=
  match l with [] => 0 | d :: r => d + b * value b r end.
Definition power (b : Z) (l : list Z) : Z := b ^ Z.of_nat (length l).
Definition digits (lo hi : Z) (l : list Z) : Prop := Forall (fun d => lo <= d <= hi) l.

Lemma power_cons b a l : power b (a :: l) = b * power b l.
Proof. unfold power. cbn [length]. now rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. Qed.
Lemma power_nil b : power b [] = 1.
Proof. reflexivity. Qed.
Lemma power_pos b l : 1 < b -> 0 < power b l.
Proof. intro. apply Z.pow_pos_nonneg; lia. Qed.
Lemma prime_power b M l : rel_prime b M -> rel_prime M (power b l).
Proof.
  intro C. induction l as [| a l IH].
  - apply rel_prime_sym, rel_prime_1.
  - rewrite power_cons. apply rel_prime_mult; [now apply rel_prime_sym | exact IH].
Qed.
Lemma divided a b c : 0 < b -> a = b * c -> a / b = c.
Proof. intros. symmetry. apply Z.div_unique_exact; lia. Qed.
Lemma value_positive b hi l : 1 < b -> digits 0 hi l -> 0 <= value b l.
Proof. intros H D. induction D; cbn [value]; nia. Qed.

Section Loop.
Variables b M B u s lo hi : Z.
Hypothesis radix : 1 < b.

(* run digits K V E: from V the digits lead to E, and K is the sum of all k b^i. *)
Inductive run : list Z -> Z -> Z -> Z -> Prop :=
| done V : run [] 0 V V
| more a k l K V V' E :
    (M | k) -> lo * (b - 1) <= s * k <= hi * (b - 1) -> b * V' = V + u * a * B + k ->
    run l K V' E -> run (a :: l) (k + b * K) V E.

Lemma run_sum l K V E : run l K V E -> power b l * E = V + u * B * value b l + K.
Proof.
  induction 1 as [V | a k l K V V' E _ _ S _ IH].
  - rewrite power_nil. cbn [value]. ring.
  - rewrite power_cons. cbn [value]. transitivity (b * (power b l * E)); [ring |].
    rewrite IH. transitivity (b * V' + b * (u * B * value b l + K)); [ring |]. rewrite S. ring.
Qed.
Lemma run_multiple l K V E : run l K V E -> (M | K).
Proof.
  induction 1 as [V | a k l K V V' E D _ _ _ IH].
  - apply Z.divide_0_r.
  - apply Z.divide_add_r; [exact D | now apply Z.divide_mul_r].
Qed.
Lemma run_range l K V E : run l K V E ->
  lo * (power b l - 1) <= s * K <= hi * (power b l - 1).
Proof.
  induction 1 as [V | a k l K V V' E _ R _ _ IH].
  - rewrite power_nil. lia.
  - rewrite power_cons. nia.
Qed.
End Loop.

(* Recoding preserves the value: each digit a and the carry out are the bits and the carry in
   (a_recode of hr_lowest_proof and cs4_digit_proof; carry_q is c). *)
Inductive recoded (b : Z) : Z -> list Z -> list Z -> Z -> Prop :=
| none c : recoded b c [] [] c
| next c d a c' ds l e :
    d + c = b * c' + a -> recoded b c' ds l e -> recoded b c (d :: ds) (a :: l) e.
Theorem recoding b c ds l e : recoded b c ds l e ->
  value b ds + c = value b l + power b l * e.
Proof.
  induction 1 as [c | c d a c' ds l e S _ IH]; [rewrite power_nil; cbn [value]; ring |].
  rewrite power_cons. cbn [value]. nia.
Qed.

(* What is left to the output stage: one addition, or one or two subtractions, of M. *)
Theorem made_canonical S M : 0 < M ->
  (-M < S < M -> (if S <? 0 then S + M else S) = S mod M) /\
  (0 <= S < 2 * M -> (if M <=? S then S - M else S) = S mod M) /\
  (0 <= S < 3 * M ->
   (if 2 * M <=? S then S - 2 * M else if M <=? S then S - M else S) = S mod M).
Proof.
  intro P. repeat split; intro R.
  - destruct (Z.ltb_spec S 0); [apply Z.mod_unique with (-1) | apply Z.mod_unique with 0]; lia.
  - destruct (Z.leb_spec M S); [apply Z.mod_unique with 1 | apply Z.mod_unique with 0]; lia.
  - destruct (Z.leb_spec (2 * M) S); [apply Z.mod_unique with 2; lia |].
    destruct (Z.leb_spec M S); [apply Z.mod_unique with 1 | apply Z.mod_unique with 0]; lia.
Qed.
Arguments run_sum {b M B u s lo hi l K V E}.
Arguments run_multiple {b M B u s lo hi l K V E}.
Arguments run_range {b M B u s lo hi} _ {l K V E}.
