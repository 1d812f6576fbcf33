package io.penstock.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.penstock.client.PenstockClient;
import io.penstock.client.SubscribeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Makes the picture of the documentation: {@code -Dpenstock.console.image=FILE}. */
@Tag("one-jdk")
@Timeout(540)
@EnabledIfSystemProperty(named = "penstock.console.image", matches = ".+")
class ConsoleImageTest {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 860;
    private static final long LOAD_NS = Duration.ofSeconds(Integer.getInteger("penstock.console.imageSeconds", 300))
            .toNanos();
    private static final long LENGTH_MAX = 200 * 1024;

    @TempDir
    private Path folder;

    @Test
    void shouldShowABrokerAtWork() throws IOException {
        final Path image = Path.of(System.getProperty("penstock.console.image"));
        try (BrowserProgram browser = BrowserProgram.launch();
                ServedBroker broker = new ServedBroker("image", folder, 0);
                Console console = new Console(browser.browser(), broker.console());
                PenstockClient subscriber = broker.connect();
                PenstockClient publisher = broker.connect()) {
            console.page().setViewportSize(WIDTH, HEIGHT);
            console.open("overview", "Overview");
            subscriber.subscribe(SubscribeRequest.topic(ServedBroker.QUOTES), message -> {});
            subscriber.subscribe(SubscribeRequest.topic(ServedBroker.QUOTES).filter("price > 100"), message -> {});
            load(publisher);
            assertThat(console.page().locator(".uplot canvas").first()).isVisible();
            console.page().screenshot(new Page.ScreenshotOptions().setPath(image));
        }
        assertThat(Files.size(image)).isLessThanOrEqualTo(LENGTH_MAX);
    }

    /** More and fewer messages, as a day has them. */
    private static void load(final PenstockClient publisher) {
        final long startNs = System.nanoTime();
        for (long nowNs = startNs; nowNs - startNs < LOAD_NS; nowNs = System.nanoTime()) {
            final double seconds = (nowNs - startNs) / 1e9;
            final int count = (int) (60 + 35 * Math.sin(seconds / 30) + 3 * Math.sin(seconds * 1.7));
            for (int i = 0; i < count; i++) {
                publisher.publish(
                        ServedBroker.QUOTES, "{\"symbol\":\"" + i + "\",\"price\":" + (i * 5) + ",\"side\":\"B\"}");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
