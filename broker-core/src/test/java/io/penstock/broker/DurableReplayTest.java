package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.broker.storage.StoredFile;
import io.penstock.client.ReplayRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Subscriptions that wait for stable storage, on a disk whose syncs fail. */
@Timeout(60)
class DurableReplayTest {
    @TempDir
    Path directory;

    private boolean isBroken;

    @Test
    void shouldNotReadFromFilesWhatASyncHasNotPutOnStableStorage() {
        try (TestBroker test = new TestBroker(builder -> builder.storage(
                        path -> failing(Storage.class, StorageProvider.DISK.open(path)))
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)))) {
            final RawClient publisher = test.logOn("publisher");
            test.publish(publisher, "t", "{\"n\":0}");
            test.settle();
            isBroken = true;
            test.publish(publisher, "t", "{\"n\":1}");
            test.settle();

            final RawClient durable = replay(test, ReplayRequest.topic("t"));
            final RawClient live = replay(test, ReplayRequest.topic("t").live());

            assertThat(texts(durable)).containsExactly("{\"n\":0}");
            assertThat(texts(live)).containsExactly("{\"n\":0}", "{\"n\":1}");
            assertThat(test.takeErrors()).anyMatch(error -> error.contains("cannot be synced"));
            isBroken = false;
        }
    }

    private static RawClient replay(final TestBroker test, final ReplayRequest request) {
        final RawClient client = test.logOn("client-" + test.clients.size());
        client.subscribeFrom(2, 7, request);
        test.settle();
        return client;
    }

    private static List<String> texts(final RawClient client) {
        return client.deliveries.stream()
                .map(delivery -> new String(delivery.payload(), UTF_8))
                .toList();
    }

    /** The same, but that files cannot be synced while the disk is broken. */
    private <T> T failing(final Class<T> type, final T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (isBroken && target instanceof StoredFile && method.getName().equals("sync")) {
                throw new IOException("cannot be synced");
            }
            try {
                final Object result = method.invoke(target, args);
                if (result instanceof Storage storage) {
                    return failing(Storage.class, storage);
                }
                return result instanceof StoredFile file ? failing(StoredFile.class, file) : result;
            } catch (final InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
