(* SPDX-License-Identifier: Apache-2.0 *)
(* smm: both schedules by words of X, W = 2^w, and the words in which the array holds T. *)
From Montcore Require Import loop.

Section Smm.
Variables W M Y n0 scaled : Z.
Hypothesis word : 2 <= W.
Hypothesis multiplicand : 0 <= Y < M.
Hypothesis inverse : n0 * M + 1 = W * scaled.     (* n0' and M', made at set-up *)
Hypothesis n0_word : 0 <= n0 < W.

Lemma above_one : 1 < W. Proof. lia. Qed.
Lemma scaled_range : 0 < scaled <= M.
Proof.
  pose proof (Z.mul_nonneg_nonneg n0 M). pose proof (Z.mul_nonneg_nonneg (W - 1 - n0) M).
  split; apply (Z.mul_le_mono_pos_l _ _ W) || apply (Z.mul_lt_mono_pos_l W); lia.
Qed.
(* The true digit makes the lowest word 0. *)
Lemma digit_exact V : exists c, V + V mod W * n0 mod W * M = W * c.
Proof.
  pose proof (Z.div_mod V W ltac:(lia)) as E.
  pose proof (Z.div_mod (V mod W * n0) W ltac:(lia)) as F.
  exists (V / W + V mod W * scaled - V mod W * n0 / W * M).
  transitivity (W * (V / W) + V mod W * (n0 * M + 1) - W * (V mod W * n0 / W) * M).
  - rewrite E at 1.
    replace (V mod W * n0 mod W) with (V mod W * n0 - W * (V mod W * n0 / W)) by lia.
    ring.
  - rewrite inverse. ring.
Qed.

(* The fast schedule: T is the words tail_q and the queue of montcore_smm_fast_array with the top
   word; x is the word of X, T mod W the digit of word 0. One step is the passes A(n) and B(n-1). *)
Fixpoint fast (xs : list Z) (T : Z) : Z :=
  match xs with [] => T | x :: r => fast r (T / W + x * Y + T mod W * scaled) end.
Definition last (T : Z) := (T + T mod W * n0 mod W * M) / W.
Definition fast_result x xs := last (fast xs (x * Y)).

Lemma fast_run xs T : exists K, run W M Y W 0 0 0 xs K T (fast xs T).
Proof.
  revert T. induction xs as [| x xs IH]; intro T; [exists 0; constructor |].
  destruct (IH (T / W + x * Y + T mod W * scaled)) as [K R]. exists (T mod W * n0 * M + W * K).
  cbn [fast]. pose proof (Z.div_mod T W ltac:(lia)) as E.
  eapply more; [apply Z.divide_factor_r | lia | | exact R].
  transitivity (W * (T / W) + W * x * Y + T mod W * (W * scaled)); [ring |].
  rewrite <- inverse. lia.
Qed.
Lemma last_exact T : W * last T = T + T mod W * n0 mod W * M.
Proof.
  unfold last. destruct (digit_exact T) as [c ->]. now rewrite (divided (W * c) W c) by lia.
Qed.

Theorem fast_congruent x xs : (M | power W (x :: xs) * fast_result x xs - value W (x :: xs) * Y).
Proof.
  unfold fast_result. destruct (fast_run xs (x * Y)) as [K R]. pose proof (run_sum R) as S.
  apply run_multiple in R. destruct R as [k ->]. rewrite power_cons. cbn [value].
  pose proof (last_exact (fast xs (x * Y))) as L. set (T := fast xs (x * Y)) in *.
  exists (k + power W xs * (T mod W * n0 mod W)).
  transitivity (power W xs * (W * last T) - (x + W * value W xs) * Y); [ring |]. rewrite L. lia.
Qed.
(* After every step; so T has one bit more than m + 1 words. *)
Theorem fast_register x xs : digits 0 (W - 1) (x :: xs) -> 0 <= fast xs (x * Y) < 2 * W * M.
Proof.
  assert (G : forall T, digits 0 (W - 1) xs -> 0 <= T < 2 * W * M -> 0 <= fast xs T < 2 * W * M).
  { induction xs as [| a r IH]; intros T D R; cbn [fast]; [exact R |].
    inversion D; subst. apply IH; [assumption |]. pose proof scaled_range.
    pose proof (Z.div_mod T W ltac:(lia)). pose proof (Z.mod_pos_bound T W ltac:(lia)).
    assert (0 <= T / W < 2 * M) by (split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia).
    pose proof (Z.mul_le_mono_nonneg a (W - 1) Y M).
    pose proof (Z.mul_le_mono_nonneg (T mod W) (W - 1) scaled M).
    pose proof (Z.mul_nonneg_nonneg a Y). pose proof (Z.mul_nonneg_nonneg (T mod W) scaled). lia. }
  intro D. inversion D; subst. apply G; [assumption |].
  pose proof (Z.mul_le_mono_nonneg x (W - 1) Y M). pose proof (Z.mul_nonneg_nonneg x Y).
  pose proof (Z.mul_pos_pos W M). lia.
Qed.
Lemma last_range T H : 0 <= T < W * H -> 0 <= last T < H + M.
Proof.
  intro R. pose proof (last_exact T). pose proof (Z.mod_pos_bound (T mod W * n0) W ltac:(lia)).
  set (q := T mod W * n0 mod W) in *. pose proof (Z.mul_nonneg_nonneg q M).
  pose proof (Z.mul_nonneg_nonneg (W - 1 - q) M).
  split; [apply (Z.mul_le_mono_pos_l _ _ W) | apply (Z.mul_lt_mono_pos_l W)]; lia.
