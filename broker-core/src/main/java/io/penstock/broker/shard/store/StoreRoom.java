package io.penstock.broker.shard.store;

/** Finds memory for what a store is to hold, and makes some where snapshots need it no more. Owned by the writer. */
final class StoreRoom {
    private static final int RECLAIM_IN_NEED_LIMIT = 64;
    private static final int RECLAIM_IN_NEED_ROUNDS = 16;
    /** Pages that a new key may need beside its version. */
    private static final int GROWTH_PAGE_COUNT = RowTable.GROWTH_PAGE_COUNT + 1;

    private final StateMemory memory;
    private final RowTable rows;
    private final KeyIndex index;
    private final KeptVersions kept;

    StoreRoom(final StateMemory memory, final RowTable rows, final KeyIndex index, final KeptVersions kept) {
        this.memory = memory;
        this.rows = rows;
        this.index = index;
        this.kept = kept;
    }

    /** See {@link StateStore#hasRoom}. */
    boolean hasRoom(final int row, final int keyLength, final int contentLength) {
        if (keyLength > Version.KEY_LENGTH_MAX) {
            return false;
        }
        final long length = Version.blockLengthMax(keyLength, contentLength);
        if (hasRoomNow(row, length)) {
            return true;
        }
        for (int i = 0; i < RECLAIM_IN_NEED_ROUNDS && reclaim(RECLAIM_IN_NEED_LIMIT) > 0; i++) {
            if (hasRoomNow(row, length)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasRoomNow(final int row, final long length) {
        if (row != StateStore.NO_ROW) {
            return memory.hasRoom(length);
        }
        return memory.hasRoomBeforeReserve(length, GROWTH_PAGE_COUNT)
                && rows.prepare()
                && index.prepare()
                && memory.hasRoom(length);
    }

    /** See {@link StateStore#reclaim}. */
    int reclaim(final int limit) {
        int freedCount = 0;
        while (freedCount < limit && kept.freeFirst()) {
            freedCount++;
        }
        memory.trim();
        return freedCount;
    }

    /** Takes the block of a version, and a row when its key is new. Returns the version's address. */
    long allocate(
            final boolean isNew,
            final int keyLength,
            final int contentLength,
            final boolean isKept,
            final long expiresNs) {
        final int extensionLength = Version.extensionLength(isKept, expiresNs);
        final long blockLength = Version.blockLength(keyLength, contentLength, extensionLength);
        final long block = isNew && !(rows.prepare() && index.prepare()) ? 0 : memory.allocate(blockLength);
        if (block == 0) {
            throw new IllegalStateException("state: no memory for a version: " + blockLength + " bytes (ask hasRoom)");
        }
        return block + extensionLength;
    }
}
