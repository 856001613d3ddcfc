(* SPDX-License-Identifier: Apache-2.0 *)
(* dsp: quotient pipelining with lazy operands. *)
From Montcore Require Import loop.

Section Dsp.
(* S is the words of the blocks of montcore_dsp_row (p_low_q, product_q and the carries), before is
   the digit of the step before the last one, b the word of B in operand_q; W = 2^17. *)
Variables W M A inverse Mt scaled : Z.
Hypothesis word : 2 <= W.
Hypothesis modulus : 0 < M.
Hypothesis multiplicand : 0 <= A.
Hypothesis inverse_word : 0 <= inverse < W * W.      (* M' of montcore_dsp_inverse *)
Hypothesis lazy_modulus : Mt = inverse * M.
Hypothesis scaled_exact : W * W * scaled = Mt + 1.   (* M'' *)

Fixpoint pipelined (bs : list Z) (S before : Z) : Z * Z :=
  match bs with
  | [] => (S, before)
  | b :: r => pipelined r (S / W + b * A + before * scaled) (S mod W)
  end.
Definition product (bs : list Z) := let (S, before) := pipelined bs 0 0 in W * S + before.

Lemma above_one : 1 < W. Proof. lia. Qed.
Lemma pipelined_run bs S before : 0 <= before < W -> exists K,
  run W Mt A (W * W) 1 0 Mt bs K (W * S + before)
    (let (S', before') := pipelined bs S before in W * S' + before').
Proof.
  revert S before. induction bs as [| b bs IH]; intros S before R; [exists 0; constructor |].
  pose proof (Z.div_mod S W ltac:(lia)) as E. pose proof (Z.mod_pos_bound S W ltac:(lia)) as D.
  destruct (IH (S / W + b * A + before * scaled) (S mod W) D) as [K Q].
  exists (before * Mt + W * K). cbn [pipelined].
  assert (0 <= Mt) by (rewrite lazy_modulus; apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_nonneg_nonneg before Mt). pose proof (Z.mul_nonneg_nonneg (W - 1 - before) Mt).
  eapply more; [apply Z.divide_factor_r | lia | | exact Q].
  transitivity (W * (W * (S / W) + S mod W) + W * W * b * A + before * (W * W * scaled)); [ring |].
  rewrite <- E, scaled_exact. ring.
Qed.
(* R is W^n for n + 2 words of B, of which the upper two are 0. *)
Theorem pipelined_congruent bs n : rel_prime W M -> power W bs = W * W * n ->
  (M | n * product bs - value W bs * A).
Proof.
  intros C P. unfold product. destruct (pipelined_run bs 0 0 ltac:(lia)) as [K R].
  destruct (pipelined bs 0 0) as [S q]. pose proof (run_sum R) as E. apply run_multiple in R.
  rewrite P in E. apply Gauss with (W * W).
  - replace (_ * _) with K by lia. apply Z.divide_trans with Mt; [| exact R].
    rewrite lazy_modulus. apply Z.divide_factor_r.
  - apply rel_prime_mult; apply rel_prime_sym, C.
Qed.
Lemma pipelined_range bs n : digits 0 (W - 1) bs -> power W bs = W * W * n -> 0 < n ->
  0 <= product bs /\ product bs * n < value W bs * A + Mt * n + 1.
Proof.
  intros D P N. unfold product. destruct (pipelined_run bs 0 0 ltac:(lia)) as [K R].
  destruct (pipelined bs 0 0) as [S q]. pose proof (run_range above_one R) as Q.
  apply run_sum in R. rewrite P in *. set (V := W * S + q) in *. set (B := value W bs) in *.
  assert (0 <= B) by (apply (value_positive W (W - 1)); [lia | exact D]).
  assert (0 < W * W) by (apply Z.mul_pos_pos; lia). set (h := W * W) in *.
  assert (0 < h * n) by (apply Z.mul_pos_pos; lia).
  pose proof (Z.mul_nonneg_nonneg A B). pose proof (Z.mul_nonneg_nonneg h (A * B)).
  assert (0 <= Mt) by (rewrite lazy_modulus; apply Z.mul_nonneg_nonneg; lia).
  pose proof (Z.mul_nonneg_nonneg Mt (h * n - 1)).
  split; [apply (Z.mul_le_mono_pos_l _ _ (h * n)) | apply (Z.mul_lt_mono_pos_l h)]; lia.
Qed.
(* Lazy operands, below 2 Mt, and n words with 4 Mt < W^n: the product is lazy again. *)
Theorem pipelined_lazy bs n : digits 0 (W - 1) bs -> power W bs = W * W * n -> 4 * Mt < n ->
  0 < Mt -> value W bs < 2 * Mt -> A < 2 * Mt -> 0 <= product bs < 2 * Mt.
Proof.
  intros D P N L HB HA. destruct (pipelined_range bs n D P ltac:(lia)) as [Low Up].
  split; [exact Low |]. set (B := value W bs) in *.
  assert (0 <= B) by (apply (value_positive W (W - 1)); [lia | exact D]).
  assert (B * A <= 2 * Mt * (2 * Mt)) by (apply Z.mul_le_mono_nonneg; lia).
  assert ((4 * Mt + 1) * Mt <= n * Mt) by (apply Z.mul_le_mono_nonneg_r; lia).
  apply (Z.mul_lt_mono_pos_r n); lia.
Qed.
(* In every step; so S has n + 1 words. *)
Theorem pipelined_register bs : digits 0 (W - 1) bs ->
  0 <= fst (pipelined bs 0 0) <= W * (A + scaled).
Proof.
  assert (0 <= Mt) by (rewrite lazy_modulus; apply Z.mul_nonneg_nonneg; lia).
  assert (0 < scaled) by (apply (Z.mul_lt_mono_pos_l (W * W)); [apply Z.mul_pos_pos |]; lia).
  assert (G : forall S q, 0 <= q < W -> digits 0 (W - 1) bs -> 0 <= S <= W * (A + scaled) ->
    0 <= fst (pipelined bs S q) <= W * (A + scaled)).
  { induction bs as [| b r IH]; intros S q Q D R; cbn [pipelined]; [exact R |].
    inversion D; subst. apply IH; [apply Z.mod_pos_bound; lia | assumption |].
    assert (0 <= S / W <= A + scaled)
      by (split; [apply Z.div_pos | apply Z.div_le_upper_bound]; lia).
    pose proof (Z.mul_nonneg_nonneg b A). pose proof (Z.mul_nonneg_nonneg (W - 1 - b) A).
    pose proof (Z.mul_nonneg_nonneg q scaled).
    pose proof (Z.mul_nonneg_nonneg (W - 1 - q) scaled). lia. }
  intro D. apply G; [lia | exact D |]. pose proof (Z.mul_nonneg_nonneg W (A + scaled)). lia.
Qed.
(* The reduction by 2^34 of the product of canonical operands; one subtraction is left. *)
Theorem reduced bs n q : digits 0 (W - 1) bs -> power W bs = W * W * n -> M < n ->
  value W bs < M -> A < M -> 0 <= q < W * W -> (W * W | product bs + q * M) ->
  0 <= (product bs + q * M) / (W * W) < 2 * M.
Proof.
  intros D P N HB HA Q [c E]. destruct (pipelined_range bs n D P ltac:(lia)) as [Low Up].
  assert (0 < W * W) by (apply Z.mul_pos_pos; lia). rewrite E, Z.div_mul by lia.
  assert (0 <= value W bs) by (apply (value_positive W (W - 1)); [lia | exact D]).
  assert (value W bs * A <= (M - 1) * n).
  { apply Z.le_trans with ((M - 1) * M);
      [apply Z.mul_le_mono_nonneg | apply Z.mul_le_mono_nonneg_l]; lia. }
  assert (product bs < M + Mt) by (apply (Z.mul_lt_mono_pos_r n); lia).
  set (h := W * W) in *. pose proof (Z.mul_nonneg_nonneg q M).
  pose proof (Z.mul_nonneg_nonneg (h - 1 - q) M).
  pose proof (Z.mul_nonneg_nonneg (h - 1 - inverse) M).
  split; [apply (Z.mul_le_mono_pos_l _ _ h) | apply (Z.mul_lt_mono_pos_l h)]; lia.
Qed.
End Dsp.
