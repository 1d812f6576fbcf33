package io.penstock.transport.stream.epoll;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether Netty's native epoll can be used. Netty may be missing, or be of another version than the one this was built with,
 * whose interface differs: a framework may choose it. So it is tried out once. Any thread.
 */
public final class NativeEpoll {
    private static final @Nullable String CAUSE = tryOut();

    private NativeEpoll() {}

    /**
     * Whether loops may be made.
     *
     * @return true on Linux with a Netty of version 4.2 whose native library could be loaded.
     */
    public static boolean isAvailable() {
        return CAUSE == null;
    }

    /**
     * Why they may not.
     *
     * @return for people.
     */
    public static String whyNot() {
        return String.valueOf(CAUSE);
    }

    private static @Nullable String tryOut() {
        try {
            if (!Epoll.isAvailable()) {
                return String.valueOf(Epoll.unavailabilityCause());
            }
            EpollSocketLoop.tryOut();
            return null;
        } catch (final LinkageError | RuntimeException | IOException e) {
            return e.toString();
        }
    }
}
