"""Characters that the fonts of LaTeX may lack, and their replacements."""

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from grader.base.safe_text import skeleton

_PRINTED = frozenset(map(chr, range(0xA0, 0x180))) - {*"ĦħĸĿŀŉŦŧſ"} | {*"‘’‚“”„–—‹›‰"}
"""The characters beyond ASCII that every engine prints: those of the encoding T1."""

_COMMANDS = """
α alpha  β beta  γ gamma  δ delta  ε varepsilon  ϵ epsilon  ζ zeta  η eta  θ theta  ϑ vartheta  ι iota
κ kappa  λ lambda  μ mu  ν nu  ξ xi  π pi  ρ rho  σ sigma  ς varsigma  τ tau  υ upsilon  φ varphi  ϕ phi
χ chi  ψ psi  ω omega  Γ Gamma  Δ Delta  Θ Theta  Λ Lambda  Ξ Xi  Π Pi  Σ Sigma  Υ Upsilon  Φ Phi  Ψ Psi
Ω Omega  ℓ ell
√ surd  ∑ sum  ∏ prod  ∫ int  ∂ partial  ∇ nabla  ∓ mp  ∗ ast  ⋅ cdot  ∘ circ  ⊕ oplus  ⊗ otimes  ⋆ star
≠ neq  ≈ approx  ≡ equiv  ≅ cong  ∼ sim  ∝ propto  ≪ ll  ≫ gg  ≺ prec  ≻ succ  ≼ preceq  ≽ succeq
∈ in  ∉ notin  ∋ ni  ∅ varnothing  ∩ cap  ∪ cup  ∖ setminus  ⊂ subset  ⊃ supset  ⊆ subseteq  ⊇ supseteq
∀ forall  ∃ exists  ∄ nexists  ∧ wedge  ∨ vee  ⊤ top  ⊥ bot  ⊢ vdash  ⊨ models  ∥ parallel  ∣ mid
⌈ lceil  ⌉ rceil  ⌊ lfloor  ⌋ rfloor  ⟨ langle  ⟩ rangle  ⋯ cdots  ∴ therefore  ∵ because
← leftarrow  ↑ uparrow  → rightarrow  ↓ downarrow  ↔ leftrightarrow  ↕ updownarrow  ↦ mapsto
⇐ Leftarrow  ⇑ Uparrow  ⇒ Rightarrow  ⇓ Downarrow  ⇔ Leftrightarrow
↖ nwarrow  ↗ nearrow  ↘ searrow  ↙ swarrow
△ triangle  ▽ triangledown  ▲ blacktriangle  ▼ blacktriangledown  □ square  ■ blacksquare  ○ bigcirc
● bullet  • bullet  ◇ lozenge  ◆ blacklozenge  ★ bigstar  ✓ checkmark  ✔ checkmark  ✗ times  ✘ times
♠ spadesuit  ♡ heartsuit  ♢ diamondsuit  ♣ clubsuit
"""
"""Characters, each followed by its command in the mathematics of LaTeX or `amssymb`."""

_COMMAND_PAIRS = _COMMANDS.split()

MATHEMATICS: Mapping[str, str] = MappingProxyType(
    {
        **{
            sign: f"\\{command}"
            for sign, command in zip(_COMMAND_PAIRS[::2], _COMMAND_PAIRS[1::2], strict=True)
        },
        **{sign: rf"\mathbb{{{letter}}}" for sign, letter in zip("ℂℕℙℚℝℤ", "CNPQRZ", strict=True)},
        **{sign: f"^{{{raised}}}" for sign, raised in zip("⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0456789+-ni", strict=True)},
        **{sign: f"_{{{lowered}}}" for sign, lowered in zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True)},
        **{sign: f"^{{{primes}}}" for sign, primes in (("′", r"\prime"), ("″", r"\prime\prime"))},
    }
)
"""Character -> LaTeX source in mathematics."""


class MissingCharacter(NamedTuple):
    """A character that LaTeX may lack, its hexadecimal number, and its replacement.

    `instead` is mathematics, empty for an invisible character, or None for a box.
    """

    code: str
    sign: str
    instead: Markup | None

    @property
    def ideograph(self) -> bool:
        """Return whether it is a letter of a script without blanks, before which a line may end."""
        return unicodedata.east_asian_width(self.sign) == "W" and self.sign.isalpha()


def missing_characters(words: str) -> set[MissingCharacter]:
    """Return the characters of the words that an engine may lack.

    LaTeX decides for each whether to replace it, because a font may have it after all.
    """
    signs = {sign for sign in words if not sign.isascii() and sign not in _PRINTED}
    return {MissingCharacter(f"{ord(sign):04X}", sign, _instead(sign)) for sign in signs}


def _instead(sign: str) -> Markup | None:
    """Return how LaTeX prints a character that its font lacks.

    As a sign of mathematics, or not at all if it is invisible; None for all others.
    """
    if sign in MATHEMATICS:
        return Markup(rf"\ensuremath{{{MATHEMATICS[sign]}}}")
    return None if skeleton(sign) else Markup()
