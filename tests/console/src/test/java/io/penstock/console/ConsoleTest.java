package io.penstock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What administrators do with the console. With {@code -Dpenstock.console.messages=10000000} so many messages are
 * published while the views are looked at.
 */
@Tag("one-jdk")
@Timeout(180)
class ConsoleTest {
    private static final int WIDE = 1360;
    private static final int NARROW = 360;
    private static final int HEIGHT = 800;
    private static final int MESSAGE_COUNT = Integer.getInteger("penstock.console.messages", 5_000);

    private static final Pattern SOME_CONNECTIONS = Pattern.compile("Connections\\s*\\d");

    /** Views with their titles. */
    private static final List<List<String>> VIEWS = List.of(
            List.of("overview", "Overview"),
            List.of("topics", "Topics"),
            List.of("query?topic=quotes", "State"),
            List.of("columns", "Columns"),
            List.of("tail?topic=quotes", "Live tail"),
            List.of("replay", "Replay"),
            List.of("clients", "Clients"),
            List.of("subscriptions", "Subscriptions"),
            List.of("permissions", "Permissions"),
            List.of("log", "Log and files"),
            List.of("transports", "Transports"),
            List.of("settings", "Settings"),
            List.of("nothing", "No such view"));

    @TempDir
    private static Path folder;

    private static @Nullable BrowserProgram browser;
    private static @Nullable ServedBroker broker;
    private @Nullable Console console;

    @BeforeAll
    static void launch() {
        browser = BrowserProgram.launch();
        broker = new ServedBroker("console", folder.resolve("log"), 0);
    }

