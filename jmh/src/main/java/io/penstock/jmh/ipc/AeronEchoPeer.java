package io.penstock.jmh.ipc;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A media driver, and an echo that never sleeps. */
final class AeronEchoPeer {
    static final int PING_STREAM = 1;
    static final int PONG_STREAM = 2;
    private static final int FRAGMENT_LIMIT = 10;

    /** Longer than this process is ever stopped. */
    private static final long TIMEOUT_S = 60;

    private AeronEchoPeer() {}

    public static void main(final String[] args) throws IOException {
        final MediaDriver.Context context = new MediaDriver.Context()
                .aeronDirectoryName(CommonContext.generateRandomDirName())
                .threadingMode(ThreadingMode.SHARED)
                .clientLivenessTimeoutNs(TimeUnit.SECONDS.toNanos(TIMEOUT_S))
                .publicationUnblockTimeoutNs(TimeUnit.SECONDS.toNanos(2 * TIMEOUT_S))
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true);
        try (MediaDriver driver = MediaDriver.launch(context);
                Aeron aeron = connect(driver.aeronDirectoryName())) {
            final Subscription pings = aeron.addSubscription(CommonContext.IPC_CHANNEL, PING_STREAM);
            final ExclusivePublication pongs = aeron.addExclusivePublication(CommonContext.IPC_CHANNEL, PONG_STREAM);
            final Thread echo = new Thread(() -> echo(pings, pongs));
            echo.setDaemon(true);
            echo.start();
            Peer.serve(driver.aeronDirectoryName());
        }
    }

    static Aeron connect(final String directory) {
        return Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory)
                .driverTimeoutMs(TimeUnit.SECONDS.toMillis(TIMEOUT_S)));
    }

    private static void echo(final Subscription pings, final ExclusivePublication pongs) {
        final FragmentHandler handler = (buffer, offset, length, header) -> {
            while (pongs.offer(buffer, offset, length) < 0 && !pongs.isClosed()) {
                Thread.onSpinWait();
            }
        };
        while (!pings.isClosed()) {
            if (pings.poll(handler, FRAGMENT_LIMIT) == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
