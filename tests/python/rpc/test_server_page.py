"""The page of a server, as a person sees and uses it in a browser."""

import signal
from collections.abc import Iterator

import numpy as np
import pytest
import tasuki
from conftest import wait_for
from demo_server import needs_server
from page_browser import PATIENCE_S, confirm, needs_browser, see, started_browser  # noqa: F401
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from tasuki.rpc.errors import CallCancelledError, CallError, LostArrayError
from web_server import WebServer

pytestmark = [needs_server, needs_browser]


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[WebServer]:
    with WebServer(tmp_path_factory.mktemp("routines")) as started:
        yield started


@pytest.fixture
def page(browser, server) -> WebDriver:
    browser.set_window_size(1200, 900)
    browser.get(server.page)
    see(browser, "#state.good")
    return browser


def cells(row: WebElement) -> list[str]:
    return [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]


def routine(page: WebDriver, name: str) -> WebElement:
    """The routine's part of the page, opened as a person does."""
    card = see(page, "details.routine", name)
    if not card.get_property("open"):
        card.find_element(By.TAG_NAME, "summary").click()
    return card


def test_it_shows_a_routine_with_its_arguments_and_text(page):
    card = routine(page, "linpack.solve")
    assert "Gaussian elimination" in card.text
    rows = card.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert cells(rows[1]) == ["A", "in", "double (float64)", "[n][n]", "(CYCLIC, *)"]
    assert "linpack.solve(" in card.text


def copied_text(page: WebDriver, shown: str) -> str:
    """What is in the clipboard, once it is what is shown."""
    read = "navigator.clipboard.readText().then(arguments[0], (fault) => arguments[0](`${fault}`))"

    def found() -> str:
        text = page.execute_async_script(read)
        return text if text.strip() == shown.strip() else ""

    return wait_for(found, PATIENCE_S)


def test_copying_an_example_works(page, server):
    page.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
         "origin": server.page.rstrip("/")},
    )  # fmt: skip
    card = routine(page, "linpack.solve")
    for language in ("C", "Shell", "Python"):
        tabs = card.find_elements(By.CSS_SELECTOR, "[role=tab]")
        next(tab for tab in tabs if tab.text == language).click()
        card.find_element(By.CSS_SELECTOR, ".copy").click()
        copied = copied_text(page, card.find_element(By.TAG_NAME, "pre").text)
    # The last one is in Python: what was copied runs.
    found: dict[str, object] = {}
    exec(copied, found)
    np.testing.assert_allclose(found["A"] @ found["x"], found["b"])


def test_it_shows_the_progress_of_a_running_call_and_then_its_split(page, server):
    server.gate.unlink()
    try:
        job = server.connect().gates.double_it.submit(np.ones(500_000))
        row = see(page, "#running tbody tr", "computing")
        assert cells(row)[1] == "gates.double_it"
        assert "4.00 MB of 8.00 MB" in row.text
        progress = row.find_element(By.TAG_NAME, "progress")
        assert progress.get_property("value") == 4_000_000
        assert progress.get_property("max") == 8_000_000
        assert see(page, "#modules .card", "gates").text.count("rank 0: computing") == 1
        number = cells(row)[0]
    finally:
        server.gate.touch()
    job.result()
    past = see_past(page, number)
    assert cells(past)[1] == "gates.double_it" and "done" in past.text
    split = past.find_element(By.CSS_SELECTOR, ".split")
    assert split.get_attribute("aria-label").startswith("client and network")
    compute = split.find_element(By.CSS_SELECTOR, ".compute")
    assert compute.size["width"] > split.size["width"] / 2, "most of the time was computation"
    see(page, "#no-running")


def test_it_shows_the_mode_the_threads_and_the_part_of_the_front_end(page, server):
    for mode, has_part in (("hand-off", False), ("original", True)):
        client = tasuki.connect(server.url, mode=mode)
        client.gates.double_it(np.ones(500_000))
        number = client_record(server, mode)["number"]
        past = see_past(page, f"{number}")
        assert cells(past)[4].startswith(f"{mode}\nthreads: ")
        assert float(cells(past)[4].rpartition(" ")[2]) >= 1
        parts = past.find_elements(By.CSS_SELECTOR, ".split .front-end")
        assert bool(parts) is has_part
        label = past.find_element(By.CSS_SELECTOR, ".split").get_attribute("aria-label")
        assert ("front end 0 \u00b5s" in label) is not has_part


def client_record(server: WebServer, mode: str) -> dict:
    """What the server remembers of the call that came by this mode."""

    def found() -> dict | None:
        past = server.ask("/api/calls")["past"]
        return next((one for one in past if one["mode"] == mode), None)

    return wait_for(found, PATIENCE_S)


def test_a_button_cancels_a_call_and_its_client_is_told(page, server):
    server.gate.unlink()
    try:
        job = server.connect().gates.double_it.submit(np.ones(10))
        row = see(page, "#running tbody tr", "computing")
        number = cells(row)[0]
        button = row.find_element(By.CSS_SELECTOR, "button")
        assert button.get_attribute("aria-label") == f"Cancel call {number}"
        # The page is new each second; what somebody is about to press stays what it is.
        page.execute_script("arguments[0].focus()", button)
        time_of = "return arguments[0].cells[5].textContent"
        shown = page.execute_script(time_of, row)
        wait_for(lambda: page.execute_script(time_of, row) != shown, PATIENCE_S)
        assert page.switch_to.active_element == button
        button.send_keys(Keys.ENTER)
        question = confirm(page)
        assert f"Cancel call {number} of gates.double_it?" in question and "lost" in question
        with pytest.raises(CallCancelledError, match=r"it was cancelled by somebody at 127\."):
            job.result(PATIENCE_S)
    finally:
        server.gate.touch()
    see(page, "#notice", f"Call {number} was cancelled.")
    assert "it was cancelled by somebody at 127." in see_past(page, number).text


