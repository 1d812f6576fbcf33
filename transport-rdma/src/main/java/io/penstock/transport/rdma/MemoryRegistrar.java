package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.VerbsDevice;
import io.penstock.transport.rdma.verbs.VerbsRegistration;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * All memory that this process has registered with one device: each piece once, counted, and within a budget. At the
 * bound a registration is refused, and its caller (a connection, mostly) fails with the numbers; existing registrations
 * are not touched.
 *
 * <p>Any thread, but never on the path of a message: registering takes milliseconds, and this takes a lock.
 */
public final class MemoryRegistrar {
    private static final ConcurrentHashMap<VerbsDevice, MemoryRegistrar> REGISTRARS = new ConcurrentHashMap<>();

    private final TreeMap<Long, Region> regions = new TreeMap<>();
    private final VerbsDevice device;
    private final long budgetLength;
    private final LongSupplier lockLimit;
    private long registeredLength;
    private long registrationCount;
    private long deregistrationCount;
    private long sharedCount;
    private long refusedCount;

    /** Memory that is registered; of as many users as have not closed it. */
    private static final class Region {
        private final long address;
        private final long length;
        private final int access;
        private final VerbsRegistration registration;
        private int userCount;

        Region(final long address, final long length, final int access, final VerbsRegistration registration) {
            this.address = address;
            this.length = length;
            this.access = access;
            this.registration = registration;
        }

        boolean covers(final long otherAddress, final long otherLength, final int otherAccess) {
            return otherAddress >= address
                    && otherAddress + otherLength <= address + length
                    && (otherAccess & ~access) == 0;
        }
    }

    /**
     * A registrar of its own.
     *
     * @param device       that memory is registered with.
     * @param budgetLength the most bytes that are registered at once.
     * @param lockLimit    the system's limit of locked memory in bytes, for error texts.
     */
    public MemoryRegistrar(final VerbsDevice device, final long budgetLength, final LongSupplier lockLimit) {
        this.device = device;
        this.budgetLength = budgetLength;
        this.lockLimit = lockLimit;
    }

    /**
     * The one registrar of a device in this process.
     *
     * @param device       that memory is registered with.
     * @param budgetLength the most bytes that are registered at once; that of the first caller counts.
     * @param lockLimit    the system's limit of locked memory in bytes, for error texts.
     * @return the registrar.
     */
    static MemoryRegistrar of(final VerbsDevice device, final long budgetLength, final LongSupplier lockLimit) {
        return REGISTRARS.computeIfAbsent(device, each -> new MemoryRegistrar(each, budgetLength, lockLimit));
    }

    /**
     * How often this process has registered memory with any device.
     *
     * @return a count that stands still while messages flow.
     */
    public static long registrationCountOfAll() {
        return REGISTRARS.values().stream()
                .mapToLong(MemoryRegistrar::registrationCount)
                .sum();
    }

    /**
     * Registers memory, unless it lies in memory that is registered with at least this access: then it is shared.
     *
     * @param address of the first byte; the memory stays mapped until the last user has closed it.
     * @param length  in bytes.
     * @param access  of peers, as {@link VerbsDevice#register} takes it.
     * @return the memory, to be closed by the caller.
     * @throws IOException when the budget or the system has no room, or a part of it is registered otherwise.
     */
    public synchronized RegisteredMemory register(final long address, final long length, final int access)
            throws IOException {
        if (length <= 0) {
            throw new IllegalArgumentException("memory: nothing to register: " + length);
        }
        final Map.Entry<Long, Region> below = regions.floorEntry(address + length - 1);
        if (below != null && below.getValue().covers(address, length, access)) {
            sharedCount++;
            return use(below.getValue(), address, length);
        }
        if (below != null && below.getValue().address + below.getValue().length > address) {
            throw refused(
                    length,
                    "a part of it is registered already, on its own or with less access (register all of"
                            + " it at once)");
        }
        if (length > budgetLength - registeredLength) {
            throw refused(
                    length,
                    "the budget is used up: " + registeredLength + " of " + budgetLength
                            + " bytes are registered (raise penstock.rdma.memory to " + (registeredLength + length)
                            + " or more, or connect fewer)");
        }
        if (length > device.registrationLengthMax()) {
            throw refused(length, "the device takes at most " + device.registrationLengthMax() + " bytes at once");
        }
        final VerbsRegistration registration;
        try {
            registration = device.register(address, length, access);
        } catch (final IOException ex) {
            throw (IOException)
                    refused(length, ex.getMessage() + limitText(length)).initCause(ex);
        }
        registrationCount++;
        registeredLength += length;
        final Region region = new Region(address, length, access, registration);
        regions.put(address, region);
        return use(region, address, length);
    }

    /**
     * Refuses what would leave others less than it takes itself.
     *
     * @param length in bytes.
     * @throws IOException when it is more than half of what may be registered, or locked.
     */
    synchronized void checkShare(final long length) throws IOException {
        final long limit = lockLimit.getAsLong();
        if (length > budgetLength / 2) {
            throw refused(
                    length,
                    "that is more than half of the budget of " + budgetLength
                            + " bytes, and connections need the rest (raise penstock.rdma.memory to " + 2 * length
                            + " or more)");
        }
        if (limit >= 0 && length > limit / 2) {
            throw refused(
                    length,
                    "that is more than half of what may be locked, " + limit
                            + " bytes, and connections need the rest (raise it with ulimit -l " + 2 * length / 1024
                            + ", or with LimitMEMLOCK= in a systemd unit)");
        }
    }

    private RegisteredMemory use(final Region region, final long address, final long length) {
        region.userCount++;
        return new RegisteredMemory(
                address,
                length,
                region.registration.localKey(),
                region.registration.remoteKey(),
                () -> release(region));
    }

    private synchronized void release(final Region region) {
        if (--region.userCount == 0) {
            regions.remove(region.address);
            registeredLength -= region.length;
            deregistrationCount++;
            region.registration.close();
        }
    }

    private IOException refused(final long length, final String reason) {
        refusedCount++;
        return new IOException(
                "memory: cannot be registered with " + device.name() + ": " + length + " bytes: " + reason);
    }

    private String limitText(final long length) {
        final long limit = lockLimit.getAsLong();
        return limit == Long.MAX_VALUE || limit < 0
                ? ""
                : " (RLIMIT_MEMLOCK is " + limit + " bytes, and " + (registeredLength + length)
                        + " are needed so far, " + budgetLength + " for the whole budget: raise it with ulimit -l "
                        + (budgetLength + 1023) / 1024 + ", or with LimitMEMLOCK= in a systemd unit)";
    }

    /**
     * Bytes that are registered now.
     *
     * @return at most the budget.
     */
    public synchronized long registeredLength() {
        return registeredLength;
    }

    /**
     * How often the device was asked to register memory, and did.
     *
     * @return a count that only grows; it stands still while messages flow.
     */
    public synchronized long registrationCount() {
        return registrationCount;
    }

    /**
     * How often memory was unregistered.
     *
     * @return a count that only grows.
     */
    public synchronized long deregistrationCount() {
        return deregistrationCount;
    }

    /**
     * How often memory was asked for that was registered already.
     *
     * @return a count that only grows.
     */
    public synchronized long sharedCount() {
        return sharedCount;
    }

    /**
     * How often a registration was refused.
     *
     * @return a count that only grows.
     */
    public synchronized long refusedCount() {
        return refusedCount;
    }
}
