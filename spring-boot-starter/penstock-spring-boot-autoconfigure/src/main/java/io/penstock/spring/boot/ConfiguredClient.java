package io.penstock.spring.boot;

import io.penstock.client.BookmarkStore;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.ConnectionListener;
import io.penstock.client.PublishStore;
import io.penstock.protocol.ErrorCode;
import io.penstock.spring.ClientConfigSource;
import io.penstock.spring.boot.PenstockProperties.StoreKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** From properties to the configuration of clients: the shared one, and those of single listeners. Safe on any thread. */
final class ConfiguredClient implements ClientConfigSource {
    private static final String PREFIX = PenstockProperties.PREFIX + ".";

    /** A purpose that no listener has. */
    private static final String CHECK = "check";

    private final PenstockProperties properties;
    private final PenstockConnectionDetails details;
    private final ClientAccess access;
    private final ConnectionState state;
    private final List<ClientConfigCustomizer> customizers;
    private final String programName;

    /** Of the names of clients that are not shared, by their purpose. */
    private final Map<String, NameRetreat> retreats = new ConcurrentHashMap<>();

    /** The next client goes on where the one before it has ended. */
    private final BookmarkStore bookmarksInMemory = BookmarkStore.inMemory();

    /** Checks the properties by making a configuration of them, so that a mistake is found at the start. */
    ConfiguredClient(
            final PenstockProperties properties,
            final PenstockConnectionDetails details,
            final ClientAccess access,
            final ConnectionState state,
            final List<ClientConfigCustomizer> customizers) {
        this.properties = properties;
        this.details = details;
        this.access = access;
        this.state = state;
        this.customizers = customizers;
        checkStores();
        Servers.check(details.servers());
        programName = config(CHECK).name();
    }

    /** As the properties and the customizers have it, without what tells the client of the check from the shared one. */
    @Override
    public String name() {
        return programName.endsWith("/" + CHECK)
                ? programName.substring(0, programName.length() - CHECK.length() - 1)
                : programName;
    }

    /** Stores are those of the shared client, as is the name; another one has its purpose in its name. */
    @Override
    public ClientConfig config(final String purpose) {
        final boolean isShared = purpose.equals(SHARED);
        final String name =
                isShared || properties.name().isEmpty() ? properties.name() : properties.name() + "/" + purpose;
        final ConnectionListener names = isShared ? state.listener() : ownName(purpose);
        final List<String> servers = details.servers();
        if (servers.isEmpty()) {
            throw new PenstockConfigurationException(
                    PREFIX + "servers", "names none (use for example " + PenstockProperties.SERVER_DEFAULT + ")", null);
        }
        try {
            final ClientConfig.Builder builder = ClientConfig.builder(servers.get(0))
                    .servers(servers.subList(1, servers.size()).toArray(new String[0]))
                    .name(name)
                    .credentials(access.credentials())
                    .tls(access.tls())
                    .heartbeatInterval(properties.heartbeatInterval())
                    .messageLengthMax(
                            Math.toIntExact(properties.messageLengthMax().toBytes()))
                    .connectionListener(names);
            addTimes(builder);
            return isShared ? withStores(builder) : customized(builder);
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

    private ClientConfig customized(final ClientConfig.Builder builder) {
        customizers.forEach(each -> each.customize(builder));
        return builder.build();
    }

    /** Stores that the client does not get are closed: the next attempt needs their files. */
    private ClientConfig withStores(final ClientConfig.Builder builder) {
        state.checkName();
        PublishStore publishes = null;
        BookmarkStore bookmarks = null;
        ClientConfig made = null;
        try {
            publishes = publishStore();
            if (publishes != null) {
                builder.publishStore(publishes);
            }
            bookmarks = bookmarkStore();
            if (bookmarks != null) {
                builder.bookmarkStore(bookmarks);
            }
            made = customized(builder);
            return made;
        } finally {
            if (publishes != null && (made == null || !publishes.equals(made.publishStore()))) {
                publishes.close();
            }
            if (bookmarks != null && (made == null || !bookmarks.equals(made.bookmarkStore()))) {
                bookmarks.close();
            }
        }
    }

    private @Nullable PublishStore publishStore() {
        final PenstockProperties.PublishStoring storing = properties.publishStore();
        final int length = Math.toIntExact(storing.length().toBytes());
        return switch (storing.kind()) {
            case NONE -> null;
            case MEMORY -> PublishStore.inMemory(storing.limit(), length);
            case FILE ->
                PublishStore.inFile(file("publish-store", storing.path()), storing.limit(), length, storing.sync());
        };
    }

    private @Nullable BookmarkStore bookmarkStore() {
        final PenstockProperties.BookmarkStoring storing = properties.bookmarkStore();
        return switch (storing.kind()) {
            case NONE -> null;
            case MEMORY -> bookmarksInMemory;
            case FILE -> BookmarkStore.inFile(file("bookmark-store", storing.path()), storing.batch());
        };
    }

    /** Of a listener's own client: while another program has its name, it is not made. */
    private ConnectionListener ownName(final String purpose) {
        final NameRetreat retreat = retreats.computeIfAbsent(
                purpose, key -> new NameRetreat(properties.reconnect().delayMax()));
        final long leftNs = retreat.leftNs(System.nanoTime());
        if (leftNs > 0) {
            throw new ConnectionException(
                    ErrorCode.REPLACED,
                    "another program with the same name is connected, and has taken the connection of '" + purpose
                            + "' (give each program a " + PREFIX + "name of its own); the next attempt is in "
                            + TimeUnit.NANOSECONDS.toMillis(leftNs) + " ms");
        }
        return new ConnectionListener() {
            @Override
            public void onConnected(final URI server, final int attempt) {
                retreat.onConnected(System.nanoTime());
            }

            @Override
            public void onGaveUp(final ConnectionException reason) {
                if (reason.errorCode() == ErrorCode.REPLACED) {
                    retreat.onReplaced(System.nanoTime());
                }
            }
        };
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
