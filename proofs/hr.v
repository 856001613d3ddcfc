(* SPDX-License-Identifier: Apache-2.0 *)
(* hr: the row of radix b = 2^k with a scaled modulus and a digit that is used one iteration late.
   T is s_q + 2 c_q of all blocks, low_q of montcore_hr_lowest in place of the lowest columns, and
   the topmost block without its offset; the digit of T is q_o, that of the iteration before is
   before_o, a is the recoded a_i, B is b_q, N is n_q with n_sign_q. *)
From Montcore Require Import loop.

(* The number from -e to b - 1 - e that equals x modulo b. *)
Definition centred (b e x : Z) := (x + e) mod b - e.
Lemma centred_range b e x : 0 < b -> -e <= centred b e x <= b - 1 - e.
Proof. intro P. unfold centred. pose proof (Z.mod_pos_bound (x + e) b P). lia. Qed.
Lemma centred_exact b e x : 0 < b -> exists c, x = centred b e x + b * c.
Proof.
  intro P. exists ((x + e) / b). unfold centred. pose proof (Z.div_mod (x + e) b ltac:(lia)). lia.
Qed.

Section High.
Variables b e e2 M I B C : Z.
Hypothesis radix : 4 <= b.
Hypothesis twos : 3 * e = 2 * (b - 1).            (* 22..2 in base 4, for b = 4^j *)
Hypothesis twos2 : 3 * e2 = 2 * (b * b - 1).
Hypothesis modulus : 3 <= M.
Hypothesis inverse : exists j, I * M = 1 + b * b * j.
Hypothesis multiplicand : -C <= B <= C.

(* The last division: montcore_hr_quotient has the digits of star, montcore_hr_divide the words. *)
Definition star (V : Z) := centred (b * b) e2 (-V * I).
Definition divide (V : Z) := (V + star V * M) / (b * b).
Definition N := divide 1.
Definition digit (T : Z) := centred b e T.
Fixpoint high (l : list Z) (T before : Z) : Z * Z :=
  match l with
  | [] => (T, before)
  | a :: r => high r ((T - digit T) / b + before * N + a * B) (digit T)
  end.
Definition signed (l : list Z) := let (T, before) := high l 0 0 in divide (b * T + before).

Lemma above_one : 1 < b.
Proof. lia. Qed.
Lemma square : 16 <= b * b.
Proof. clear - radix. nia. Qed.
Lemma divide_exact V : b * b * divide V = V + star V * M.
Proof.
  unfold divide. assert (P : 0 < b * b) by (pose proof square; lia). destruct inverse as [j J].
  destruct (centred_exact (b * b) e2 (-V * I) P) as [c E]. fold (star V) in E.
  assert (F : V + star V * M = b * b * (-V * j - c * M)).
  { replace (star V) with (-V * I - b * b * c) by lia.
    transitivity (V - V * (I * M) - b * b * c * M); [ring |]. rewrite J. ring. }
  rewrite F at 1. rewrite (divided _ (b * b) (-V * j - c * M)) by (exact P || reflexivity).
  now rewrite F.
Qed.
Lemma star_range V : -2 * (b * b - 1) <= 3 * star V <= b * b - 1.
Proof.
  pose proof (centred_range (b * b) e2 (-V * I) ltac:(pose proof square; lia)). unfold star. lia.
Qed.
Lemma digit_range T : -2 * (b - 1) <= 3 * digit T <= b - 1.
Proof. pose proof (centred_range b e T ltac:(lia)). unfold digit. lia. Qed.
Theorem high_scaled : (M | b * b * N - 1) /\ -2 * M <= 3 * N <= M.
Proof.
  pose proof (divide_exact 1) as E. pose proof (star_range 1). fold N in E. split.
  - rewrite E. exists (star 1). ring.
  - pose proof square. pose proof (Z.mul_nonneg_nonneg (3 * star 1 + 2 * (b * b - 1)) M).
    pose proof (Z.mul_nonneg_nonneg (b * b - 1 - 3 * star 1) M).
    split; apply (Z.mul_le_mono_pos_l _ _ (b * b)); lia.
Qed.
Lemma step_exact T before a :
  b * ((T - digit T) / b + before * N + a * B) = T - digit T + b * before * N + b * a * B.
Proof.
  destruct (centred_exact b e T ltac:(lia)) as [c E]. fold (digit T) in E.
  rewrite (divided (T - digit T) b c) by lia. lia.
Qed.

