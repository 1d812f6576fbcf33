package io.penstock.transport.rdma.disni;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of the system's errors in texts of our native methods, and what to do about some of them. Any thread. */
final class Errnos {
    static final int EIO = 5;

    private static final Pattern NUMBER = Pattern.compile("\\(errno (\\d+)\\)$");
    private static final int ENOENT = 2;
    private static final int ENXIO = 6;
    private static final int EACCES = 13;
    private static final int ENODEV = 19;
    private static final int EADDRINUSE = 98;
    private static final int EADDRNOTAVAIL = 99;

    private Errnos() {}

    /** The number at the end of a text; {@link #EIO} when there is none. */
    static int of(final IOException e) {
        final Matcher matcher = NUMBER.matcher(String.valueOf(e.getMessage()));
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : EIO;
    }

    static String deviceRemedy(final IOException e) {
        return switch (of(e)) {
            case ENOENT, ENXIO, ENODEV ->
                " (the kernel has no RDMA connection manager: load its module with 'modprobe rdma_ucm'; 'rdma link'"
                        + " lists devices)";
            case EACCES -> " (let this user read and write the files in /dev/infiniband, for example by a udev rule)";
            default -> "";
        };
    }

    static String addressRemedy(final IOException e) {
        return switch (of(e)) {
            case EADDRINUSE -> " (use another port, or 0 for any)";
            case EADDRNOTAVAIL, ENODEV ->
                " (use an address of an interface that has an RDMA device: 'rdma link' lists them)";
            default -> "";
        };
    }
}
