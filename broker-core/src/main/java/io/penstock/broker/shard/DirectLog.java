package io.penstock.broker.shard;

import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The order of a broker whose I/O agents run on the thread of the sequencer: a message is applied in the call that hands it
 * over, so that nothing is left to read. Owned by that thread.
 */
public final class DirectLog implements OrderedLog {
    private DirectPort[] ports = new DirectPort[0];

    /** No I/O agent has a way into it yet. */
    public DirectLog() {}

    @Override
    public ShardPort newPort(final Sequencer sequencer, final int ioAgent, final AtomicCounter payloadBytesCopied) {
        final DirectPort port = new DirectPort(sequencer.shard().number(), sequencer);
        ports = ArrayUtil.add(ports, port);
        return port;
    }

    @Override
    public int read(final Shard to) {
        return 0;
    }

    @Override
    public int expire(final Shard to, final long nowNs) {
        return to.expire(nowNs);
    }

    @Override
    public boolean onApplied() {
        boolean isNotified = true;
        for (final DirectPort port : ports) {
            isNotified &= port.onProcessed();
        }
        return isNotified;
    }
}
