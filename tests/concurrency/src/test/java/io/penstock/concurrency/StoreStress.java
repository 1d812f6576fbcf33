package io.penstock.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The one writer of a state store beside a reader on another thread. The third number is of no interest. */
final class StoreStress {
    private StoreStress() {}

    /** A key changes twice: a snapshot's reader sees the version of the snapshot, and the newest one is a whole one. */
    @JCStressTest
    @Outcome(id = "1, [12], 0", expect = ACCEPTABLE, desc = "what the snapshot shows, and a whole version")
    @Outcome(expect = FORBIDDEN, desc = "another version than the snapshot's, or bytes of none")
    @State
    public static class Update {
        private final SharedStore shared = SharedStore.withKey();

        @Actor
        public void write() {
            shared.put(1);
            shared.put(1);
            shared.reclaim();
        }

        @Actor
        public void read(final III_Result r) {
            r.r2 = shared.readNewest();
            r.r1 = shared.read();
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }

    /** A key is deleted, and put again: its snapshot's reader sees it as it was. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "what the snapshot shows, twice")
    @Outcome(expect = FORBIDDEN, desc = "the record is gone, or another one")
    @State
    public static class Delete {
        private final SharedStore shared = SharedStore.withKey();

        @Actor
        public void write() {
            shared.delete(1);
            shared.put(1);
            shared.reclaim();
        }

        @Actor
        public void read(final III_Result r) {
            r.r1 = shared.read();
            r.r2 = shared.read();
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }

    /** A row that was given up is given to another key: a snapshot of before shows nothing there. */
    @JCStressTest
    @Outcome(id = "0, [02], 0", expect = ACCEPTABLE, desc = "nothing by the snapshot; nothing or a whole version else")
    @Outcome(expect = FORBIDDEN, desc = "a record of after the snapshot")
    @State
    public static class RowReuse {
        private final SharedStore shared = SharedStore.withFreeRow();

        @Actor
        public void write() {
            shared.put(2);
            shared.delete(2);
            shared.reclaim();
        }

        @Actor
        public void read(final III_Result r) {
            r.r2 = shared.readNewest();
            r.r1 = shared.read();
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }

    /** Too much is kept: a reader still sees what its snapshot shows, until it finds that it is too old and stops. */
    @JCStressTest
    @Outcome(id = "1, [01], 0", expect = ACCEPTABLE, desc = "what the snapshot shows, too old or not yet")
    @Outcome(expect = FORBIDDEN, desc = "another version than the snapshot's, or bytes of none")
    @State
    public static class TooOld {
        private final SharedStore shared = SharedStore.withKey();

        @Actor
        public void write() {
            shared.exceedVersions();
        }

        @Actor
        public void read(final III_Result r) {
            r.r1 = shared.read();
            r.r2 = shared.isTooOld() ? 1 : 0;
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }

    /** A reader that reads a row and then finds that nothing has changed since the snapshot has read nothing newer. */
    @JCStressTest
    @Outcome(id = "1, [01], 0", expect = ACCEPTABLE, desc = "nothing newer was read; changed or not")
    @Outcome(id = "2, 1, 0", expect = ACCEPTABLE, desc = "something newer was read, and its reader is notified")
    @Outcome(expect = FORBIDDEN, desc = "something newer was read, and its reader is not notified")
    @State
    public static class ChangedAt {
        private final SharedStore shared = SharedStore.withKey();

        @Actor
        public void write() {
            shared.put(1);
        }

        @Actor
        public void read(final III_Result r) {
            r.r1 = shared.readNewest();
            r.r2 = shared.isChanged() ? 1 : 0;
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }

    /** The changes of a block are overwritten while they are read: a reader has all up to its snapshot, or knows. */
    @JCStressTest
    @Outcome(
            id = "[01], 0, 0",
            expect = ACCEPTABLE,
            desc = "the change before the snapshot, or the answer that it is gone")
    @Outcome(expect = FORBIDDEN, desc = "a change is missing, or another one in its place")
    @State
    public static class Changes {
        private final SharedStore shared = SharedStore.withKey();

        @Actor
        public void write() {
            shared.putMany();
        }

        @Actor
        public void read(final III_Result r) {
            r.r1 = shared.readLastChange();
        }

        @Arbiter
        public void end() {
            shared.putBack();
        }
    }
}