Qed.
Theorem fast_range x xs : digits 0 (W - 1) (x :: xs) -> 0 <= fast_result x xs < 3 * M.
Proof.
  intro D. apply fast_register in D. replace (3 * M) with (2 * M + M) by ring.
  apply last_range. lia.
Qed.

(* The paper's schedule: S is the words of S with their carries in montcore_smm_paper_array or
   montcore_smm_drawn_array, q the word PL_Q. *)
Fixpoint paper (xs : list Z) (S : Z) : Z :=
  match xs with [] => S | x :: r => paper r (last (S + x * Y)) end.
Lemma paper_run xs S : exists K, run W M Y 1 0 0 0 xs K S (paper xs S).
Proof.
  revert S. induction xs as [| x xs IH]; intro S; [exists 0; constructor |].
  destruct (IH (last (S + x * Y))) as [K R].
  exists ((S + x * Y) mod W * n0 mod W * M + W * K). cbn [paper].
  eapply more; [apply Z.divide_factor_r | lia | | exact R]. rewrite last_exact. ring.
Qed.
Theorem paper_congruent xs : (M | power W xs * paper xs 0 - value W xs * Y).
Proof.
  destruct (paper_run xs 0) as [K R]. pose proof (run_sum R) as S. apply run_multiple in R.
  rewrite S. replace (_ - _) with K by ring. exact R.
Qed.
Theorem paper_range xs : digits 0 (W - 1) xs -> 0 <= paper xs 0 < Y + M.
Proof.
  assert (G : forall S, digits 0 (W - 1) xs -> 0 <= S < Y + M -> 0 <= paper xs S < Y + M).
  { induction xs as [| x r IH]; intros S D R; cbn [paper]; [exact R |].
    inversion D; subst. apply IH; [assumption |].
    pose proof (last_exact (S + x * Y)) as E.
    pose proof (Z.mod_pos_bound ((S + x * Y) mod W * n0) W ltac:(lia)).
    set (q := (S + x * Y) mod W * n0 mod W) in *. pose proof (Z.mul_nonneg_nonneg q M).
    pose proof (Z.mul_nonneg_nonneg (W - 1 - q) M). pose proof (Z.mul_nonneg_nonneg x Y).
    pose proof (Z.mul_nonneg_nonneg (W - 1 - x) Y).
    split; [apply (Z.mul_le_mono_pos_l _ _ W) | apply (Z.mul_lt_mono_pos_l W)]; lia. }
  intro D. apply G; [exact D | lia].
Qed.

(* The words of the fast array: a word v of T keeps its carry v / W, at most 4, until the next
   shift. In a pass a word takes the low word of its own product and the high word of its
   neighbour's, p together (a_exact of smm_fast_pe_proof; v is sum_o). *)
Theorem fast_words v p1 p2 p3 low : 0 <= v <= 5 * W - 3 -> 0 <= low < W -> 4 <= W ->
  0 <= p1 <= 2 * W - 3 -> 0 <= p2 <= 2 * W - 3 -> 0 <= p3 <= 2 * W - 3 ->
  let shifted := low + v / W + p1 in
  v / W <= 4 /\ shifted <= 3 * W /\ shifted + p2 <= 5 * W - 3 /\ shifted + p2 + p3 < 8 * W.
Proof.
  intros R L F P1 P2 P3. cbn zeta.
  assert (v / W < 5) by (apply Z.div_lt_upper_bound; lia). lia.
Qed.
(* A pass that shifts, over any number of words, the top one last: it does floor(T / W) + x Y. *)
Fixpoint shift_pass (x : Z) (vs ys : list Z) (high : Z) : list Z :=
  match vs, ys with
  | v :: (v' :: _) as r, y :: ys' =>
      v' mod W + v / W + x * y mod W + high :: shift_pass x r ys' (x * y / W)
  | [v], _ => [v / W + high]
  | _, _ => []
  end.
Theorem fast_shift x vs ys : length vs = S (length ys) ->
  value W (shift_pass x vs ys 0) = value W vs / W + x * value W ys
  /\ value W vs mod W = hd 0 vs mod W.
Proof.
  assert (G : forall vs ys high, length vs = S (length ys) ->
    W * value W (shift_pass x vs ys high) + hd 0 vs mod W
    = value W vs + W * (x * value W ys + high)).
  { clear - word. induction vs as [| v r IH]; intros ys high L; [discriminate |].
    destruct r as [| v' r].
    - destruct ys; [| discriminate]. cbn [shift_pass value hd].
      pose proof (Z.div_mod v W ltac:(lia)). lia.
    - destruct ys as [| y ys]; [discriminate |].
      change (shift_pass x (v :: v' :: r) (y :: ys) high)
        with (v' mod W + v / W + x * y mod W + high :: shift_pass x (v' :: r) ys (x * y / W)).
      specialize (IH ys (x * y / W) ltac:(cbn in *; lia)).
      set (s := shift_pass x (v' :: r) ys (x * y / W)) in *.
      cbn [value hd] in *. pose proof (Z.div_mod v W ltac:(lia)).
      pose proof (Z.div_mod (x * y) W ltac:(lia)).
      apply (f_equal (Z.mul W)) in IH. lia. }
  intro L. specialize (G vs ys 0 L). pose proof (Z.mod_pos_bound (hd 0 vs) W ltac:(lia)).
  set (q := value W (shift_pass x vs ys 0) - x * value W ys).
  assert (E : value W vs = W * q + hd 0 vs mod W) by (unfold q; lia).
  rewrite <- (Z.div_unique (value W vs) W q (hd 0 vs mod W)) by lia.
  rewrite <- (Z.mod_unique (value W vs) W q (hd 0 vs mod W)) by lia. unfold q. lia.
Qed.
End Smm.
