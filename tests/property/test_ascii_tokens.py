"""The pattern for texts in ASCII finds in them the tokens that the pattern for all texts finds."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.n3.lexer import token_pattern
from tests.support.depth import depth

PARTS = st.sampled_from(
    [*":.?_-@^=><;,()[]{}!'\"\\%#/ \n", "a", "Z9", "_:b", "=>", '"""', "\\u00e9", "1e5", "%4A", "<h:/>"]
)

PATTERNS = (token_pattern(in_ascii=True), token_pattern(in_ascii=False))


@settings(max_examples=depth(300, 20_000))
@given(st.lists(PARTS | st.characters(max_codepoint=127), max_size=12))
def test_both_patterns_find_the_same_tokens_in_ascii(parts: list[str]) -> None:
    text = "".join(parts)
    found = [[(each.span(), each.lastgroup) for each in pattern.finditer(text)] for pattern in PATTERNS]

    assert found[0] == found[1]
