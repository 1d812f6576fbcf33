package io.penstock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The columns of a topic: those that the configuration names, and those that queries have made. */
@Tag("one-jdk")
@Timeout(180)
class ColumnsViewTest {
    private static final int ROW_COUNT = 5_000;
    private static final int WIDE = 1360;
    private static final int NARROW = 360;
    private static final int HEIGHT = 800;

    @TempDir
    private Path folder;

    private static @Nullable BrowserProgram browser;

    @BeforeAll
    static void launch() {
        browser = BrowserProgram.launch();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private ServedBroker serve(final String name, final SecurityConfig security) {
        final ServedBroker served = new ServedBroker(name, folder, 0, security);
        try (PenstockClient client = served.connect()) {
            for (int i = 0; i < ROW_COUNT; i++) {
                client.publish(
                        ServedBroker.QUOTES,
                        "{\"symbol\":\"S" + i + "\",\"price\":" + i + ",\"order\":{\"market side\":\"B\"}}");
            }
            client.flush();
            client.sow(SowRequest.topic(ServedBroker.QUOTES).filter("/order/\"market side\" = 'S'"));
        }
        return served;
    }

    private static Console console(final ServedBroker served) {
        final Console shown = new Console(Objects.requireNonNull(browser).browser(), served.console());
        shown.page().setViewportSize(WIDE, HEIGHT);
        return shown;
    }

    private static Locator row(final Console shown, final String field) {
        return shown.page()
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions()
                        .setHas(shown.page()
                                .getByRole(
                                        AriaRole.ROWHEADER,
                                        new Page.GetByRoleOptions()
                                                .setName(field)
                                                .setExact(true))));
    }

    @Test
    void shouldShowHowFarColumnsAreAndDropOne() {
        try (ServedBroker served = serve("columns", SecurityConfig.defaults());
                Console shown = console(served)) {
            shown.open("topics", "Topics");
            shown.page()
                    .getByRole(
                            AriaRole.LINK, new Page.GetByRoleOptions().setName("5,000 rows of quotes: their columns"))
                    .click();
            final Locator price = row(shown, "price");
            final Locator side = row(shown, "/order/\"market side\"");
            assertThat(price).containsText("named");
            assertThat(price).containsText("100 %");
            assertThat(price).containsText("never");
            assertThat(side).containsText("by queries");
            assertThat(side).containsText("100 %");
            checkLooks(shown, "Columns of a topic");

            shown.button("Drop /order/\"market side\" of quotes").press("Enter");
            assertThat(shown.page().getByRole(AriaRole.DIALOG)).containsText("Queries that run go on");
            assertThat(shown.page().getByRole(AriaRole.DIALOG)).not().containsText("The configuration names the field");
            shown.page().keyboard().press("Escape");
            assertThat(side).hasCount(1);
            shown.button("Drop /order/\"market side\" of quotes").click();
            shown.keep("Drop a column");
            assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
            shown.button("Drop").click();
            assertThat(side).hasCount(0);
            assertThat(shown.page().locator("#announcements"))
                    .hasText("The column /order/\"market side\" of quotes was dropped.");

            shown.button("Drop price of quotes").click();
            assertThat(shown.page().getByRole(AriaRole.DIALOG)).containsText("The configuration names the field");
            shown.button("Cancel").click();
            shown.button("Drop all of them").click();
            shown.button("Drop").click();
            assertThat(shown.page().locator("main")).containsText("No columns");
            assertThat(shown.errors()).isEmpty();
        }
    }

    /** In the light and in the dark, and as wide as a telephone. */
    private static void checkLooks(final Console shown, final String name) {
        shown.keep(name + "-light");
        assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
        shown.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        shown.keep(name + "-dark");
        assertThat(shown.violations(Console.COLOUR_RULES)).isEmpty();
        shown.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        shown.page().setViewportSize(NARROW, HEIGHT);
        assertThat(shown.overflow()).isLessThanOrEqualTo(0);
        shown.keep(name + "-telephone");
        shown.page().setViewportSize(WIDE, HEIGHT);
    }

    @Test
    void shouldOfferNothingToDropWhenTheUserMayOnlyRead() {
        final SecurityConfig security = new SecurityConfig(
                SecurityConfig.defaults().authenticator(),
                (principal, action, topic) -> action != Action.ADMIN_WRITE,
                false,
                AnonymousAdministration.LOCAL);
        try (ServedBroker served = serve("columns-read", security);
                Console shown = console(served)) {
            shown.open("columns?topic=" + ServedBroker.QUOTES, "Columns");

            assertThat(row(shown, "price")).containsText("named");
            assertThat(shown.page().getByRole(AriaRole.BUTTON).filter(new Locator.FilterOptions().setHasText("Drop")))
                    .hasCount(0);
        }
    }

    @Test
    void shouldSayWhyWhenTheUserMayNotSeeTheBroker() {
        final SecurityConfig security = new SecurityConfig(
                SecurityConfig.defaults().authenticator(),
                (principal, action, topic) -> action != Action.ADMIN_READ && action != Action.ADMIN_WRITE,
                false,
                AnonymousAdministration.LOCAL);
        try (ServedBroker served = serve("columns-none", security);
                Console shown = console(served)) {
            shown.open("topics", "Topics");
            assertThat(shown.page().getByRole(AriaRole.ROWHEADER)).hasText(ServedBroker.QUOTES);
            assertThat(shown.page().getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("rows of quotes")))
                    .hasCount(0);
            shown.open("columns", "Columns");
            assertThat(shown.page().getByRole(AriaRole.ALERT)).containsText("Log on as a user who may do this");
        }
    }
}
