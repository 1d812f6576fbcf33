package io.penstock.spring.boot;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionListener;
import io.penstock.client.PublishStore;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.boot.PenstockProperties.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From properties to the configuration of clients: the shared one, and those of single listeners. Safe on any thread. */
final class ConfiguredClient implements ClientConfigSource {
    private static final String PREFIX = PenstockProperties.PREFIX + ".";

    private final PenstockProperties properties;
    private final PenstockConnectionDetails details;
    private final ConnectionListener listener;
    private final List<ClientConfigCustomizer> customizers;

    /** The next client goes on where the one before it has ended. */
    private final BookmarkStore bookmarksInMemory = BookmarkStore.inMemory();

    /** Checks the properties by making a configuration of them, so that a mistake is found at the start. */
    ConfiguredClient(
            final PenstockProperties properties,
            final PenstockConnectionDetails details,
            final ConnectionListener listener,
            final List<ClientConfigCustomizer> customizers) {
        this.properties = properties;
        this.details = details;
        this.listener = listener;
        this.customizers = customizers;
        checkStores();
        config("check");
    }

    /** Stores are those of the shared client, as is the name; another one has its purpose in its name. */
    @Override
    public ClientConfig config(final String purpose) {
        final boolean isShared = purpose.equals(SHARED);
        final String name =
                isShared || properties.name().isEmpty() ? properties.name() : properties.name() + "/" + purpose;
        final List<String> servers = details.servers();
        if (servers.isEmpty()) {
            throw new PenstockConfigurationException(
                    PREFIX + "servers", "names none (use for example " + PenstockProperties.SERVER_DEFAULT + ")", null);
        }
        try {
            final ClientConfig.Builder builder = ClientConfig.builder(servers.get(0))
                    .servers(servers.subList(1, servers.size()).toArray(new String[0]))
                    .name(name)
                    .credentials(details.user(), details.password())
                    .heartbeatInterval(properties.heartbeatInterval())
                    .messageLengthMax(
                            Math.toIntExact(properties.messageLengthMax().toBytes()))
                    .connectionListener(isShared ? listener : ConnectionListener.NONE);
            addTimes(builder);
            if (isShared) {
                addStores(builder);
            }
            customizers.forEach(each -> each.customize(builder));
            return builder.build();
        } catch (final ArithmeticException e) {
            throw new PenstockConfigurationException(
                    PREFIX + "message-length-max",
                    "too large: " + properties.messageLengthMax() + " (use 1GB or less)",
                    e);
        } catch (final PenstockConfigurationException e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()), e);
        }
    }

    private void checkStores() {
        final PenstockProperties.PublishStoring publishes = properties.publishStore();
        if (publishes.kind() != StoreKind.NONE && properties.name().isEmpty()) {
            throw new PenstockConfigurationException(
                    PREFIX + "name",
                    "is empty (name a client that has a publish store: the broker knows its messages by the name)",
                    null);
        }
        if (publishes.length().toBytes() > Integer.MAX_VALUE) {
            throw new PenstockConfigurationException(
                    PREFIX + "publish-store.length", "too large: " + publishes.length() + " (use less than 2GB)", null);
        }
        if (publishes.kind() == StoreKind.FILE) {
            file("publish-store", publishes.path());
        }
        if (properties.bookmarkStore().kind() == StoreKind.FILE) {
            file("bookmark-store", properties.bookmarkStore().path());
        }
    }

    private void addTimes(final ClientConfig.Builder builder) {
        builder.connectTimeout(properties.timeout().connect())
                .requestTimeout(properties.timeout().request())
                .publishTimeout(properties.timeout().publish())
                .closeTimeout(properties.timeout().close())
                .reconnectDelay(
                        properties.reconnect().delayMin(),
                        properties.reconnect().delayMax());
        final Duration timeout = properties.reconnect().timeout();
        if (timeout == null) {
            builder.reconnect();
        } else {
            builder.reconnect(timeout);
        }
    }

    private void addStores(final ClientConfig.Builder builder) {
        final PenstockProperties.PublishStoring publishes = properties.publishStore();
        if (publishes.kind() != StoreKind.NONE) {
            final int length = Math.toIntExact(publishes.length().toBytes());
            builder.publishStore(
                    publishes.kind() == StoreKind.MEMORY
                            ? PublishStore.inMemory(publishes.limit(), length)
                            : PublishStore.inFile(
                                    file("publish-store", publishes.path()),
                                    publishes.limit(),
                                    length,
                                    publishes.sync()));
        }
        final PenstockProperties.BookmarkStoring bookmarks = properties.bookmarkStore();
        if (bookmarks.kind() != StoreKind.NONE) {
            builder.bookmarkStore(
                    bookmarks.kind() == StoreKind.MEMORY
                            ? bookmarksInMemory
                            : BookmarkStore.inFile(file("bookmark-store", bookmarks.path()), bookmarks.batch()));
        }
    }

    /** A store's files, in a directory that is made unless it is there. */
    private static Path file(final String store, final @Nullable Path path) {
        final String key = PREFIX + store + ".path";
        if (path == null) {
            throw new PenstockConfigurationException(
                    key, "missing for a store of kind file (give the path of its files)", null);
        }
        final Path directory = path.toAbsolutePath().getParent();
        try {
            if (directory != null) {
                Files.createDirectories(directory);
            }
        } catch (final IOException e) {
            throw new PenstockConfigurationException(
                    key, "its directory cannot be made: " + directory + " (use one that can be written to)", e);
        }
        return path;
    }

    /** The client's own keys have other names where the properties have units. */
    private static PenstockConfigurationException refused(final String message, final IllegalArgumentException cause) {
        final int end = message.indexOf(": ");
        final String key = end < 0 ? "client" : message.substring(0, end);
        final String property = switch (key) {
            case "client.endpoint", "client.servers" -> "servers";
            case "client.name" -> "name";
            case "client.heartbeatIntervalMs" -> "heartbeat-interval";
            case "client.messageLengthMax" -> "message-length-max";
            case "client.connectTimeoutNs" -> "timeout.connect";
            case "client.requestTimeoutNs" -> "timeout.request";
            case "client.publishTimeoutNs" -> "timeout.publish";
            case "client.closeTimeoutNs" -> "timeout.close";
            case "client.reconnectDelayMinNs" -> "reconnect.delay-min";
            case "client.reconnectDelayMaxNs" -> "reconnect.delay-max";
            case "client.reconnectTimeoutNs" -> "reconnect.timeout";
            default -> "";
        };
        return property.isEmpty()
                ? new PenstockConfigurationException(PenstockProperties.PREFIX, message, cause)
                : new PenstockConfigurationException(PREFIX + property, message.substring(end + 2), cause);
    }
}
