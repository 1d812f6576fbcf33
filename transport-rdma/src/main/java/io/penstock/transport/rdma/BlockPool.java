package io.penstock.transport.rdma;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import io.penstock.nativeaccess.NativeLibrary;
import io.penstock.transport.rdma.verbs.VerbsDevice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registered memory for connections, in blocks of one length: a slab of several is mapped and registered when none is
 * free, and kept until the process ends. Never on the path of a message: takes a lock.
 */
final class BlockPool {
    private static final ConcurrentHashMap<Key, BlockPool> POOLS = new ConcurrentHashMap<>();
    private static final int SLAB_LENGTH = 8 * 1024 * 1024;
    private static final int PAGE_LENGTH = 4096;

    private final ArrayDeque<Block> free = new ArrayDeque<>();
    private final MemoryRegistrar registrar;
    private final int blockLength;

    /** A part of a slab. */
    record Block(long address, int length, int localKey) {}

    private record Key(VerbsDevice device, int slotCount) {}

    BlockPool(final MemoryRegistrar registrar, final int blockLength) {
        this.registrar = registrar;
        this.blockLength = (blockLength + PAGE_LENGTH - 1) / PAGE_LENGTH * PAGE_LENGTH;
    }

    /** The one pool of a device in this process for connections of that many slots. */
    static BlockPool of(final VerbsDevice device, final RdmaConfig config) {
        return POOLS.computeIfAbsent(new Key(device, config.slotCount()), each -> {
            final MemoryRegistrar registrar = MemoryRegistrar.of(
                    device,
                    config.memoryLength(),
                    () -> NativeLibrary.get().access().memoryLockLimit());
            return new BlockPool(registrar, Link.blockLength(config.slotCount()));
        });
    }

    /**
     * Takes a block, whose bytes are what they were.
     *
     * @throws IOException when none is free, and no slab can be registered.
     */
    synchronized Block take() throws IOException {
        if (free.isEmpty()) {
            grow(Math.max(1, SLAB_LENGTH / blockLength));
        }
        return free.pop();
    }

    /** The last slab within the budget has one block, if no more fit. */
    private void grow(final int blockCount) throws IOException {
        final NativeAccess access = NativeLibrary.get().access();
        final long length = (long) blockCount * blockLength;
        final long address = access.memoryMap(-1, length, NativeAccess.MEMORY_POPULATED);
        if (address < 0) {
            throw new IOException(
                    "memory: cannot be mapped: " + length + " bytes: " + NativeErrors.text(access, address));
        }
        final RegisteredMemory memory;
        try {
            memory = registrar.register(address, length, 0);
        } catch (final IOException ex) {
            access.memoryUnmap(address, length);
            if (blockCount == 1) {
                throw ex;
            }
            grow(1);
            return;
        }
        for (int i = 0; i < blockCount; i++) {
            free.push(new Block(address + (long) i * blockLength, blockLength, memory.localKey()));
        }
    }

    MemoryRegistrar registrar() {
        return registrar;
    }

    synchronized void give(final Block block) {
        free.push(block);
    }
}
