(* SPDX-License-Identifier: Apache-2.0 *)
(* Blocks of cells that work a cycle behind each other add up to one row, for every number of
   blocks, every width of a block and every radix b; G is 2^w, w the width. *)
From Montcore Require Import loop.

Section Blocks.
Variables b G : Z.
Variable blocks : nat.
(* By cycle and block: the value of the block's registers, s_q + 2 c_q (+ 2 c2_q); the bits that it
   sends down, down_o or low_o, from its lowest cells; its registered carries, of weight G. By
   iteration and block: the multiples that the block adds. 
   Block j makes iteration i in cycle i + j. *)
Variables value down up : nat -> nat -> Z.
Variable multiple : nat -> nat -> Z.

(* Before the first iteration a product has nothing: first_i and late_mask_i hide what is there. *)
Definition held (f : nat -> nat -> Z) (i j : nat) : Z :=
  match i with O => 0 | _ => f (i + j)%nat j end.
Definition before (f : nat -> nat -> Z) (i j : nat) : Z :=
  match i with O => 0 | S i' => held f i' j end.
Definition carry (i j : nat) : Z := match j with O => 0 | S j' => up (i + j)%nat j' end.
Fixpoint total (f : nat -> Z) (n : nat) : Z :=
  match n with O => 0 | S j => total f j + G ^ Z.of_nat j * f j end.

Lemma total_linear p f q g r h n :
  total (fun j => p * f j + q * g j + r * h j) n = p * total f n + q * total g n + r * total h n.
Proof. induction n as [| n IH]; cbn [total]; [ring | rewrite IH; ring]. Qed.
Lemma total_same f g n : (forall j, (j < n)%nat -> f j = g j) -> total f n = total g n.
Proof.
  induction n as [| n IH]; intro H; cbn [total]; [reflexivity |].
  rewrite (H n), IH by auto with arith. reflexivity.
Qed.
Lemma total_shift f n :
  total (fun j => G * f (S j) - f j) n = G ^ Z.of_nat n * f n - f O.
Proof.
  induction n as [| n IH]; cbn [total]; [cbn [Z.of_nat Z.pow]; ring |].
  rewrite IH, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Hypothesis top_down : forall i, held down i blocks = 0.
Hypothesis top_up : forall i, carry i blocks = 0.

(* cs, op, rc, cs4, hr: a_exact of row_block_proof, rc_block_proof, cs4_block_proof and
   hr_block_proof, times b^2. The bits of the block above come an iteration late, as they are in
   the registers in cycle i + j, so b^2 below its lowest cell. *)
Definition late_step (i j : nat) : Prop :=
  b * b * value (S (i + j)) j + b * b * G * carry i (S j) =
  b * (held value i j - held down i j) + G * before down i (S j)
  + b * b * (multiple i j + carry i j).
(* b times the number in all blocks, with the bits on their way from each block to the one below. *)
Definition row (i : nat) : Z :=
  total (fun j => b * held value i j + G * before down i (S j)) blocks.

Theorem late_blocks i : (forall j, (j < blocks)%nat -> late_step i j) ->
  b * row (S i) = row i - b * held down i O + b * b * total (multiple i) blocks.
Proof.
  intro H. unfold row.
  transitivity (total (fun j => 1 * (b * held value i j + G * before down i (S j))
    + b * (G * held down i (S j) - held down i j)
    + b * b * (multiple i j + (carry i j - G * carry i (S j)))) blocks).
  - rewrite <- (Z.add_0_r (b * _)).
    transitivity (total (fun j => b * (b * held value (S i) j + G * before down (S i) (S j))
      + 0 * 0 + 0 * 0) blocks).
    + rewrite total_linear. ring.
    + apply total_same. intros j L. specialize (H j L). unfold late_step in H.
      cbn [before]. change (held value (S i) j) with (value (S (i + j)) j). lia.
  - rewrite total_linear, total_shift, top_down.
    assert (E : total (fun j => multiple i j + (carry i j - G * carry i (S j))) blocks
                = total (multiple i) blocks).
    { transitivity (total (fun j => 1 * multiple i j + (-1) * (G * carry i (S j) - carry i j)
        + 0 * 0) blocks); [apply total_same; intros; ring |].
      rewrite total_linear, total_shift, top_up. cbn [carry]. ring. }
    rewrite E. ring.
Qed.

(* mx, whose second cycle of an iteration still finds the bit of the block above (a_first and
   a_second of mx_block_proof together). *)
Theorem prompt_blocks (x x' low : nat -> Z) i : low blocks = 0 ->
  (forall j, (j < blocks)%nat -> b * x' j + b * G * carry i (S j) =
     x j - low j + G * low (S j) + b * (multiple i j + carry i j)) ->
  b * total x' blocks = total x blocks - low O + b * total (multiple i) blocks.
Proof.
  intros Z0 H.
  transitivity (total (fun j => 1 * x j + 1 * (G * low (S j) - low j)
    + b * (1 * multiple i j + (-1) * (G * carry i (S j) - carry i j) + 0 * 0)) blocks).
  - transitivity (total (fun j => b * x' j + 0 * 0 + 0 * 0) blocks).
    + rewrite total_linear. ring.
    + apply total_same. intros j L. specialize (H j L). lia.
  - rewrite !total_linear, !total_shift, Z0, top_up. cbn [carry]. ring.
Qed.
End Blocks.