(* b T + before is what the loop of loop.v divides. *)
Lemma high_run l T before : -2 * (b - 1) <= 3 * before <= b - 1 -> exists K,
  run b M B (b * b) 9 (-2 * (b * b - 1) * M) (4 * (b * b - 1) * M) l K (b * T + before)
    (let (T', before') := high l T before in b * T' + before').
Proof.
  revert T before. induction l as [| a l IH]; intros T before D; [exists 0; constructor |].
  pose proof (step_exact T before a) as E. cbn [high].
  destruct (IH ((T - digit T) / b + before * N + a * B) (digit T) (digit_range T)) as [K R].
  pose proof (divide_exact 1) as F. fold N in F. pose proof (star_range 1) as G.
  exists (before * star 1 * M + b * K). eapply more; [apply Z.divide_factor_r | | | exact R].
  - assert (H : -2 * ((b - 1) * (b * b - 1)) <= 9 * (before * star 1)
                <= 4 * ((b - 1) * (b * b - 1))).
    { pose proof square. assert (0 <= b * b - 1) by lia.
      set (q := star 1) in *. set (h := b * b - 1) in *. set (g := b - 1) in *.
      assert (0 <= g) by (unfold g; lia).
      pose proof (Z.mul_nonneg_nonneg (g - 3 * before) (h - 3 * q)).
      pose proof (Z.mul_nonneg_nonneg (3 * before + 2 * g) (3 * q + 2 * h)).
      pose proof (Z.mul_nonneg_nonneg (g - 3 * before) (3 * q + 2 * h)).
      pose proof (Z.mul_nonneg_nonneg (3 * before + 2 * g) (h - 3 * q)).
      pose proof (Z.mul_nonneg_nonneg g h). lia. }
    destruct H as [L U].
    apply (Z.mul_le_mono_nonneg_r _ _ M) in L, U; lia.
  - transitivity (b * (b * ((T - digit T) / b + before * N + a * B)) + b * digit T); [ring |].
    rewrite E. transitivity (b * T + before * (b * b * N) + b * b * a * B); [ring |].
    rewrite F. ring.
Qed.

Theorem high_congruent l : rel_prime b M -> (M | power b l * signed l - value b l * B).
Proof.
  intro P. unfold signed. destruct (high_run l 0 0 ltac:(lia)) as [K R].
  destruct (high l 0 0) as [T q]. pose proof (run_sum R) as S. apply run_multiple in R.
  destruct R as [k ->]. pose proof (divide_exact (b * T + q)) as E.
  set (D := divide (b * T + q)) in *. set (p := power b l) in *.
  assert (F : b * b * (p * D - value b l * B) = (k + p * star (b * T + q)) * M).
  { transitivity (p * (b * b * D) - b * b * B * value b l); [ring |]. rewrite E. lia. }
  apply Gauss with (b * b); [exists (k + p * star (b * T + q)); exact F |].
  apply rel_prime_mult; apply rel_prime_sym, P.
Qed.

Theorem high_range l :
  -8 * (M * power b l) < 9 * (power b l * signed l - value b l * B) < 7 * (M * power b l).
Proof.
  unfold signed. destruct (high_run l 0 0 ltac:(lia)) as [K R].
  destruct (high l 0 0) as [T q]. pose proof (run_range above_one R) as Q. apply run_sum in R.
  pose proof (divide_exact (b * T + q)) as E. pose proof (star_range (b * T + q)) as G.
  set (D := divide (b * T + q)) in *. set (p := power b l) in *.
  assert (0 < p) by (apply power_pos; lia). pose proof square.
  assert (F : b * b * (p * D - value b l * B) = K + p * star (b * T + q) * M).
  { transitivity (p * (b * b * D) - b * b * B * value b l); [ring |]. rewrite E. lia. }
  set (x := p * D - value b l * B) in *. set (h := b * b) in *.
  pose proof (Z.mul_le_mono_nonneg_r 1 p M ltac:(lia) ltac:(lia)).
  assert (0 < h * M) by (apply Z.mul_pos_pos; lia).
  assert (p * M * (-2 * (h - 1)) <= p * M * (3 * star (b * T + q)) <= p * M * (h - 1))
    by (split; apply Z.mul_le_mono_nonneg_l; lia).
  split; apply (Z.mul_lt_mono_pos_l h); lia.
Qed.

(* Operands between -M and M, and R = b^n at least 16 times the range of the words. *)
Theorem high_signed l : Z.abs (value b l) < M -> Z.abs B < M -> 16 * M <= power b l ->
  -M < signed l < M.
