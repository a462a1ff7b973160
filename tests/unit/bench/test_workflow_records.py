"""What agents tell about W(n) can be compared: the same work is the same digest, other work is another."""

import io

from msgspec.structs import replace

from agent.bench.workflow.records import Action, StepRecord, digests, read_lines, write_line, write_step

BASE = "http://127.0.0.1:40213"
RUN = f"{BASE}/status/run-00001"
STEP = StepRecord(1, "work", 4, 18, 518, 0.5, {"read": 0.25, "reason": 0.5}, {"7694": 1})


def _put(run: int, base: str = BASE, element: str = "00112233445566ff", state: str = "active") -> Action:
    instance = f"{base}/status/run-{run:05}"
    body = f"<#it> <http://v/state> <http://v/{state}> .\n<#it> <http://v/in> <{instance}#it> .\n"
    return Action(f"{instance}#it", "PUT", f"{instance}.{element}", body.encode())


def test_instances_that_do_the_same_on_whatever_port_share_a_digest() -> None:
    once = digests([_put(1)], BASE)
    elsewhere = "http://127.0.0.1:7070"

    assert digests([_put(1), _put(2, element="ffeeddccbbaa9988")], BASE) == {next(iter(once)): 2}
    assert digests([_put(7, elsewhere)], elsewhere) == once


def test_the_order_of_requests_and_statements_does_not_matter() -> None:
    one, other = _put(1), Action(f"{RUN}#it", "POST", f"{BASE}/tasks/", b"take the order")
    turned = replace(one, body=b"\n".join(reversed(one.body.splitlines())) + b"\n")

    assert digests([one, other], BASE) == digests([other, turned], BASE)


def test_another_body_method_or_address_is_another_digest() -> None:
    variants = [
        _put(1),
        _put(1, state="inactive"),
        replace(_put(1), method="POST"),
        replace(_put(1), uri=f"{BASE}/status/other"),
    ]

    assert len({next(iter(digests([each], BASE))) for each in variants}) == len(variants)


def test_lines_are_read_back_as_far_as_they_were_finished() -> None:
    stream = io.StringIO()
    write_line(stream, {"start_s": 0.5})
    write_step(stream, STEP)
    whole = stream.getvalue()
    write_step(stream, replace(STEP, step=2))

    assert read_lines(whole) == ({"start_s": 0.5}, [STEP])
    assert read_lines(stream.getvalue()[:-9]) == ({"start_s": 0.5}, [STEP])
