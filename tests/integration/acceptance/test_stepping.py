"""Steps over real sockets: one snapshot in, all writes together out."""

from pathlib import Path

from tests.support.recorded import Bench, bench

TURING = """
{ [] http:mthd m:GET ; http:requestURI <BASE/tape/> }
{ [] http:mthd m:GET ; http:requestURI <BASE/table> }
{ <BASE/tape/> ldp:contains ?c } => { [] http:mthd m:GET ; http:requestURI ?c } .

{ ?tm ex:inState ?q ; ex:at ?cell . ?cell ex:holds ?s ; ex:right ?next .
  ?row ex:whenIn ?q ; ex:whenReading ?s ; ex:goTo ?r . } =>
{ [] http:mthd m:PUT ; http:requestURI ?tm ; http:body { ?tm ex:inState ?r ; ex:at ?next } } .

{ ?tm ex:inState ?q ; ex:at ?cell . ?cell ex:holds ?s ; ex:right ?next .
  ?row ex:whenIn ?q ; ex:whenReading ?s ; ex:write ?w . } =>
{ [] http:mthd m:PUT ; http:requestURI ?cell ; http:body { ?cell ex:holds ?w ; ex:right ?next } } .
"""

TABLE = """
<#1> ex:whenIn ex:q0 ; ex:whenReading "0" ; ex:write "0" ; ex:goTo ex:q0 .
<#2> ex:whenIn ex:q0 ; ex:whenReading "1" ; ex:write "1" ; ex:goTo ex:q1 .
<#3> ex:whenIn ex:q1 ; ex:whenReading "0" ; ex:write "0" ; ex:goTo ex:q2 .
<#4> ex:whenIn ex:q1 ; ex:whenReading "1" ; ex:write "1" ; ex:goTo ex:q0 .
<#5> ex:whenIn ex:q2 ; ex:whenReading "0" ; ex:write "0" ; ex:goTo ex:q1 .
<#6> ex:whenIn ex:q2 ; ex:whenReading "1" ; ex:write "1" ; ex:goTo ex:q2 .
<#7> ex:whenIn ex:q0 ; ex:whenReading "#" ; ex:write "#" ; ex:goTo ex:Accept .
<#8> ex:whenIn ex:q1 ; ex:whenReading "#" ; ex:write "#" ; ex:goTo ex:RemainderOf1 .
<#9> ex:whenIn ex:q2 ; ex:whenReading "#" ; ex:write "#" ; ex:goTo ex:RemainderOf2 .
"""


async def _lay_tape(b: Bench, symbols: str) -> None:
    for number, symbol in enumerate(symbols, start=1):
        await b.server.put(
            f"/tape/p{number:02}", f'<> ex:holds "{symbol}" ; ex:right <BASE/tape/p{number + 1:02}> .'
        )
    await b.server.put("/tape/tm1", "<> ex:inState ex:q0 ; ex:at <BASE/tape/p03> .")
    await b.server.put("/table", TABLE)


def _states(b: Bench) -> list[tuple[str, str]]:
    """Return (head position, state) after each write to the machine."""
    found = []
    for exchange in b.server.sent("PUT", "/tape/tm1"):
        terms = exchange.body.replace("\n", " ").split()
        state = next(
            t for t in terms if "vocab#" in t and "inState" not in t and t.endswith(">") and "#at" not in t
        )
        cell = next(t for t in terms if "/tape/p" in t or t.startswith("<p"))
        found.append((cell.strip("<>").rpartition("/")[2], state.strip("<>").rpartition("#")[2]))
    return found


async def test_a_turing_machine_divides_by_three(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _lay_tape(b, "##110####")

        done = await b.run(TURING, "--steps", "5")

        assert done.code == 0, done.err
        per_step = [sorted(r["uri"].rpartition("/")[2] for r in step["requests"]) for step in b.trace]
        assert per_step == [["p03", "tm1"], ["p04", "tm1"], ["p05", "tm1"], ["p06", "tm1"], []]
        assert _states(b) == [("p04", "q1"), ("p05", "q0"), ("p06", "q0"), ("p07", "Accept")]
        assert [len(step["gets"]) for step in b.trace] == [12] * 5


async def test_a_turing_machine_finds_the_remainder(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _lay_tape(b, "##100###")

        done = await b.run(TURING, "--steps", "5")

        assert done.code == 0, done.err
        assert [state for _, state in _states(b)] == ["q1", "q2", "q1", "RemainderOf1"]
        assert [len(step["gets"]) for step in b.trace] == [11] * 5


async def test_no_write_leaves_before_the_last_read_is_answered(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _lay_tape(b, "##110###")
        b.server.delays = {f"/tape/p{n:02}": 0.05 for n in range(1, 9)} | {"/tape/tm1": 0.05, "/table": 0.05}

        done = await b.run(TURING, "--steps", "1")

        assert done.code == 0, done.err
        reads = [e for e in b.server.log if e.method == "GET"]
        writes = [e for e in b.server.log if e.method == "PUT"]
        assert len(reads) == 11
        assert len(writes) == 2
        assert min(w.began for w in writes) > max(r.ended for r in reads)


COUNTER = """
{ [] http:mthd m:GET ; http:requestURI <BASE/led/low> }
{ [] http:mthd m:GET ; http:requestURI <BASE/led/high> }
{ <BASE/led/low> ex:value "off" } =>
{ [] http:mthd m:PUT ; http:requestURI <BASE/led/low> ; http:body { <BASE/led/low> ex:value "on" } } .
{ <BASE/led/low> ex:value "on" } =>
{ [] http:mthd m:PUT ; http:requestURI <BASE/led/low> ; http:body { <BASE/led/low> ex:value "off" } } .
{ <BASE/led/low> ex:value "on" . <BASE/led/high> ex:value "off" } =>
{ [] http:mthd m:PUT ; http:requestURI <BASE/led/high> ; http:body { <BASE/led/high> ex:value "on" } } .
{ <BASE/led/low> ex:value "on" . <BASE/led/high> ex:value "on" } =>
{ [] http:mthd m:PUT ; http:requestURI <BASE/led/high> ; http:body { <BASE/led/high> ex:value "off" } } .
"""


async def test_a_two_bit_counter_decides_both_bits_on_the_old_state(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await b.server.put("/led/low", '<> ex:value "off" .')
        await b.server.put("/led/high", '<> ex:value "off" .')
        seen = []

        for _ in range(4):
            b.server.log.clear()
            done = await b.run(COUNTER)
            assert done.code == 0, done.err
            bits = [await b.server.get(f"/led/{led}") for led in ("high", "low")]
            seen.append(("".join("1" if '"on"' in bit else "0" for bit in bits), len(b.server.writes())))

        assert seen == [("01", 1), ("10", 2), ("11", 1), ("00", 2)]
