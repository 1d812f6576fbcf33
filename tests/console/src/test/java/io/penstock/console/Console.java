package io.penstock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** The console in a window of a browser. */
final class Console implements AutoCloseable {
    static final Map<String, Object> ALL_RULES = Map.of();
    static final Map<String, Object> COLOUR_RULES = Map.of("runOnly", List.of("color-contrast"));

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String AXE = axe();

    /** Each violation with the elements that have it. */
    private static final String VIOLATIONS = """
            async (rules) => (await axe.run({ resultTypes: ['violations'], ...rules })).violations.map((violation) =>
                violation.id + ': ' + violation.nodes.map((node) => node.target + ' ' + node.failureSummary).join(' | '))
            """;

    private final BrowserContext context;
    private final Page page;
    private final String address;
    private final List<String> errors = new ArrayList<>();

    Console(final Browser browser, final String address) {
        this.address = address;
        context = browser.newContext(new Browser.NewContextOptions()
                .setColorScheme(ColorScheme.LIGHT)
                .setAcceptDownloads(true));
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                errors.add(message.text());
            }
        });
        page.onPageError(errors::add);
    }

    private static String axe() {
        try (InputStream script = Console.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Shows a view.
     *
     * @param view  with its parameters, as in the address.
     * @param title that it has.
     */
    void open(final String view, final String title) {
        page.navigate(address + "#/" + view);
        assertThat(page.getByRole(
                        AriaRole.HEADING,
                        new Page.GetByRoleOptions()
                                .setName(title)
                                .setExact(true)
                                .setLevel(1)))
                .isVisible();
    }

    Page page() {
        return page;
    }

    Locator button(final String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator editor(final String name) {
        return page.getByRole(
                AriaRole.COMBOBOX, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** The table of records or messages. */
    Locator records() {
        return page.locator(".records");
    }

    /** What a stream is said to be. */
    Locator status(final String text) {
        return page.locator("[role=status] .pill")
                .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^" + text + "$")));
    }

    /** Presses a button that saves a file; gives its text. */
    String download(final String name) throws IOException {
        return Files.readString(page.waitForDownload(() -> button(name).click()).path());
    }

    /** Waits until nothing is asked for any more and no error is shown. */
    void assertIsLoaded() {
        page.waitForLoadState(LoadState.LOAD);
        assertThat(page.locator("main")).not().containsText("asking");
        assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
    }

    /** What axe finds by some of its rules. */
    List<String> violations(final Map<String, Object> rules) {
        page.evaluate(AXE);
        return ((List<?>) page.evaluate(VIOLATIONS, rules))
                .stream().map(String::valueOf).toList();
    }

    /** By how many pixels the page is wider than its window. */
    int overflow() {
        return ((Number) page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .intValue();
    }

    /** Keeps a picture in {@code target/screenshots}. */
    void keep(final String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    /** What the browser's console has, and errors that no script caught. */
    List<String> errors() {
        return errors;
    }

    @Override
    public void close() {
        context.close();
    }
}