    @AfterAll
    static void close() {
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void closeWindow() {
        if (console != null) {
            console.close();
        }
    }

    private static ServedBroker broker() {
        return Objects.requireNonNull(broker);
    }

    private Console console(final String address) {
        final Console opened = new Console(Objects.requireNonNull(browser).browser(), address);
        opened.page().setViewportSize(WIDE, HEIGHT);
        console = opened;
        return opened;
    }

    private Console console() {
        return console(broker().console());
    }

    @Test
    void shouldShowEveryViewWithoutErrorsWhileMessagesCome() throws InterruptedException {
        final Console shown = console();
        try (PenstockClient client = broker().connect()) {
            client.publish(ServedBroker.QUOTES, "{\"symbol\":\"A\",\"price\":1.5,\"size\":{\"bid\":10}}");
            client.flush();
            final Thread publisher = new Thread(() -> publishMany(client));
            publisher.start();
            for (final List<String> view : VIEWS) {
                shown.open(view.get(0), view.get(1));
                shown.assertIsLoaded();
                checkLooks(shown, view.get(1));
            }
            publisher.join();
        }
        assertThat(shown.errors()).isEmpty();
    }

    /** In the light and in the dark, and as wide as a telephone. */
    private static void checkLooks(final Console shown, final String view) {
        shown.keep(view + "-light");
        assertThat(shown.violations(Console.ALL_RULES)).as(view).isEmpty();
        shown.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        shown.keep(view + "-dark");
        assertThat(shown.violations(Console.COLOUR_RULES)).as(view).isEmpty();
        shown.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        shown.page().setViewportSize(NARROW, HEIGHT);
        assertThat(shown.overflow()).as(view).isLessThanOrEqualTo(0);
        shown.keep(view + "-telephone");
        shown.page().setViewportSize(WIDE, HEIGHT);
    }

    private static void publishMany(final PenstockClient client) {
        for (int i = 0; i < MESSAGE_COUNT; i++) {
            client.publish(ServedBroker.QUOTES, "{\"symbol\":\"" + i % 100 + "\",\"price\":" + i + "}");
        }
    }

    @Test
    void shouldShowWhatIsPublishedWhenTheOverviewIsLookedAt() {
        final Console shown = console();
        shown.open("overview", "Overview");
        final Locator figures = shown.page().locator("dl.figures");
        assertThat(figures).containsText(SOME_CONNECTIONS);
        assertThat(shown.page().locator(".pill").first()).hasText("ready");
        assertThat(shown.page().locator(".uplot canvas").first()).isVisible();
    }

    @Test
    void shouldRunAQueryWhoseFieldsAreCompleted() throws IOException {
        final String topic = topic("query", "id");
        try (PenstockClient client = broker().connect()) {
            for (int i = 0; i < 20; i++) {
                client.publish(topic, "{\"id\":" + i + ",\"price\":" + i * 10 + ",\"size\":{\"bid\":" + i + "}}");
            }
        }
        final Console shown = console();
        shown.open("query?topic=" + topic, "State");
        assertThat(shown.records()).hasAttribute("aria-rowcount", "21");

        shown.editor("Filter").pressSequentially("pri");
        assertThat(shown.page().locator(".options:not([hidden]) li")).hasText("pricefield");
        shown.page().keyboard().press("ArrowDown");
        shown.page().keyboard().press("Enter");
        shown.page().keyboard().type(">= 150 AND /size/bid < 18");
        shown.editor("Order by").fill("price DESC");
        shown.button("Run the query").click();

        assertThat(shown.records()).hasAttribute("aria-rowcount", "4");
        assertThat(shown.records().getByRole(AriaRole.ROW).nth(1)).containsText("170");
        shown.records().press("ArrowDown");
        assertThat(shown.page().getByLabel("Chosen record")).containsText("\"bid\": 17");
        assertThat(shown.download("Save as CSV"))
                .isEqualTo(String.join(
                        "\r\n",
                        "id,price,size",
                        "17,170,\"{\"\"bid\"\":17}\"",
                        "16,160,\"{\"\"bid\"\":16}\"",
                        "15,150,\"{\"\"bid\"\":15}\"",
                        ""));
        assertThat(shown.download("Save as JSON")).startsWith("{\"id\":17,\"price\":170");
        assertThat(shown.errors()).isEmpty();
    }

    @Test
    void shouldJoinTwoTopicsWhoseFieldsAreCompleted() {
        final String orders = topic("orders", "id");
        final String customers = topic("customers", "id");
        try (PenstockClient client = broker().connect()) {
            client.publish(orders, "{\"id\":1,\"customer\":\"a\"}");
            client.publish(orders, "{\"id\":2,\"customer\":\"nobody\"}");
            client.publish(customers, "{\"id\":\"a\",\"name\":\"Ann\"}");
            client.flush();
        }
        final Console shown = console();
        shown.open("query?topic=" + orders, "State");
        shown.button("Joins, groups and past states").click();
        shown.editor("Join").fill("AS o LEFT JOIN " + customers + " AS c ON /o/customer = /c/id");
        shown.editor("Select").pressSequentially("/o/id, /c/na");
        assertThat(shown.page().locator(".options:not([hidden]) li")).hasText("/c/namefield");
        shown.page().keyboard().press("ArrowDown");
        shown.page().keyboard().press("Enter");
        shown.editor("Order by").fill("/o/id");
        shown.button("Run the query").click();

        final Locator rows = shown.records().getByRole(AriaRole.ROW);
        assertThat(shown.records()).hasAttribute("aria-rowcount", "3");
        assertThat(rows.nth(1)).containsText("Ann");
        assertThat(rows.nth(2)).containsText("2");
        assertThat(shown.page()).hasURL(Pattern.compile(".*[?&]join=AS\\+o.*"));
        shown.keep("Join");
        assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
        assertThat(shown.errors()).isEmpty();
    }

    @Test
    void shouldSayWhereTheMistakeIsWhenAFilterIsRefused() {
        final Console shown = console();
        shown.open("query?topic=quotes", "State");
        shown.editor("Filter").fill("price > AND");
        shown.button("Run the query").click();

        assertThat(shown.page().getByRole(AriaRole.ALERT)).containsText("expected a value at 9");
        assertThat(shown.page().locator("mark")).hasText("A");
        assertThat(shown.editor("Filter")).hasAttribute("aria-invalid", "true");
    }

    @Test
    void shouldFollowATopicPausedAndResumedWhenTailed() {
        final String topic = topic("tail", "id");
        final Console shown = console();
        shown.open("tail", "Live tail");
        shown.page()
                .getByLabel("Topic", new Page.GetByLabelOptions().setExact(true))
                .fill(topic);
        shown.editor("Filter").fill("id >= 10");
        shown.button("Follow").click();
        assertThat(shown.status("following")).isVisible();
        try (PenstockClient client = broker().connect()) {
            client.publish(topic, "{\"id\":5}");
            client.publish(topic, "{\"id\":11}");
            assertThat(shown.records()).containsText("{\"id\":11}");
            assertThat(shown.records()).not().containsText("{\"id\":5}");

            shown.button("Pause").click();
            assertThat(shown.status("paused")).isVisible();
            client.publish(topic, "{\"id\":12}");
            client.publish(topic, "{\"id\":13}");
            client.publish(topic, "{\"id\":14}");
            shown.button("Resume").click();
            assertThat(shown.records()).containsText("{\"id\":14}");
            assertThat(shown.records()).hasAttribute("aria-rowcount", "5");
        }
        shown.button("Stop").click();
        assertThat(shown.status("ended")).isVisible();
        assertThat(shown.errors()).isEmpty();
    }

    @Test
    void shouldReplayARangeOfTheLog() {
        final String topic = topic("replay", "id");
        try (PenstockClient client = broker().connect()) {
            for (int i = 0; i < 50; i++) {
                client.publish(topic, "{\"id\":" + i + "}");
            }
        }
        final Console shown = console();
        shown.open("replay?topic=" + topic, "Replay");
        shown.editor("Filter").fill("id < 7");
        shown.button("Replay").click();
        assertThat(shown.status("ended")).isVisible();
        assertThat(shown.records()).hasAttribute("aria-rowcount", "8");

        shown.page()
                .getByLabel("From", new Page.GetByLabelOptions().setExact(true))
                .fill("yesterday");
        shown.button("Replay").click();
        assertThat(shown.page().getByRole(AriaRole.ALERT)).containsText("No place in the log: yesterday");
        shown.page()
                .getByLabel("From", new Page.GetByLabelOptions().setExact(true))
                .fill("2000-01-01 00:00");
        shown.page()
                .getByLabel("To", new Page.GetByLabelOptions().setExact(true))
                .fill("2000-01-01 00:01");
        shown.button("Replay").click();
        assertThat(shown.page().getByRole(AriaRole.ALERT)).hasCount(0);
        assertThat(shown.page().locator("main")).containsText("No messages");
    }

    @Test
    void shouldEndTheSessionWhenAClientIsKicked() {
        try (PenstockClient client = PenstockClient.connect(
                ClientConfig.builder(broker().endpoint()).name("kicked").build())) {
            assertThat(client.isConnected()).isTrue();
            final Console shown = console();
            shown.open("clients?search=kicked", "Clients");
            shown.button("Kick kicked").click();
            shown.keep("Kick");
            shown.button("End the session").click();

            assertThat(shown.page().locator("main")).containsText("No client has this text");
            assertThat(shown.page().locator("#announcements")).hasText("The session of kicked has ended.");
            assertThat(shown.errors()).isEmpty();
        }
    }

    @Test
    void shouldDeleteATopicOnlyWhenItsNameIsTyped() {
        final Console shown = console();
        shown.open("topics", "Topics");
        shown.button("Declare a topic").click();
        shown.page().getByLabel("Name").fill("short-lived");
        shown.page().getByLabel("Key").fill("id");
        shown.button("Declare").click();

        shown.button("Delete short-lived").click();
        assertThat(shown.button("Delete")).isDisabled();
        shown.page().keyboard().type("short");
        assertThat(shown.button("Delete")).isDisabled();
        shown.page().keyboard().type("-lived");
        shown.page().keyboard().press("Enter");
        assertThat(shown.button("Delete short-lived")).hasCount(0);
        assertThat(shown.errors()).isEmpty();
    }

    @Test
    void shouldShowPayloadAsTextWhenItIsHostile() {
        final String topic = topic("hostile", "id");
        final String markup = "<img src=x onerror=document.title='hacked'>";
        try (PenstockClient client = broker().connect()) {
            client.publish(topic, "{\"id\":1,\"note\":\"" + markup + "\"}");
            client.publish(topic, "{\"id\":2,\"note\":\"\u202egnp.exe\\u0000\\u001b\"}");
            client.publish(topic, "{\"id\":3,\"note\":12345678901234567890123}");
            client.publish(topic, "{\"id\":4,\"note\":\"" + "x".repeat(1024 * 1024) + "\"}");
            client.publish(topic, "{\"id\":5,\"__proto__\":{\"note\":1},\"<b>field</b>\":0}");
        }
        final Console shown = console();
        shown.open("query?topic=" + topic + "&orderBy=id", "State");
        final Locator rows = shown.records().getByRole(AriaRole.ROW);
        assertThat(rows.nth(1)).containsText(markup);
        assertThat(rows.nth(2)).containsText("\u27e8U+202E\u27e9gnp.exe\u27e8NUL\u27e9\u27e8ESC\u27e9");
        assertThat(rows.nth(3)).containsText("12345678901234567890123");
        rows.nth(1).click();
        assertThat(shown.page().getByLabel("Message", new Page.GetByLabelOptions().setExact(true)))
                .containsText(markup);
        assertThat(rows.nth(1)).not().containsText("{}");
        assertThat(rows.nth(4)).containsText("xxxx");
        rows.nth(4).click();
        assertThat(shown.page().getByLabel("Chosen record")).containsText("1.00 MiB");
        shown.keep("Hostile");
        assertThat(shown.page().locator("main img, main b")).hasCount(0);
        assertThat(shown.page()).hasTitle("State · Penstock");
        assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
        assertThat(shown.errors()).isEmpty();
    }

    @Test
    void shouldBeUsedByTheKeyboardAlone() {
        final Console shown = console();
        shown.open("overview", "Overview");
        shown.page().keyboard().press("Tab");
        shown.page().locator("body").press("Home");
        final Locator topics = shown.page()
                .getByRole(
                        AriaRole.LINK,
                        new Page.GetByRoleOptions().setName("Topics").setExact(true));
        topics.focus();
        assertThat(topics).hasCSS("outline-style", "solid");
        shown.page().keyboard().press("Enter");
        assertThat(shown.page().locator("#title")).isFocused();
        assertThat(shown.page().locator("#title")).hasText("Topics");
        shown.button("Declare a topic").press("Enter");
        assertThat(shown.page().getByLabel("Name")).isFocused();
        shown.page().keyboard().press("Escape");
        assertThat(shown.button("Declare a topic")).isFocused();
    }

    @Test
    void shouldGoOnWhenTheBrokerWasAway() {
        final ServedBroker first = new ServedBroker("away", folder.resolve("away"), 0);
        final int port = first.port();
        final Console shown;
        try {
            shown = console(first.console());
            shown.open("overview", "Overview");
            assertThat(shown.page().locator("dl.figures")).containsText(SOME_CONNECTIONS);
            shown.open("tail?topic=quotes", "Live tail");
            assertThat(shown.status("following")).isVisible();
        } finally {
            first.close();
        }
        assertThat(shown.page().locator("#connection")).containsText("No connection to the broker");
        assertThat(shown.page().locator("#announcements")).containsText("was lost");
        shown.keep("Away");
        try (ServedBroker second = new ServedBroker("away", folder.resolve("away"), port);
                PenstockClient client = second.connect()) {
            assertThat(shown.page().locator("#connection")).hasCount(0);
            assertThat(shown.status("following")).isVisible();
            client.publish(ServedBroker.QUOTES, "{\"symbol\":\"again\"}");
            assertThat(shown.records()).containsText("again");
        }
    }

    @Test
    void shouldShowAUserWhatItMayWhenItHasLoggedOn() {
        final SecurityConfig security = new SecurityConfig(
                logon -> logon.password().equals("right") ? new Principal(logon.user()) : null,
                (principal, action, topic) -> principal.name().equals("ann") || action != Action.DELETE_TOPIC,
                false,
                AnonymousAdministration.NONE);
        try (ServedBroker guarded = new ServedBroker("guarded", folder.resolve("guarded"), 0, security)) {
            final Console shown = console(guarded.console());
            shown.open("topics", "Log on");
            assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
            logOn(shown, "bob", "wrong");
            assertThat(shown.page().getByRole(AriaRole.ALERT)).isVisible();
            logOn(shown, "bob", "right");
            assertThat(shown.page().locator(".who").first()).containsText("bob");
            assertThat(shown.page().getByRole(AriaRole.ROWHEADER)).hasText(ServedBroker.QUOTES);
            assertThat(shown.button("Delete quotes")).hasCount(0);
            shown.button("Log off").click();

            logOn(shown, "ann", "right");
            assertThat(shown.button("Delete quotes")).isVisible();
        }
    }

    @Test
    void shouldExplainWhatAUserMayDoAndByWhichRule() {
        final PermissionsConfig permissions = new PermissionsConfig(
                "",
                List.of(
                        new Role(
                                Role.EVERYONE,
                                List.of(PermissionRule.allow(List.of("admin-read", "list", "stat"), List.of("*"), ""))),
                        new Role(
                                "trader",
                                List.of(
                                        PermissionRule.allow(List.of("read"), List.of("quotes"), "desk = USER('name')"),
                                        PermissionRule.deny(List.of("publish"), List.of("*"), "")))));
        try (ServedBroker guarded =
                new ServedBroker("explained", folder.resolve("explained"), 0, SecurityConfig.defaults(), permissions)) {
            final Console shown = console(guarded.console());
            shown.open("permissions", "Permissions");
            shown.page().getByLabel("User").fill("bob");
            shown.page().getByLabel("Roles").first().fill("trader");
            shown.page().getByLabel("Topic").fill("quotes");
            shown.button("Explain").click();

            final Locator subscribe = row(shown, "subscribe");
            assertThat(subscribe).containsText("yes");
            assertThat(subscribe).containsText("desk = 'bob'");
            assertThat(subscribe).containsText("role trader, rule 1");
            assertThat(row(shown, "publish")).containsText("role trader, rule 2: deny publish");
            assertThat(row(shown, "create")).containsText("no rule allows it");
            assertThat(shown.page().getByText("everyone (1 rule)")).isVisible();
            shown.keep("Explained");
            assertThat(shown.violations(Console.ALL_RULES)).isEmpty();
            assertThat(shown.errors()).isEmpty();
        }
    }

    private static Locator row(final Console shown, final String action) {
        return shown.page()
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions()
                        .setHas(shown.page()
                                .getByRole(
                                        AriaRole.ROWHEADER,
                                        new Page.GetByRoleOptions()
                                                .setName(action)
                                                .setExact(true))));
    }

    private static void logOn(final Console shown, final String user, final String password) {
        shown.page().getByLabel("User").fill(user);
        shown.page().getByLabel("Password").fill(password);
        shown.button("Log on").click();
    }

    private static String topic(final String name, final String key) {
        final String topic = name + "-topic";
        try (PenstockClient client = broker().connect()) {
            client.declareTopic(Topic.json(topic).key(key));
        }
        return topic;
    }
}
