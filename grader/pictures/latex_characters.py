"""Which characters LaTeX may have no letter for, and what it prints instead."""

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
"""Characters, each with the command for it in mathematics, of LaTeX or `amssymb`."""

_NAMED = _COMMANDS.split()

MATHEMATICS: Mapping[str, str] = MappingProxyType(
    {
        **{sign: f"\\{command}" for sign, command in zip(_NAMED[::2], _NAMED[1::2], strict=True)},
        **{sign: rf"\mathbb{{{letter}}}" for sign, letter in zip("ℂℕℙℚℝℤ", "CNPQRZ", strict=True)},
        **{sign: f"^{{{raised}}}" for sign, raised in zip("⁰⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0456789+-ni", strict=True)},
        **{sign: f"_{{{lowered}}}" for sign, lowered in zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True)},
        **{sign: f"^{{{primes}}}" for sign, primes in (("′", r"\prime"), ("″", r"\prime\prime"))},
    }
)
"""Characters, each with what it is in mathematics."""


class MissingCharacter(NamedTuple):
    """A character that LaTeX may have no letter for: its hexadecimal number, and what is printed instead.

    That is mathematics, or nothing for what takes no place; a box stands for any other, of which `instead`
    is None.
    """

    code: str
    sign: str
    instead: Markup | None

    @property
    def ideograph(self) -> bool:
        """Whether it is a letter of a script without blanks, before which a line may end."""
        return unicodedata.east_asian_width(self.sign) == "W" and self.sign.isalpha()


def missing_characters(words: str) -> set[MissingCharacter]:
    """The characters of the words that an engine may have no letter for.

    What stands for one is decided where the document is compiled, because a font may have it after all.
    """
    signs = {sign for sign in words if not sign.isascii() and sign not in _PRINTED}
    return {MissingCharacter(f"{ord(sign):04X}", sign, _instead(sign)) for sign in signs}


def _instead(sign: str) -> Markup | None:
    if sign in MATHEMATICS:
        return Markup(rf"\ensuremath{{{MATHEMATICS[sign]}}}")
    return None if skeleton(sign) else Markup()
