(* SPDX-License-Identifier: Apache-2.0 *)
(* karatsuba: both schedules, from the products of parts. Numbers have two halves of h bits,
   W = 2^h; the fast schedule is that of smm with two words, the paper's that of smm with one. *)
From Montcore Require Import loop smm.

(* montcore_karatsuba_total: a product of whole numbers from three of halves. *)
Theorem three_products W x0 x1 y0 y1 :
  (x0 + W * x1) * (y0 + W * y1) =
  x0 * y0 + W * (x0 * y0 + x1 * y1 - (x1 - x0) * (y1 - y0)) + W * W * (x1 * y1).
Proof. ring. Qed.
(* montcore_karatsuba_pass: ten products of quarters, summed as U, V and W. *)
Theorem ten_products b a0 a1 a2 a3 b0 b1 b2 b3 :
  let n i j k l := (i - j) * (l - k) in
  let u := a0 * b0 + a1 * b1 * b + a2 * b2 * b ^ 2 + a3 * b3 * b ^ 3 in
  let v := u + u * b in
  let w := v + v * b ^ 2 in
  value b [a0; a1; a2; a3] * value b [b0; b1; b2; b3] =
  w + n a1 a0 b1 b0 * b + n a2 a0 b2 b0 * b ^ 2
  + (n a3 a0 b3 b0 + n a2 a1 b2 b1) * b ^ 3 + n a3 a1 b3 b1 * b ^ 4 + n a3 a2 b3 b2 * b ^ 5.
Proof. cbv zeta. cbn [value]. ring. Qed.

Section Karatsuba.
Variables W m x y n0 scaled : Z.
Hypothesis word : 2 <= W.
Hypothesis modulus : 0 < m < W * W.
Hypothesis operands : 0 <= x < m /\ 0 <= y < m.
Hypothesis n0_word : 0 <= n0.

(* T, T', q and S of montcore_karatsuba_fast; n0 and scaled are n0' and M'. *)
Definition divided_once (T : Z) := T mod W * scaled + T / W.
Definition fast_s := last W m n0 (divided_once (x * y)).
Theorem karatsuba_fast : n0 < W -> n0 * m + 1 = W * scaled ->
  (m | W * W * fast_s - x * y) /\ 0 <= divided_once (x * y) < 2 * W * m /\ 0 <= fast_s < 3 * m.
Proof.
  intros H E. assert (Y : 0 <= 0 < m) by lia. unfold fast_s, divided_once.
  pose proof (scaled_range W m 0 n0 scaled word Y E (conj n0_word H)) as HS.
  assert (P : 0 <= x * y) by (apply Z.mul_nonneg_nonneg; lia).
  assert (L : x * y <= m * (W * W)) by (apply Z.mul_le_mono_nonneg; lia).
  pose proof (Z.div_mod (x * y) W ltac:(lia)) as D.
  pose proof (Z.mod_pos_bound (x * y) W ltac:(lia)).
  assert (0 <= x * y / W <= W * m)
    by (split; [apply Z.div_pos | apply Z.div_le_upper_bound]; lia).
  pose proof (Z.mul_nonneg_nonneg (x * y mod W) scaled).
  pose proof (Z.mul_nonneg_nonneg (W - 1 - x * y mod W) scaled).
  pose proof (Z.mul_nonneg_nonneg (W - 1) (m - scaled)).
  assert (R : 0 <= x * y mod W * scaled + x * y / W < W * (2 * m)) by lia.
  set (T := x * y mod W * scaled + x * y / W) in *. repeat split; try lia.
  - pose proof (last_exact W m n0 scaled word E T) as F.
    exists (x * y mod W * n0 + W * (T mod W * n0 mod W)).
    transitivity (W * (W * last W m n0 T) - x * y); [ring |]. rewrite F. unfold T at 1.
    transitivity (x * y mod W * (W * scaled) + W * (x * y / W) - x * y
                  + W * (T mod W * n0 mod W) * m); [ring |]. rewrite <- E. lia.
  - now apply (last_range W m 0 n0 scaled word Y E T (2 * m)).
  - apply (last_range W m 0 n0 scaled word Y E T (2 * m)) in R. lia.
Qed.
(* D, E and the result of montcore_karatsuba_paper and _staged; R = W^2, M1 is n0 of both words. *)
Theorem karatsuba_paper c : n0 < W * W -> n0 * m + 1 = W * W * c ->
  (m | W * W * last (W * W) m n0 (x * y) - x * y) /\ 0 <= last (W * W) m n0 (x * y) < 2 * m.
Proof.
  intros H E. assert (V : 2 <= W * W) by (clear - word; nia). assert (Y : 0 <= 0 < m) by lia.
  assert (P : 0 <= x * y) by (apply Z.mul_nonneg_nonneg; lia).
  assert (L : x * y < m * (W * W)) by (apply Z.mul_lt_mono_nonneg; lia). split.
  - rewrite (last_exact (W * W) m n0 c V E).
    exists ((x * y) mod (W * W) * n0 mod (W * W)). ring.
  - replace (2 * m) with (m + m) by ring.
    apply (last_range (W * W) m 0 n0 c V Y E). lia.
Qed.
End Karatsuba.
