package io.penstock.transport.stream.epoll;

import java.io.IOException;

/** Makes sockets that Netty does not know how to make. Called by the agent that owns the transport. */
public interface DescriptorFactory {
    /**
     * Makes a stream socket that takes IPv4 addresses and does not block.
     *
     * @return its file descriptor, which the caller owns.
     * @throws IOException when the kernel has no such sockets.
     */
    int open() throws IOException;
}
