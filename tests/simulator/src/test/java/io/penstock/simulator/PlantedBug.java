package io.penstock.simulator;

import io.penstock.broker.ViewConfig;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.protocol.codec.AckDecoder;
import io.penstock.protocol.codec.DeliverDecoder;
import io.penstock.protocol.codec.SowAsOf;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SubscribeFromDecoder;
import io.penstock.simulator.StorageWrapper.FileWrapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Bugs as brokers have had them, each planted around the real broker. One of these for one run. */
enum PlantedBug {
    SYNC_LEFT_OUT(() -> files((name, file) -> unsynced(file))),

    /** Says that it has synced, and does it with the next one: what is written is acknowledged before. */
    ACKNOWLEDGED_BEFORE_SYNC(() -> files((name, file) -> new FileWrapper(file) {
        private boolean isDue;

        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            if (isDue) {
                isDue = false;
                file.sync();
            }
            file.write(from, position);
        }

        @Override
        public void sync() {
            isDue = true;
        }
    })),

    SYNC_OF_THE_FILE_BEFORE(() -> {
        final Map<String, StoredFile> last = new HashMap<>();
        return files((name, file) -> new FileWrapper(file) {
            @Override
            public void sync() throws IOException {
                last.getOrDefault("", file).sync();
                last.put("", file);
            }
        });
    }),

    SPARE_NOT_SYNCED(() -> files((name, file) -> !name.endsWith(".tmp")
            ? file
            : new FileWrapper(file) {
                private int count;

                @Override
                public void sync() throws IOException {
                    // The first is for the zeros, the second for the head.
                    if (++count != 2) {
                        file.sync();
                    }
                }
            })),

    DIRECTORY_NOT_SYNCED(() -> new Plant() {
        @Override
        public Storage wrap(final Storage storage) {
            return new StorageWrapper(storage, (name, file) -> file) {
                @Override
                public void sync() {}

                @Override
                Storage wrap(final Storage directory) {
                    return PlantedBug.withoutSync(directory);
                }
            };
        }
    }),

    FAILED_SYNC_IGNORED(() -> files((name, file) -> new FileWrapper(file) {
        @Override
        public void sync() {
            try {
                file.sync();
            } catch (final IOException e) {
                // The bug.
            }
        }
    })),

    FAILED_WRITE_IGNORED(() -> files((name, file) -> new FileWrapper(file) {
        @Override
        public void write(final ByteBuffer from, final long position) {
            try {
                file.write(from, position);
            } catch (final IOException e) {
                from.position(from.limit());
            }
        }
    })),

    /** The mark says that what is written with it is on stable storage already. */
    MARK_BEFORE_SYNC(() -> files((name, file) -> new FileWrapper(file) {
        @Override
        public void write(final ByteBuffer from, final long position) throws IOException {
            file.write(from, position);
            final long last = position == 0 ? 0 : FileEdit.lastSequence(file);
            if (last > 0 && name.endsWith(".log")) {
                file.write(FileEdit.headWithMark(file, last), 0);
            }
        }
    })),

    /** It is noted only that there are logs, and not what files they have. */
    FILES_NOT_NOTED(() -> writes(
            name -> name.startsWith(ModelManifest.PREFIX), (name, bytes, position) -> FileEdit.note(bytes, 0, 0))),

    /** The newest file is not noted, neither in the manifest nor by the file before it. */
    NEWEST_FILE_NOT_NOTED(() -> writes(name -> true, (name, bytes, position) -> {
        if (name.startsWith(ModelManifest.PREFIX)) {
            FileEdit.note(bytes, 1, 1);
        } else if (position == 0 && bytes.remaining() == ModelLog.RECORDS_OFFSET) {
            FileEdit.forgetNext(bytes);
        }
    })),

    DAMAGE_ACCEPTED(() -> reads(ModelLog::isLog, FileEdit::sealed)),

    /** What follows on a bad record is not looked at, though a commit there says that it was stored. */
    COMMITS_BEHIND_DAMAGE_IGNORED(() -> reads(ModelLog::isLog, FileEdit::withoutTail)),

    SNAPSHOT_DAMAGE_ACCEPTED(() -> reads(ModelSnapshot::isSnapshot, FileEdit::sealedSnapshot)),

    /** A snapshot gets its name before it is on stable storage. */
    SNAPSHOT_NOT_SYNCED(() -> files((name, file) -> name.equals("state.tmp") ? unsynced(file) : file)),

    /** The newer of the two snapshots counts as both, so that a file goes that the older one needs. */
    RETENTION_TOO_EAGER(() -> lists(PlantedBug::withoutOlderSnapshot)),

    ARCHIVE_NOT_SYNCED(() -> new Plant() {
        @Override
        public Storage wrap(final Storage storage) {
            return storage.path("").startsWith(World.ARCHIVE)
                    ? new StorageWrapper(storage, (name, file) -> unsynced(file))
                    : storage;
        }
    }),

    /** No zeros are written over what a file was before, or what a crash has left after its end. */
    OLD_BYTES_NOT_CLEARED(() -> files((name, target) -> !ModelLog.isLog(name)
            ? target
            : new FileWrapper(target) {
                @Override
                public void write(final ByteBuffer from, final long position) throws IOException {
                    if (FileEdit.isZero(from)) {
                        from.position(from.limit());
                    } else {
                        file.write(from, position);
                    }
                }
            })),

    /** The first message that comes from the window and not from files is left out. */
    HAND_OVER_LEAVES_ONE_OUT(() -> frames(new HandOver(false))),

    /** The last message that came from files comes from the window, too. */
    HAND_OVER_REPEATS_ONE(() -> frames(new HandOver(true))),

    /** A subscription that waits for stable storage gets new messages at once. */
    DELIVERED_BEFORE_DURABLE(() -> subscriptions(PlantedBug::askForLive)),

    /** A subscription goes on with the message of its bookmark where it is to go on after it, and the other way round. */
    START_NOT_AS_ASKED(() -> subscriptions(PlantedBug::changeStart)),

    /** What is missing is made good by what is new, though that was not asked for. */
    MISSING_BOOKMARK_PASSED_OVER(() -> subscriptions(PlantedBug::askForNowIfMissing)),

    END_NOT_AS_ASKED(() -> subscriptions(PlantedBug::changeEnd)),

    /** State as it was is what it is now. */
    PAST_IS_NOW(() -> queries(PlantedBug::askForNow)),

    /** State as it was at a time leaves out what was taken at that very time. */
    PAST_ENDS_TOO_EARLY(() -> queries(PlantedBug::askForEarlier)),

    /** A record without a pair has no row in a join that is to have it. */
    UNPAIRED_LEFT_OUT(() -> views((view, run) -> view.join().type() == ViewConfig.JoinType.LEFT ? inner(view) : view)),

    /** A message is in the view of the last ones for longer than it should be. */
    WINDOW_TOO_LONG(() -> views((view, run) -> over(view, length -> length == 0 ? 0 : length + 1))),

    /** After a start messages are missing in the view of the last ones. */
    WINDOW_SHORT_AFTER_START(() -> views((view, run) -> run == 1 ? view : over(view, length -> (length + 1) / 2))),

    LAST_RECORD_DROPPED_AT_START(() -> betweenRuns(FileEdit::dropLastRecord)),

    PUBLISHER_FORGOTTEN_AT_START(() -> betweenRuns(FileEdit::forgetPublishers)),

    TORN_RECORD_ACCEPTED(() -> betweenRuns(FileEdit::acceptTail)),

    STALE_TAIL_ACCEPTED(() -> betweenRuns(FileEdit::repeatLastRecord)),

    PERSISTED_SAID_FOR_PROCESSED(() -> frames((link, frame) -> {
        final int ackType = 8 + AckDecoder.ackTypeEncodingOffset();
        if (template(frame) == AckDecoder.TEMPLATE_ID && frame[ackType] == 1) {
            frame[ackType] = 2;
        }
        return frame;
    })),

    DELIVERY_LEFT_OUT(() -> {
        final int[] count = new int[1];
        return frames(
                (link, frame) -> template(frame) == DeliverDecoder.TEMPLATE_ID && ++count[0] % 500 == 0 ? null : frame);
    }),

    /** What came live comes once more, as after a hand-over that begins one too early. */
    DELIVERED_TWICE(() -> {
        final Map<Long, byte[]> last = new HashMap<>();
        final int[] count = new int[1];
        return frames((link, frame) -> {
            if (template(frame) != DeliverDecoder.TEMPLATE_ID) {
                return frame;
            }
            final byte[] before = last.put(link.id(), frame);
            return before != null && ++count[0] % 500 == 0 ? before : frame;
        });
    });

    private static final int AS_OF_AT = 8 + SowDecoder.asOfEncodingOffset();
    private static final int AS_OF_TIME_AT = 8 + SowDecoder.asOfTimeNsEncodingOffset();
    private static final int OPTIONS_AT = 8 + SubscribeFromDecoder.optionsEncodingOffset();
    private static final int IF_MISSING_AT = 8 + SubscribeFromDecoder.ifMissingEncodingOffset();
    private static final int OPTION_LIVE = 1 << 1;
    private static final int OPTION_START_INCLUDED = 1 << 2;
    private static final int OPTION_END_INCLUDED = 1 << 3;

    @SuppressWarnings("ImmutableEnumChecker") // Each makes plants of its own.
    private final Supplier<Plant> plant;

    PlantedBug(final Supplier<Plant> plant) {
        this.plant = plant;
    }

    Plant plant() {
        return plant.get();
    }

    private static StoredFile unsynced(final StoredFile target) {
        return new FileWrapper(target) {
            @Override
            public void sync() {}
        };
    }

    /** What is written to files of some kind is not what it should be. */
    private static Plant writes(final Predicate<String> isOfKind, final ContentChange change) {
        return files((name, target) -> !isOfKind.test(name)
                ? target
                : new FileWrapper(target) {
                    @Override
                    public void write(final ByteBuffer from, final long position) throws IOException {
                        final ByteBuffer changed =
                                ByteBuffer.allocate(from.remaining()).order(ByteOrder.LITTLE_ENDIAN);
                        changed.put(from).flip();
                        change.change(name, changed, position);
                        file.write(changed, position);
                    }
                });
    }

    /** Changes bytes before they are written. */
    @FunctionalInterface
    private interface ContentChange {
        void change(String name, ByteBuffer bytes, long position);
    }

    /** What is read of files of some kind is not what they have. */
    private static Plant reads(final Predicate<String> isOfKind, final ContentReader reader) {
        return files((name, target) -> !isOfKind.test(name)
                ? target
                : new FileWrapper(target) {
                    @Override
                    public int read(final ByteBuffer into, final long position) throws IOException {
                        final byte[] bytes = reader.read(file);
                        final int length = (int) Math.max(0, Math.min(into.remaining(), bytes.length - position));
                        into.put(bytes, (int) Math.min(position, bytes.length), length);
                        return length;
                    }
                });
    }

    /** Reads a whole file. */
    @FunctionalInterface
    private interface ContentReader {
        byte[] read(StoredFile file) throws IOException;
    }

    /** Directories have other names than they do. */
    private static Plant lists(final UnaryOperator<List<String>> change) {
        return new Plant() {
            @Override
            public Storage wrap(final Storage storage) {
                return new StorageWrapper(storage, (name, file) -> file) {
                    @Override
                    public List<String> list() throws IOException {
                        return change.apply(storage.list());
                    }

                    @Override
                    Storage wrap(final Storage directory) {
                        return lists(change).wrap(directory);
                    }
                };
            }
        };
    }

    private static List<String> withoutOlderSnapshot(final List<String> names) {
        final List<String> snapshots =
                names.stream().filter(ModelSnapshot::isSnapshot).toList();
        if (snapshots.size() < 2) {
            return names;
        }
        final List<String> changed = new ArrayList<>(names);
        changed.remove(snapshots.get(snapshots.size() - 2));
        changed.add(ModelSnapshot.name(ModelSnapshot.sequence(snapshots.get(snapshots.size() - 1)) - 1));
        return changed;
    }

    /** Subscriptions from places of the log ask for something else. */
    private static Plant subscriptions(final Consumer<byte[]> change) {
        return commands(SubscribeFromDecoder.TEMPLATE_ID, change);
    }

    /** Queries ask for something else. */
    private static Plant queries(final Consumer<byte[]> change) {
        return commands(SowDecoder.TEMPLATE_ID, change);
    }

    private static Plant commands(final int templateId, final Consumer<byte[]> change) {
        return new Plant() {
            @Override
            public byte[] onCommand(final byte[] frame) {
                if (template(frame) == templateId) {
                    change.accept(frame);
                }
                return frame;
            }
        };
    }

    private static void askForNow(final byte[] frame) {
        frame[AS_OF_AT] = (byte) SowAsOf.NOW.value();
    }

    private static void askForEarlier(final byte[] frame) {
        if (frame[AS_OF_AT] == SowAsOf.TIME.value()) {
            final ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putLong(AS_OF_TIME_AT, bytes.getLong(AS_OF_TIME_AT) - 1);
        }
    }

    private static void askForLive(final byte[] frame) {
        frame[OPTIONS_AT] |= OPTION_LIVE;
    }

    private static void changeStart(final byte[] frame) {
        frame[OPTIONS_AT] ^= OPTION_START_INCLUDED;
    }

    private static void changeEnd(final byte[] frame) {
        frame[OPTIONS_AT] ^= OPTION_END_INCLUDED;
    }

    private static void askForNowIfMissing(final byte[] frame) {
        frame[IF_MISSING_AT] = 2;
    }

    private static Plant files(final BiFunction<String, StoredFile, StoredFile> wrapFile) {
        return new Plant() {
            @Override
            public Storage wrap(final Storage storage) {
                return new StorageWrapper(storage, wrapFile);
            }
        };
    }

    private static Storage withoutSync(final Storage storage) {
        return new StorageWrapper(storage, (name, file) -> file) {
            @Override
            public void sync() {}
        };
    }

    /** The broker computes other views. */
    private static Plant views(final BiFunction<ViewConfig, Integer, ViewConfig> change) {
        return new Plant() {
            @Override
            public ViewConfig view(final ViewConfig view, final int run) {
                return change.apply(view, run);
            }
        };
    }

    private static ViewConfig inner(final ViewConfig view) {
        final ViewConfig.Join join = view.join();
        return ViewConfig.join(
                view.name(), ViewConfig.Join.inner(join.left(), join.right(), join.on()), view.filter(), view.select());
    }

    private static ViewConfig over(final ViewConfig view, final LongUnaryOperator change) {
        final ViewConfig.Window window = view.window();
        return view.join().isUsed()
                ? view
                : view.over(new ViewConfig.Window(
                        change.applyAsLong(window.messageCount()),
                        change.applyAsLong(window.groupMessageCount()),
                        change.applyAsLong(window.timeMs()),
                        window.lengthMax()));
    }

    private static Plant betweenRuns(final FileEdit edit) {
        return new Plant() {
            @Override
            public void betweenRuns(final SimDisk disk) {
                for (int shard = 0; shard < 2; shard++) {
                    final SimDisk.Directory directory = disk.directory(ModelLogs.directory(shard));
                    final ModelLog log = ModelLog.read(directory);
                    final SimFile last = directory.entries.get(log.lastFile);
                    if (last != null && !log.entries.isEmpty()) {
                        edit.edit(directory, log, last);
                    }
                }
            }
        };
    }

    private static Plant frames(final SimNetwork.Tamper tamper) {
        return new Plant() {
            @Override
            public byte @Nullable [] onFrame(final SimLink link, final byte[] frame) {
                return tamper.onFrame(link, frame);
            }
        };
    }

    private static int template(final byte[] frame) {
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getShort(2);
    }
}
