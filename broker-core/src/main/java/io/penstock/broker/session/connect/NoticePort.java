package io.penstock.broker.session.connect;

import io.penstock.broker.concurrent.IoNotice;

/** Notifies an I/O agent of something about one of its sessions. Any thread. */
@FunctionalInterface
public interface NoticePort {
    /**
     * Offers a notice.
     *
     * @param ioAgent index of the agent to notify.
     * @param notice  for it.
     * @return false when there is no room.
     */
    boolean offer(int ioAgent, IoNotice notice);
}
