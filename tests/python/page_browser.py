"""A browser without a window, and what tests see in it."""

import os
import shutil
from collections.abc import Iterator

import pytest
from conftest import wait_for
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(None in (CHROMIUM, DRIVER), reason="no chromium with its driver")
PATIENCE_S = 60  # For hangs: the page asks once a second.


@pytest.fixture(scope="module", name="browser")
def started_browser(tmp_path_factory) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # The tests may run as root and in containers, where Chromium has no sandbox.
    for option in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu"):
        options.add_argument(f"--{option}")
    home = tmp_path_factory.mktemp("chromium")
    options.add_argument(f"--user-data-dir={home / 'profile'}")
    options.accept_insecure_certs = True  # Of authorities that tests make.
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(DRIVER, env={**os.environ, "HOME": str(home)})
    driver = webdriver.Chrome(options, service)
    try:
        yield driver
    finally:
        driver.quit()


def see(page: WebDriver, selector: str, text: str = "") -> WebElement:
    """The first element by the selector that is seen and has the text; waits for it."""

    def found() -> WebElement | None:
        script = """
            return [...document.querySelectorAll(arguments[0])].find((one) =>
                one.checkVisibility() && one.textContent.includes(arguments[1])) ?? null"""
        return page.execute_script(script, selector, text)

    return wait_for(found, PATIENCE_S)


def confirm(page: WebDriver) -> str:
    """Says yes to what the page asks, and returns that; waits for it."""

    def question() -> str:
        try:
            alert = page.switch_to.alert
        except NoAlertPresentException:
            return ""
        text = alert.text
        alert.accept()
        return text

    return wait_for(question, PATIENCE_S)
