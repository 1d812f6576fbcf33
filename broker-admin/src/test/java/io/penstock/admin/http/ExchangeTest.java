package io.penstock.admin.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is left of requests on a connection that goes on. */
class ExchangeTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> gone = new ArrayList<>();

    private final List<String> errors = new ArrayList<>();

    private final class Failures implements Refusals {
        @Override
        public void onRefused(final String peer, final String user, final Problem problem) {
            errors.add(problem.toString());
        }

        @Override
        public void onTlsFailed(final String peer, final String reason) {
            errors.add(reason);
        }

        @Override
        public void onError(final Throwable error) {
            errors.add(String.valueOf(error.getMessage()));
        }
    }

    private Exchange exchange() {
        final Request request = new Request(
                "POST",
                List.of("api", "v1", "query"),
                Map.of(),
                EmptyHttpHeaders.INSTANCE,
                new byte[0],
                new Request.Sender("http://127.0.0.1:1", true, false, List.of()));
        return new Exchange(channel, request, true, 1_000, new Guard(new Failures()), () -> {});
    }

    @Test
    void shouldForgetWhoIsToBeToldThatAConnectionHasGoneWhenThatIsTakenBack() {
        for (int i = 0; i < 100; i++) {
            final String which = "of request " + i;
            final Runnable stays = exchange().onGone(() -> gone.add(which));
            if (i != 50) {
                stays.run();
            }
        }
        assertThat(gone).isEmpty();

        channel.close().syncUninterruptibly();
        channel.runPendingTasks();
        assertThat(gone).containsExactly("of request 50");
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldTellAtOnceWhenTheConnectionHasGoneAlready() {
        channel.close().syncUninterruptibly();
        final Runnable stays = exchange().onGone(() -> gone.add("late"));
        channel.runPendingTasks();
        assertThat(gone).containsExactly("late");
        stays.run();

        exchange().onGone(() -> {
            throw new IllegalStateException("a client that cannot be closed");
        });
        exchange().onGone(() -> gone.add("later"));
        channel.runPendingTasks();
        assertThat(gone).containsExactly("late", "later");
        assertThat(errors).containsExactly("a client that cannot be closed");
    }
}