Proof.
  intros HA HB HP. pose proof (high_range l) as H. set (p := power b l) in *.
  set (A := value b l) in *.
  assert (AB : -(M * M) < A * B < M * M).
  { apply Z.abs_lt. rewrite Z.abs_mul. apply Z.mul_lt_mono_nonneg; lia. }
  pose proof (Z.mul_le_mono_nonneg_l (16 * M) p M ltac:(lia) HP).
  split; apply (Z.mul_lt_mono_pos_l p); lia.
Qed.
(* Lazy operands, below 49/24 M, of the exponentiator: S + M is one again. *)
Theorem high_lazy l : 0 <= value b l -> 0 <= B -> 24 * value b l < 49 * M -> 24 * B < 49 * M ->
  16 * M <= power b l -> M < 9 * (signed l + M) /\ 24 * (signed l + M) < 49 * M.
Proof.
  intros A0 B0 HA HB HP. pose proof (high_range l) as H. set (p := power b l) in *.
  set (A := value b l) in *. assert (0 <= A * B) by (apply Z.mul_nonneg_nonneg; lia).
  assert (576 * (A * B) < 2401 * (M * M)).
  { assert ((24 * A) * (24 * B) < (49 * M) * (49 * M)) by (apply Z.mul_lt_mono_nonneg; lia). lia. }
  pose proof (Z.mul_le_mono_nonneg_l (16 * M) p M ltac:(lia) HP).
  split; apply (Z.mul_lt_mono_pos_l p); lia.
Qed.
(* In every iteration. With B below M, |T| is below 1.5 b M; the topmost block holds T + 2 b 2^(w n)
   in k + 2 bits above the words. *)
Theorem high_register l : Forall (fun a => -(b - 1) <= 3 * a <= 2 * (b - 1)) l ->
  -(b * (4 * M + 6 * C) + 8) <= 9 * fst (high l 0 0) <= b * (4 * M + 6 * C) + 8.
Proof.
  intro D. pose proof (proj2 high_scaled) as HN.
  assert (G : forall T before, -2 * (b - 1) <= 3 * before <= b - 1 ->
    -(b * (4 * M + 6 * C) + 8) <= 9 * T <= b * (4 * M + 6 * C) + 8 ->
    -(b * (4 * M + 6 * C) + 8) <= 9 * fst (high l T before) <= b * (4 * M + 6 * C) + 8).
  { induction D as [| a r Da _ IH]; intros T before Db HT; cbn [high]; [exact HT |].
    apply IH; [apply digit_range |]. pose proof (step_exact T before a) as E.
    pose proof (digit_range T) as Q. set (T' := (T - digit T) / b + before * N + a * B) in *.
    assert (X : -(4 * ((b - 1) * M)) <= 9 * (before * N) <= 4 * ((b - 1) * M)).
    { pose proof (Z.mul_nonneg_nonneg (b - 1 - 3 * before) (M - 3 * N)).
      pose proof (Z.mul_nonneg_nonneg (3 * before + 2 * (b - 1)) (3 * N + 2 * M)).
      pose proof (Z.mul_nonneg_nonneg (b - 1 - 3 * before) (3 * N + 2 * M)).
      pose proof (Z.mul_nonneg_nonneg (3 * before + 2 * (b - 1)) (M - 3 * N)).
      pose proof (Z.mul_nonneg_nonneg (b - 1) M). lia. }
    assert (Y : -(2 * ((b - 1) * C)) <= 3 * (a * B) <= 2 * ((b - 1) * C)).
    { pose proof (Z.mul_nonneg_nonneg (2 * (b - 1) - 3 * a) (C - B)).
      pose proof (Z.mul_nonneg_nonneg (2 * (b - 1) - 3 * a) (C + B)).
      pose proof (Z.mul_nonneg_nonneg (3 * a + 2 * (b - 1)) (C - B)).
      pose proof (Z.mul_nonneg_nonneg (3 * a + 2 * (b - 1)) (C + B)). lia. }
    assert (W : 9 * (b * T') = 9 * T - 9 * digit T + b * (9 * (before * N) + 9 * (a * B)))
      by (rewrite E; ring).
    destruct X as [X1 X2], Y as [Y1 Y2].
    apply (Z.mul_le_mono_nonneg_l _ _ b) in X1, X2, Y1, Y2; try lia.
    split; apply (Z.mul_le_mono_pos_l _ _ b); lia. }
  apply G; [lia |]. pose proof (Z.mul_nonneg_nonneg b (4 * M + 6 * C)). lia.
Qed.
End High.
