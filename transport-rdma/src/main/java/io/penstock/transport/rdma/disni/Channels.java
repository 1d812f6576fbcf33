package io.penstock.transport.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.impl.NatIbvCompChannel;
import io.penstock.nativeaccess.NativeAccess;
import io.penstock.transport.rdma.shim.Descriptors;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Channels that signal completions, one for each device. The control thread adds them, each time in a new array; the
 * agent waits. DiSNI does not say for which queue a channel was signalled, so afterwards all queues have to be armed
 * again.
 */
final class Channels implements Descriptors.Taker {
    private static final int EVENT_LIMIT = 1024;

    private final NativeAccess access;
    private final Descriptors descriptors;
    private volatile Channel[] channels = {};
    private int round;

    private record Channel(DisniDevice device, IbvCompChannel channel) {}

    Channels(final NativeAccess access) throws IOException {
        this.access = access;
        descriptors = new Descriptors(access);
    }

    /** The channel for queues of a device. Control. */
    IbvCompChannel of(final DisniDevice device) throws IOException {
        final Channel[] known = channels;
        for (final Channel each : known) {
            if (each.device() == device) {
                return each.channel();
            }
        }
        if (known.length + 1 == Descriptors.COUNT_MAX) {
            throw new IOException("rdma: too many devices: " + known.length + " (listen on fewer addresses)");
        }
        final Channel[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = new Channel(device, device.context().createCompChannel());
        channels = more;
        wakeup();
        return more[known.length].channel();
    }

    /** A number that changes whenever queues have lost their arming. Agent. */
    int round() {
        return round;
    }

    /** Agent. */
    void await(final long timeoutNs) {
        final Channel[] now = channels;
        while (descriptors.count() <= now.length) {
            final NatIbvCompChannel channel = (NatIbvCompChannel) now[descriptors.count() - 1].channel();
            descriptors.add(access.rdmaBellDescriptor(channel.getObjId()));
        }
        if (descriptors.await(timeoutNs)) {
            descriptors.takeReady(this);
        }
    }

    /** Events beyond the limit end the next wait at once. Agent. */
    @Override
    public boolean take(final int index) {
        final IbvCompChannel channel = channels[index - 1].channel();
        final @Nullable IbvCQ any = null;
        try {
            int count = 0;
            while (count < EVENT_LIMIT && channel.getCqEvent(any, 0)) {
                count++;
            }
            if (count > 0) {
                round++;
            }
            return true;
        } catch (final IOException ignored) {
            // When a channel is broken, its connections learn it by events of their own.
            round++;
            return false;
        }
    }

    void wakeup() {
        descriptors.wakeup();
    }

    void close() throws IOException {
        for (final Channel each : channels) {
            each.channel().destroyCompChannel();
        }
        descriptors.close();
    }
}
