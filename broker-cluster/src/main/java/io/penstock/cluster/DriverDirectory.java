package io.penstock.cluster;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.penstock.file.OwnerOnly;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The directory of a node's media driver. The driver makes it anew at each start, and deletes it when it ends, so nothing else
 * may be in it. What it has is the memory through which all that a node takes and gives passes, so the directory above it is
 * the node's user's alone. Used by the thread that starts and closes the node.
 */
final class DriverDirectory {
    private static final Set<String> DRIVERS_OWN =
            Set.of(CncFileDescriptor.CNC_FILE, "loss-report.dat", "images", "publications");

    /** A driver gives a sign of life each second. */
    private static final long ALIVE_MS = TimeUnit.SECONDS.toMillis(10);

    private DriverDirectory() {}

    /**
     * Makes the directory above that of the driver, and makes sure that the driver's may be deleted.
     *
     * @param driver directory of the driver, which need not be there.
     * @throws IOException when something else is in it, or others may use the directory above it.
     */
    static void prepare(final Path driver) throws IOException {
        check(driver);
        final Path above = above(driver);
        OwnerOnly.createDirectories(above);
        checkOwner(above);
    }

    private static Path above(final Path driver) {
        return Objects.requireNonNull(driver.getParent());
    }

    private static void check(final Path driver) throws IOException {
        final File file = driver.toFile();
        if (!file.exists()) {
            return;
        }
        final String[] names = file.list();
        if (names == null || !DRIVERS_OWN.containsAll(Set.of(names))) {
            throw new IOException("cluster.driverDirectory: has files of something else: " + driver
                    + " (name a new one: what is in it is deleted at each start)");
        }
    }

    private static void checkOwner(final Path above) throws IOException {
        final String rights = OwnerOnly.wideRights(above);
        if (Files.isSymbolicLink(above) || rights != null) {
            throw new IOException("cluster.driverDirectory: others may use it: " + above + ": "
                    + (rights == null ? "a link" : rights) + " (name a new one, or take the rights of others from it)");
        }
        final Path own = Files.createTempFile(above, "owner", "");
        try {
            if (!Files.getOwner(above, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) {
                throw new IOException("cluster.driverDirectory: of another user: " + above + " (name a new one)");
            }
        } finally {
            Files.delete(own);
        }
    }

    /**
     * Makes sure that no driver uses the directory, for example that of another node with the same setting.
     *
     * @param driver directory of the driver.
     * @throws IllegalStateException when one was alive some seconds ago; it may have been killed since.
     */
    static void checkNotActive(final Path driver) {
        if (CommonContext.isDriverActive(driver.toFile(), ALIVE_MS, text -> {})) {
            throw new IllegalStateException("cluster.driverDirectory: a driver is active in it: " + driver
                    + " (give each node one of its own)");
        }
    }

    /** Deletes the directory above that of a driver that has ended, if nothing is in it. */
    static void deleteAbove(final Path driver) {
        try {
            Files.deleteIfExists(above(driver));
        } catch (final IOException e) {
            // It is empty, or somebody else's matter.
        }
    }
}
