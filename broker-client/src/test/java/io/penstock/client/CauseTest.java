package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stack says each thing once. */
class CauseTest {
    private static void assertNothingTwice(final Throwable failure) {
        assertThat(failure.getMessage()).isNotBlank();
        for (Throwable effect = failure; effect.getCause() != null; effect = effect.getCause()) {
            final @Nullable String message = effect.getCause().getMessage();
            assertThat(effect.getMessage()).isNotNull().isNotEqualTo(message);
            if (message != null) {
                assertThat(effect.getMessage()).doesNotContainIgnoringCase(message);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://127.0.0.1:1",
                "tcp://127.0.0.1:1,127.0.0.1:2",
                "tcp://no-such-host.invalid:1",
                "tcp://nothing",
                "inproc:nobody-is-here",
                "ipc:nobody-is-here",
            })
    void shouldSayOnceWhyItCannotConnect(final String endpoint) {
        final Throwable failure = catchThrowable(() -> PenstockClient.connect(endpoint));
        assertThat(failure).isInstanceOf(ConnectionException.class);
        assertNothingTwice(failure);
    }

    @Test
    void shouldSayOnceWhyAStoreCannotBeOpened(final @TempDir Path directory) throws IOException {
        final Path path = directory.resolve("store");
        Files.createDirectory(directory.resolve("store.1"));
        final Throwable failure = catchThrowable(() -> PublishStore.inFile(path));
        assertThat(failure).hasMessage(path + ".1: cannot be opened: Is a directory (move it away)");
        assertNothingTwice(failure);
    }

    @Test
    void shouldSayOnceWhatAHandlerThrew() {
        final IllegalStateException thrown = new IllegalStateException("no idea");
        try (ClientFixture fixture = new ClientFixture("cause", config -> config).loggedOn()) {
            final SowRequest request = SowRequest.topic("orders");
            final CompletableFuture<SowStats> answer = fixture.client.sowAsync(request, message -> {
                throw thrown;
            });
            fixture.poll();
            fixture.broker.topic(0, 3, "orders");
            fixture.broker.deliver(1, 3, 1, "a");
            fixture.poll();
            assertThat(answer).isCompletedExceptionally();
            final Throwable failure = catchThrowable(answer::join).getCause();
            assertThat(failure).hasCause(thrown);
            assertNothingTwice(Objects.requireNonNull(failure));
        }
    }

    @Test
    void shouldHaveTheCallersStackAndTheSameCause() {
        final IllegalStateException cause = new IllegalStateException("deep down");
        final PenstockException found = new ConnectionException("lost", cause);
        final PenstockException copy = found.onCallersThread();
        assertThat(copy)
                .isInstanceOf(ConnectionException.class)
                .hasMessage("lost")
                .hasCause(cause);
        assertThat(new PenstockException(ErrorCode.BAD_FILTER, "no").onCallersThread())
                .hasMessage("no")
                .hasNoCause()
                .extracting(PenstockException::errorCode)
                .isEqualTo(ErrorCode.BAD_FILTER);
    }
}
