package io.penstock.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The browser of this machine, without a window. Nothing is downloaded. */
final class BrowserProgram implements AutoCloseable {
    /** How long a view may take on a busy machine. */
    private static final double TIMEOUT_MS = 30_000;

    private final Playwright playwright;
    private final Browser browser;

    private BrowserProgram(final Playwright playwright, final Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts it; skips the calling tests where it or Node is missing. */
    static BrowserProgram launch() {
        final Path chromium = Programs.chromium();
        final Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        Programs.node().toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1")));
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MS);
        return new BrowserProgram(
                playwright,
                playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium)
                                // Root has no sandbox, and containers little shared memory.
                                .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage"))));
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
