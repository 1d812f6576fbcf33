package io.penstock.bridge.iiop;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

/**
 * Logs what fails on the threads that serve connections. A logger that fails as well, for example since a class of its
 * cannot be loaded while there are too many open files, must not end such a thread. Safe on any thread.
 */
final class FailureLog extends ChannelInboundHandlerAdapter {
    private static final System.Logger LOG = System.getLogger(FailureLog.class.getName());

    /** The last handler of the channel that listens, where failures to accept arrive. Loads what loggers need. */
    FailureLog() {
        final String line = String.format(
                Locale.getDefault(Locale.Category.FORMAT),
                "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
                Instant.EPOCH.atZone(ZoneId.systemDefault()));
        LOG.log(System.Logger.Level.TRACE, line);
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
        warn("bridge: a connection cannot be accepted (tried again)", cause);
    }

    /** Logs a failure. Throws nothing. */
    static void warn(final String text, final Throwable failure) {
        try {
            LOG.log(System.Logger.Level.WARNING, text, failure);
        } catch (final RuntimeException | Error e) {
            // There is nowhere left to report it, and others are to be served.
            return;
        }
    }
}
