"""The page of a profile, as a person sees and uses it in a browser."""

import pytest
from cases import analysed, written_job
from conftest import wait_for
from event_writer import WrittenRank
from page_browser import PATIENCE_S, needs_browser, see, started_browser  # noqa: F401
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from tasuki.profile import time_line
from tasuki.profile.hang_report import HangReport
from tasuki.profile.page import write_page

pytestmark = needs_browser


def shown(browser, folder, ranks, state=False):
    """The page of the ranks, opened."""
    (folder / "events").mkdir()
    analysis = analysed(folder / "events", ranks, now_ns=2000 if state else None)
    path = folder / "report.html"
    report = HangReport(analysis, asks_system=False) if state else None
    write_page(analysis, report, ["mpirun", "./a </script> & b"], path)
    browser.set_window_size(1200, 1000)
    browser.get(path.as_uri())
    return browser


@pytest.fixture
def page(browser, tmp_path):
    return shown(browser, tmp_path, written_job())


def point(page, selector: str, x: float, y: float) -> None:
    """Moves the pointer to that share of the element's width and height."""
    element = page.find_element(By.CSS_SELECTOR, selector)
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    width, height = element.size["width"], element.size["height"]
    offset = int((x - 0.5) * width), int((y - 0.5) * height)
    ActionChains(page).move_to_element_with_offset(element, *offset).perform()


def part(page, selector: str = "#time-line") -> tuple[float, float]:
    """From where to where the plot goes."""
    data = page.find_element(By.CSS_SELECTOR, selector)
    return float(data.get_attribute("data-from")), float(data.get_attribute("data-to"))


def at_time(page, time_ns: float, whole_ns: float = 1000) -> float:
    """The share of the time line's width at which this time is."""
    width = page.find_element(By.ID, "time-line").size["width"]
    return (64 + time_ns / whole_ns * (width - 64)) / width


def test_it_needs_nothing_else_and_has_no_faults(page):
    assert page.get_log("browser") == []
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert "./a </script> & b" in page.find_element(By.TAG_NAME, "h1").text
    assert "2 ranks" in page.find_element(By.ID, "summary").text


def test_the_time_line_tells_calls(page):
    point(page, "#time-line", at_time(page, 250), 0.5)
    text = see(page, "#tip", "MPI_Recv").text.splitlines()
    assert text[0].startswith("rank 1, ")
    assert text[1:] == [
        "MPI_Recv", "in app+0x1000", "takes 160 ns", "waits 100 ns (late sender)", "from rank 0",
        "1000 B",
    ]  # fmt: skip
    point(page, "#time-line", at_time(page, 800), 0.1)
    see(page, "#tip", "computing 100 %")


def test_what_has_ended_computes_no_more(tmp_path, browser):
    ranks = written_job()
    ranks[0].call("MPI_Barrier", 1500, 2000)
    page = shown(browser, tmp_path, ranks)
    point(page, "#time-line", at_time(page, 1300, 2000), 0.1)
    see(page, "#tip", "computing 100 %")
    point(page, "#time-line", at_time(page, 1300, 2000), 0.5)
    see(page, "#tip", "not running")


def test_the_wheel_zooms_about_the_pointer(page):
    canvas = page.find_element(By.ID, "time-line")
    point(page, "#time-line", 0.5, 0.2)
    origin = ScrollOrigin.from_element(canvas)
    for _ in range(4):
        ActionChains(page).scroll_from_origin(origin, 0, -120).perform()
    wait_for(lambda: part(page)[1] - part(page)[0] < 0.6e-6, PATIENCE_S)
    begin, end = part(page)
    assert 0 < begin < 0.5e-6 < end < 1e-6


def test_buttons_and_keys_zoom_and_move(tmp_path, browser):
    ranks = written_job()
    ranks[0].call("MPI_Barrier", 1_000_000, 1_000_100)
    page = shown(browser, tmp_path, ranks)
    whole = part(page)
    page.find_element(By.ID, "closer").click()
    begin, end = part(page)
    assert end - begin == pytest.approx((whole[1] - whole[0]) / 2)
    canvas = page.find_element(By.ID, "time-line")
    canvas.send_keys(Keys.ARROW_RIGHT)
    assert part(page)[0] == pytest.approx(begin + (end - begin) / 5)
    canvas.send_keys("-")
    assert part(page) == pytest.approx(whole)
    canvas.send_keys("+")
    page.find_element(By.ID, "whole").click()
    assert part(page) == pytest.approx(whole)


def test_dragging_moves_the_time_line(tmp_path, browser):
    ranks = written_job()
    ranks[0].call("MPI_Barrier", 1_000_000, 1_000_100)
    page = shown(browser, tmp_path, ranks)
    page.find_element(By.ID, "closer").click()
    begin = part(page)[0]
    canvas = page.find_element(By.ID, "time-line")
    ActionChains(page).drag_and_drop_by_offset(canvas, -100, 0).perform()
    assert part(page)[0] > begin


def test_the_matrix_tells_what_ranks_send(page):
    canvas = page.find_element(By.ID, "matrix").size
    side = min(480, canvas["width"] - 48)
    x, y = (48 + 0.75 * side) / canvas["width"], (8 + 0.25 * side) / canvas["height"]
    point(page, "#matrix", x, y)
    assert see(page, "#tip", "rank 0 to rank 1").text.endswith("2 messages, 3.91 KB")
    origin = ScrollOrigin.from_element(page.find_element(By.ID, "matrix"))
    ActionChains(page).scroll_from_origin(origin, 0, -120).perform()
    wait_for(lambda: part(page, "#matrix")[1] - part(page, "#matrix")[0] < 2, PATIENCE_S)


def test_bars_tell_sites_and_waiting(page):
    rows = page.find_elements(By.CSS_SELECTOR, "#site-bars .row")
    assert "MPI_Recv in app+0x1000" in [row.find_element(By.TAG_NAME, "span").text for row in rows]
    first = page.find_element(By.CSS_SELECTOR, "#rank-bars .row:nth-child(2)")
    ActionChains(page).move_to_element(first).perform()
    assert "waiting, late sender: 100 ns" in see(page, "#tip", "rank 1").text


def test_findings_are_on_it(browser, tmp_path):
    ranks = [WrittenRank(0, 2), WrittenRank(1, 2)]
    for rank in ranks:
        rank.fields["state"] = 1
        rank.call("MPI_Recv", 100, 0, source=1 - rank.fields["rank"], tag=7)
    page = shown(browser, tmp_path, ranks, state=True)
    see(page, "#notices .finding", "deadlock: rank 0 waits in MPI_Recv for rank 1")


def test_what_is_left_out_is_said(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(time_line, "CALLS_MOST", 3)
    page = shown(browser, tmp_path, written_job())
    see(page, "#detail", "Of 13 calls the 3 longest are told one by one")


def test_no_calls_at_all(browser, tmp_path):
    page = shown(browser, tmp_path, [WrittenRank(0, 1)])
    assert page.get_log("browser") == []
    assert "1 ranks" in page.find_element(By.ID, "summary").text
