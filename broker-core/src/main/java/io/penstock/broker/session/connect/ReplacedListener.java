package io.penstock.broker.session.connect;

import io.penstock.broker.concurrent.IoNotice;

/** Notifies another I/O agent that one of its sessions lost its name. */
@FunctionalInterface
public interface ReplacedListener {
    /**
     * A name was taken.
     *
     * @param ioAgent index of the agent to notify.
     * @param notice  for it.
     */
    void onReplaced(int ioAgent, IoNotice notice);
}
