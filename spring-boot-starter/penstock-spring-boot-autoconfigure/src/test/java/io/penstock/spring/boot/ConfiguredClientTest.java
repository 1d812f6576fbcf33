package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishStore;
import io.penstock.spring.ClientConfigSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Configurations of clients. */
class ConfiguredClientTest {
    @TempDir
    Path directory;

    private ConfiguredClient client(final Map<String, String> more, final ClientConfigCustomizer... customizers) {
        final Map<String, String> all = new HashMap<>(Map.of(
                "penstock.name", "desk",
                "penstock.publish-store.kind", "file",
                "penstock.publish-store.path", directory.resolve("publishes").toString(),
                "penstock.bookmark-store.kind", "file",
                "penstock.bookmark-store.path", directory.resolve("bookmarks").toString()));
        all.putAll(more);
        final PenstockProperties properties = new Binder(new MapConfigurationPropertySource(all))
                .bindOrCreate(PenstockProperties.PREFIX, PenstockProperties.class);
        return new ConfiguredClient(
                properties,
                new PropertiesConnectionDetails(properties),
                new ClientAccess(ClientTls.defaults(), CredentialsProvider.NONE),
                new ConnectionState(List.of(), new NameRetreat(Duration.ofSeconds(1))),
                List.of(customizers));
    }

    private static void close(final ClientConfig config) {
        Objects.requireNonNull(config.publishStore()).close();
        Objects.requireNonNull(config.bookmarkStore()).close();
    }

    @Test
    void shouldLeaveNoStoreOpenWhenTheOtherOneCannotBeOpened() {
        final ConfiguredClient client = client(Map.of());
        try (BookmarkStore other = BookmarkStore.inFile(directory.resolve("bookmarks"))) {
            assertThat(other).isNotNull();
            assertThatThrownBy(() -> client.config(ClientConfigSource.SHARED))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("bookmarks");
        }
        close(client.config(ClientConfigSource.SHARED));
    }

    @Test
    void shouldLeaveNoStoreOpenWhenACustomizerFails() {
        final boolean[] isFailing = {false};
        final ConfiguredClient client = client(Map.of(), builder -> {
            if (isFailing[0]) {
                throw new IllegalStateException("not now");
            }
        });
        isFailing[0] = true;
        assertThatThrownBy(() -> client.config(ClientConfigSource.SHARED)).hasMessage("not now");
        isFailing[0] = false;
        close(client.config(ClientConfigSource.SHARED));
    }

    @Test
    void shouldLeaveNoStoreOpenWhenACustomizerBringsItsOwn() {
        final ConfiguredClient client = client(
                Map.of(),
                builder -> builder.publishStore(PublishStore.inMemory()).bookmarkStore(BookmarkStore.inMemory()));
        close(client.config(ClientConfigSource.SHARED));
        PublishStore.inFile(directory.resolve("publishes")).close();
        BookmarkStore.inFile(directory.resolve("bookmarks")).close();
    }

    @Test
    void shouldHaveTheNameOfTheProgramWhenACustomizerChangesIt() {
        assertThat(client(Map.of()).name()).isEqualTo("desk");
        assertThat(client(Map.of("penstock.publish-store.kind", "none", "penstock.name", ""))
                        .name())
                .isEmpty();
        assertThat(client(Map.of(), builder -> builder.name("desk-7")).name()).isEqualTo("desk-7");
    }
}
