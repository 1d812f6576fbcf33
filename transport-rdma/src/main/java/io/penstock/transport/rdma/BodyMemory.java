package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.VerbsDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Memory from which bodies are sent without a copy. The agent names it; the control thread registers all of it with a
 * device when the first link on that device is made. Bodies in memory that cannot be registered are copied, which is
 * reported once.
 */
final class BodyMemory {
    private final Consumer<Throwable> errors;
    private final Map<VerbsDevice, BodyKeys> keysByDevice = new HashMap<>();
    private final List<RegisteredMemory> registered = new ArrayList<>();
    private volatile List<DirectBuffer> memories = List.of();

    BodyMemory(final Consumer<Throwable> errors) {
        this.errors = errors;
    }

    /** Adds memory that stays where it is until the transport is closed. Before there are links. Agent. */
    void add(final DirectBuffer memory) {
        final List<DirectBuffer> all = new ArrayList<>(memories);
        all.add(memory);
        memories = List.copyOf(all);
    }

    /** The keys of all of it for a device. Control thread. */
    BodyKeys on(final VerbsDevice device, final MemoryRegistrar registrar) {
        final BodyKeys known = keysByDevice.get(device);
        if (known != null) {
            return known;
        }
        final BodyKeys made = register(registrar);
        keysByDevice.put(device, made);
        return made;
    }

    /** All of it or nothing, so that connections have at least as much. */
    private BodyKeys register(final MemoryRegistrar registrar) {
        final List<RegisteredMemory> made = new ArrayList<>();
        try {
            registrar.checkShare(
                    memories.stream().mapToLong(DirectBuffer::capacity).sum());
            for (final DirectBuffer each : memories) {
                made.add(registrar.register(each.addressOffset(), each.capacity(), 0));
            }
        } catch (final IOException e) {
            made.forEach(RegisteredMemory::close);
            errors.accept(new IOException("rdma: messages are copied before they are sent: " + e.getMessage(), e));
            return BodyKeys.NONE;
        }
        registered.addAll(made);
        return made.isEmpty() ? BodyKeys.NONE : new BodyKeys(made.toArray(new RegisteredMemory[0]));
    }

    /** Gives all of it up, when nothing is sent any more. Control thread. */
    void close() {
        registered.forEach(RegisteredMemory::close);
        registered.clear();
        keysByDevice.clear();
    }
}
