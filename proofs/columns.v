(* SPDX-License-Identifier: Apache-2.0 *)
(* The column method of riscv/src: mul.S and redc.S, by blocks of 64 bits, W = 2^64. *)
From Montcore Require Import loop.

Section Columns.
Variable W : Z.
Hypothesis word : 2 <= W.

(* Column k is the sum of all a_i b_(k - i). *)
Fixpoint plus (p q : list Z) : list Z :=
  match p, q with x :: r, y :: s => x + y :: plus r s | [], q => q | p, [] => p end.
Fixpoint columns (a c : list Z) : list Z :=
  match a with [] => [] | x :: r => plus (map (Z.mul x) c) (0 :: columns r c) end.
(* The words r[k] that leave, and last what is in the registers c0 .. c3 and k2 .. k4. *)
Fixpoint emit (sum : Z) (cols : list Z) : list Z :=
  match cols with [] => [sum] | c :: r => (sum + c) mod W :: emit ((sum + c) / W) r end.

Lemma value_plus p q : value W (plus p q) = value W p + value W q.
Proof.
  revert q. induction p as [| x p IH]; intros [| y q]; cbn [plus value]; try rewrite IH; ring.
Qed.
Lemma value_scaled x l : value W (map (Z.mul x) l) = x * value W l.
Proof. induction l as [| y l IH]; cbn [map value]; [ring | rewrite IH; ring]. Qed.
Lemma value_columns a c : value W (columns a c) = value W a * value W c.
Proof.
  induction a as [| x a IH]; [reflexivity |]. cbn [columns].
  rewrite value_plus, value_scaled. cbn [value]. rewrite IH. ring.
Qed.
Lemma value_emit cols sum : value W (emit sum cols) = sum + value W cols.
Proof.
  revert sum. induction cols as [| c r IH]; intro sum; cbn [emit value]; [ring |].
  rewrite IH. pose proof (Z.div_mod (sum + c) W ltac:(lia)). lia.
Qed.
Theorem column_product a c : value W (emit 0 (columns a c)) = value W a * value W c.
Proof. rewrite value_emit, value_columns. ring. Qed.

(* With n words no sum of a column reaches n W^2: five registers of 32 bits hold it if n <= 2^32. *)
Lemma plus_range p q hi hi' : 0 <= hi -> 0 <= hi' -> digits 0 hi p -> digits 0 hi' q ->
  digits 0 (hi + hi') (plus p q).
Proof.
  intros P P' D. revert q. induction D as [| x p X D IH]; intros q E.
  - eapply Forall_impl; [| exact E]. cbn. lia.
  - destruct E as [| y q Y E]; cbn [plus].
    + constructor; [lia |]. eapply Forall_impl; [| exact D]. cbn. lia.
    + constructor; [lia | apply IH, E].
Qed.
Theorem column_range a c : digits 0 (W - 1) a -> digits 0 (W - 1) c ->
  digits 0 (Z.of_nat (length a) * ((W - 1) * (W - 1))) (columns a c).
Proof.
  intros D E. assert (P : 0 <= (W - 1) * (W - 1)) by (apply Z.mul_nonneg_nonneg; lia).
  induction D as [| x a X D IH]; [constructor |]. cbn [columns length].
  rewrite Nat2Z.inj_succ, Z.mul_succ_l, Z.add_comm.
  assert (0 <= Z.of_nat (length a) * ((W - 1) * (W - 1))) by (apply Z.mul_nonneg_nonneg; lia).
  apply plus_range; [exact P | assumption | |].
  - apply Forall_map. eapply Forall_impl; [| exact E]. cbn. intros y Y.
    split; [apply Z.mul_nonneg_nonneg | apply Z.mul_le_mono_nonneg]; lia.
  - constructor; [split; [reflexivity | assumption] | exact IH].
Qed.
Theorem column_registers c s n : 0 <= n -> 0 <= c <= n * ((W - 1) * (W - 1)) ->
  0 <= s <= n * (W - 1) -> 0 <= s + c <= n * (W - 1) * W /\ 0 <= (s + c) / W <= n * (W - 1).
Proof.
  intros P C S. assert (0 <= s + c <= n * (W - 1) * W) by lia. split; [assumption |].
  split; [apply Z.div_pos | apply Z.div_le_upper_bound]; lia.
Qed.

(* The reduction: q[k] = column k times n0 makes the first words 0, the others are the result. *)
Theorem column_digit sum m0 n0 : (W | n0 * m0 + 1) -> (sum + sum * n0 mod W * m0) mod W = 0.
Proof.
  intros [c E]. apply Z.mod_divide; [lia |].
  exists (sum * c - sum * n0 / W * m0). pose proof (Z.div_mod (sum * n0) W ltac:(lia)) as F.
  replace (sum * n0 mod W) with (sum * n0 - W * (sum * n0 / W)) by lia.
  transitivity (sum * (n0 * m0 + 1) - W * (sum * n0 / W) * m0); [ring | rewrite E; ring].
Qed.
Theorem column_reduction w qs m zeros r : emit 0 (plus w (columns qs m)) = zeros ++ r ->
  value W zeros = 0 -> length zeros = length qs -> digits 0 (W - 1) qs ->
  0 <= value W w < value W m * power W qs ->
  (value W m | power W qs * value W r - value W w) /\ 0 <= value W r < 2 * value W m.
Proof.
  intros E Z0 L D R. assert (S : forall x y, value W (x ++ y) = value W x + power W x * value W y).
  { induction x as [| d x IH]; intro y; cbn [app value];
      [rewrite power_nil; ring | rewrite IH, power_cons; ring]. }
  pose proof (value_emit (plus w (columns qs m)) 0) as F.
  rewrite E, S, Z0, value_plus, value_columns in F. unfold power in F, R |- *. rewrite L in F.
  fold (power W qs) in *. assert (1 < W) by lia. pose proof (power_pos W qs ltac:(lia)).
  assert (0 <= value W qs <= power W qs - 1).
  { clear - D word. induction D as [| d q X D IH]; [rewrite power_nil; cbn [value]; lia |].
    rewrite power_cons. cbn [value].
    pose proof (Z.mul_le_mono_nonneg_l (value W q) (power W q - 1) W). lia. }
  assert (0 < value W m) by (apply (Z.mul_lt_mono_pos_r (power W qs)); lia). split.
  - exists (value W qs). lia.
  - pose proof (Z.mul_nonneg_nonneg (value W qs) (value W m)).
    pose proof (Z.mul_nonneg_nonneg (power W qs - 1 - value W qs) (value W m)).
    set (p := power W qs) in *.
    split; [apply (Z.mul_le_mono_pos_l _ _ p) | apply (Z.mul_lt_mono_pos_l p)]; lia.
Qed.
End Columns.