def test_a_button_frees_an_array(page, server):
    client = server.connect()
    matrix = client.put(np.eye(50), like=client.linpack.solve.A)
    row = see(page, "#kept tbody tr", "linpack.solve.A")
    assert cells(row)[1:5] == [
        f"{matrix.kept[:8]}\u2026",
        "float64[50, 50]",
        "20.0 kB",
        "127.0.0.1",
    ]
    assert cells(row)[6] == "no limit"
    row.find_element(By.CSS_SELECTOR, "button").click()
    assert "Free linpack.solve.A?" in confirm(page)
    see(page, "#no-kept")
    with pytest.raises(LostArrayError, match=r"it was freed by somebody at 127\."):
        client.linpack.solve(matrix, np.ones(50))


def see_past(page: WebDriver, number: str) -> WebElement:
    def found() -> WebElement | None:
        script = """
            return [...document.querySelectorAll("#past tbody tr")].find((row) =>
                row.cells[0].textContent === arguments[0]) ?? null"""
        return page.execute_script(script, number)

    return wait_for(found, PATIENCE_S)


def test_it_counts_bytes_and_draws_throughput(page, server):
    server.connect().gates.double_it(np.ones(1_000_000))
    see(page, "#figures div", "MB")
    script = 'return document.querySelector("#throughput polyline").getAttribute("points")'
    wait_for(lambda: page.execute_script(script).count(" ") >= 2, PATIENCE_S)
    assert "a second to the ranks" in see(page, "#throughput").get_attribute("aria-label")


def test_what_others_have_named_is_text(page, server):
    with pytest.raises(CallError):
        server.connect().gates.double_it(np.zeros(0))
    outcome = see(page, "#past td", 'x has <i>no</i> "elements"')
    assert outcome.find_elements(By.TAG_NAME, "i") == []
    card = routine(page, "gates.double_it")
    assert "<b>once</b>" in card.text and card.find_elements(By.TAG_NAME, "b") == []


def test_searching_hides_other_routines(page):
    see(page, "details.routine", "linpack.solve")
    search = page.find_element(By.ID, "search")
    search.send_keys("GAUSSIAN")
    shown = [one.text for one in page.find_elements(By.CSS_SELECTOR, "details.routine") if one.text]
    assert len(shown) == 1 and "linpack.solve" in shown[0]
    search.send_keys(" nowhere")
    see(page, "#no-routines")


def test_it_is_used_by_keys_alone(page):
    summary = see(page, "details.routine summary", "linpack.solve")
    page.execute_script("arguments[0].focus()", summary)
    page.switch_to.active_element.send_keys(Keys.ENTER)
    focused = see(page, "details.routine[open] [role=tab][aria-selected=true]", "Python")
    page.execute_script("arguments[0].focus()", focused)
    page.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert page.switch_to.active_element.text == "C"
    see(page, "details.routine[open] pre", "#include <tasuki/client.h>")


def test_each_field_and_button_has_a_name(page):
    routine(page, "linpack.solve")
    script = """
        const names = (one) => one.getAttribute("aria-label") || one.textContent.trim()
            || [...(one.labels ?? [])].map((label) => label.textContent).join("");
        return [...document.querySelectorAll("button, input, progress, [role=img]")]
            .filter((one) => !names(one)).map((one) => one.outerHTML)"""
    assert page.execute_script(script) == []


@pytest.mark.parametrize("width", [360, 768, 1400])
def test_nothing_is_wider_than_the_window(page, width):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    try:
        routine(page, "linpack.solve")
        assert page.execute_script("return innerWidth") == width
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def contrast(first: str, second: str) -> float:
    """As WCAG 2 defines it, of two colours "rgb(r, g, b)"."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_in_light_and_dark(page, scheme):
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    colours = page.execute_script("""
        const card = getComputedStyle(document.querySelector(".card")).backgroundColor;
        return ["h2", "#state", ".dim", ".empty", "a[href='/metrics']"].map(
            (one) => [one, getComputedStyle(document.querySelector(one)).color, card])""")
    for selector, text, background in colours:
        assert contrast(text, background) >= 4.5, selector
    dark = contrast(colours[0][2], "rgb(0, 0, 0)") < 3
    assert dark == (scheme == "dark")


def test_nothing_comes_from_elsewhere_and_nothing_is_wrong(page, server):
    script = 'return performance.getEntriesByType("resource").map((one) => one.name)'
    names = page.execute_script(script)
    assert names and all(name.startswith(server.page) for name in names)
    assert [one for one in page.get_log("browser") if one["level"] == "SEVERE"] == []


def test_it_says_that_the_server_is_ending_and_has_gone(browser, tmp_path):
    with WebServer(tmp_path) as ending:
        browser.get(ending.page)
        see(browser, "#state.good")
        ending.gate.unlink()
        job = ending.connect().gates.double_it.submit(np.ones(10))
        see(browser, "#running tbody tr", "computing")
        ending.process.send_signal(signal.SIGTERM)
        see(browser, "#state", "draining")
        see(browser, "#draining", "The server is about to end")
        ending.gate.touch()
        assert job.result(PATIENCE_S).sum() == 20
    see(browser, "#state.wrong", "The server does not answer.")
    browser.get_log("browser")  # It has complained, rightly.
