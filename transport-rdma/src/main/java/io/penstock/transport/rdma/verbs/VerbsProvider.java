package io.penstock.transport.rdma.verbs;

import java.io.IOException;

/** A way to reach RDMA devices. Found with {@link java.util.ServiceLoader}; any thread. */
public interface VerbsProvider {
    /**
     * The name for users.
     *
     * @return a word in lower case, another one for each provider.
     */
    String name();

    /**
     * Opens it for one transport.
     *
     * @return what that transport uses, and closes.
     * @throws IOException when it cannot work here: a library, the kernel's connection manager or a device is not there,
     *     or this user may not use it; the message says which, and the remedy.
     */
    Verbs open() throws IOException;
}
