package io.penstock.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.format.header.Headers;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.protocol.codec.PublishStateEncoder;
import io.penstock.protocol.codec.SowDeleteEncoder;
import io.penstock.simulator.Reached.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/** Publishes with rising sequences, and publishes again what was not acknowledged when its connection was lost. */
final class Publisher extends SimClient {
    private static final int OUTSTANDING_MAX = 48;
    private static final int LONG_LENGTH = 900;
    private static final long RETRY_NS = 2_000_000;

    private final SplittableRandom random;
    private final History history;
    private final boolean hasRefs;
    private final List<Message> outstanding = new ArrayList<>();
    private final List<Message> done = new ArrayList<>();
    private int sent;
    private long nextSequence = 1;
    private long notBeforeNs;
    private boolean isStopped;
    private boolean hasSentBefore;
    private long deleteCommandId;

    /** Of commands of this connection that have published again what was acknowledged long ago. */
    private final Set<Long> againCommandIds = new HashSet<>();

    /** @param hasRefs whether there is {@link Topics#REFS}. */
    Publisher(final SimNetwork network, final String name, final History history, final boolean hasRefs) {
        super(network, name);
        this.history = history;
        this.hasRefs = hasRefs;
        random = network.random;
    }

    /** Whether everything is acknowledged. */
    boolean isDone() {
        return outstanding.isEmpty() && deleteCommandId == 0;
    }

    /** Whether the broker has answered all that was sent, be it with an error. */
    boolean isAnswered() {
        return isDone() || isStopped;
    }

    /** The broker has ended, and the logs were read: what has become of all that nobody has acknowledged. */
    void countFates() {
        for (int i = 0; i < sent; i++) {
            network.reached.add(
                    history.isApplied(outstanding.get(i)) ? State.UNACKNOWLEDGED_KEPT : State.UNACKNOWLEDGED_LOST);
        }
    }

    /** Publishes something new. Returns false when too much is outstanding. */
    boolean publish() {
        if (outstanding.size() >= OUTSTANDING_MAX) {
            return false;
        }
        add(random.nextInt(10), random.nextInt(Topics.KEY_COUNT));
        return true;
    }

    /** Publishes a long message that only memory has. Returns false when too much is outstanding. */
    boolean publishLong() {
        if (outstanding.size() >= OUTSTANDING_MAX) {
            return false;
        }
        final long sequence = nextSequence++;
        add(new Message(
                Topics.MEMORY,
                "",
                "{\"p\":\"" + name + "\",\"q\":" + sequence + ",\"z\":\"" + "z".repeat(LONG_LENGTH) + "\"}",
                false,
                0,
                sequence));
        return true;
    }

    private void add(final int choice, final int id) {
        final long sequence = nextSequence;
        nextSequence += random.nextInt(16) == 0 ? 2 : 1;
        final String common = ",\"p\":\"" + name + "\",\"q\":" + sequence;
        if (hasRefs && choice == 2) {
            addRef(sequence, common);
            return;
        }
        final String value = "\"v\":" + random.nextInt(Topics.VALUE_COUNT) + common;
        final String group = ",\"g\":" + random.nextInt(Topics.GROUP_COUNT);
        // Now and then a long one, so that records end at all places of blocks.
        final String pad = random.nextInt(8) == 0 ? ",\"z\":\"" + "z".repeat(random.nextInt(700)) + "\"" : "";
        add(
                switch (choice) {
                    case 0, 1, 2 -> new Message(Topics.LOG, "", "{" + value + pad + "}", false, 0, sequence);
                    case 3, 4, 5 ->
                        new Message(
                                Topics.KEYED,
                                "",
                                "{\"id\":" + id + "," + value + group + pad + "}",
                                false,
                                0,
                                sequence);
                    case 6 ->
                        new Message(Topics.KEYED, "", "{\"id\":" + id + "," + value + group + "}", true, 0, sequence);
                    case 7, 8 ->
                        new Message(
                                Topics.EXPIRING,
                                "k" + id,
                                "{" + value + "}",
                                random.nextInt(3) == 0,
                                random.nextInt(4) == 0 ? -1 : 1 + random.nextInt(100),
                                sequence);
                    default -> new Message(Topics.MEMORY, "", "{" + value + "}", false, 0, sequence);
                });
    }

    /** A delta may leave out what records are paired by. */
    private void addRef(final long sequence, final String common) {
        final boolean isDelta = random.nextInt(4) == 0;
        final String pairedBy = isDelta && random.nextBoolean() ? "" : ",\"h\":" + random.nextInt(Topics.GROUP_COUNT);
        final String text = "{\"id\":" + random.nextInt(Topics.REF_COUNT) + pairedBy + ",\"w\":"
                + random.nextInt(Topics.VALUE_COUNT) + common + "}";
        add(new Message(Topics.REFS, "", text, isDelta, 0, sequence));
    }

    private void add(final Message message) {
        history.onPublished(name, message);
        outstanding.add(message);
    }

    /** Deletes records by key, unless another delete is on its way. */
    boolean delete() {
        if (deleteCommandId != 0 || !isReady()) {
            return false;
        }
        final boolean byFilter = random.nextBoolean();
        final SowDeleteEncoder encoder = new SowDeleteEncoder();
        final long commandId = newCommandId();
        encoder.wrapAndApplyHeader(out, 0, header).commandId(commandId);
        encoder.ackTypes().clear().completed(true);
        final boolean ofRefs = hasRefs && byFilter && random.nextBoolean();
        final int id = random.nextInt(ofRefs ? Topics.REF_COUNT : Topics.KEY_COUNT);
        encoder.topic(ofRefs ? Topics.REFS : byFilter ? Topics.KEYED : Topics.EXPIRING)
                .filter(byFilter ? "id = " + id : "")
                .keys(byFilter ? "" : "k" + id);
        if (!send(encoder.limit())) {
            return false;
        }
        deleteCommandId = commandId;
        return true;
    }

    /** Publishes something again that was acknowledged long ago. */
    boolean publishAgain() {
        if (done.isEmpty() || !isReady()) {
            return false;
        }
        final Message message = done.get(random.nextInt(done.size()));
        final long commandId = message.commandId;
        final boolean isSent = send(message);
        againCommandIds.add(message.commandId);
        message.commandId = commandId;
        if (isSent) {
            network.reached.add(State.DUPLICATE_ON_PURPOSE);
        }
        return isSent;
    }

    /** Sends what was not sent yet on this connection. Returns the number of commands. */
    int sendOutstanding() {
        int count = 0;
        while (isReady() && sent < outstanding.size() && send(outstanding.get(sent))) {
            sent++;
            count++;
        }
        return count;
    }

    private boolean isReady() {
        return isLoggedOn() && !isStopped && network.clock.nanoTime() >= notBeforeNs;
    }

    private boolean send(final Message message) {
        message.commandId = newCommandId();
        final Headers headers = message.headers();
        final byte[] payload = payload(message, headers);
        if (message.topic.equals(Topics.EXPIRING) || message.isDelta || !headers.isEmpty()) {
            final PublishStateEncoder encoder = new PublishStateEncoder();
            encoder.wrapAndApplyHeader(out, 0, header)
                    .commandId(message.commandId)
                    .publisherSequence(message.sequence)
                    .expirationMs(message.expirationMs)
                    .headersLength(headers.length());
            encoder.ackTypes().clear().persisted(message.isJournaled()).processed(!message.isJournaled());
            encoder.options().clear().delta(message.isDelta);
            encoder.topic(message.topic).key(message.key).putPayload(payload, 0, payload.length);
            return send(encoder.limit());
        }
        final PublishEncoder encoder = new PublishEncoder();
        encoder.wrapAndApplyHeader(out, 0, header).commandId(message.commandId).publisherSequence(message.sequence);
        encoder.ackTypes().clear().persisted(message.isJournaled()).processed(!message.isJournaled());
        encoder.topic(message.topic).putPayload(payload, 0, payload.length);
        return send(encoder.limit());
    }

    /** The message, and its headers after it. */
    private static byte[] payload(final Message message, final Headers headers) {
        final byte[] text = message.text.getBytes(UTF_8);
        final UnsafeBuffer payload = new UnsafeBuffer(Arrays.copyOf(text, text.length + headers.length()));
        headers.write(payload, text.length);
        return payload.byteArray();
    }

    @Override
    void onLogon() {
        if (hasSentBefore && !outstanding.isEmpty()) {
            network.reached.add(State.RESENT);
        }
        hasSentBefore = true;
    }

    @Override
    void onDisconnect() {
        sent = 0;
        isStopped = false;
        deleteCommandId = 0;
        againCommandIds.clear();
        for (final Message message : outstanding) {
            message.commandId = 0;
        }
    }

    @Override
    void onAck(final AckType type, final long commandId) {
        if (commandId == deleteCommandId) {
            deleteCommandId = 0;
            return;
        }
        int kept = 0;
        for (int i = 0; i < outstanding.size(); i++) {
            final Message message = outstanding.get(i);
            final boolean covered = message.isJournaled() == (type == AckType.PERSISTED);
            if (i < sent && message.commandId <= commandId && covered) {
                if (message.isJournaled()) {
                    network.reached.add(State.PERSISTED);
                    history.onPersisted(message);
                }
                done.add(message);
            } else {
                outstanding.set(kept++, message);
            }
        }
        sent -= outstanding.size() - kept;
        outstanding.subList(kept, outstanding.size()).clear();
    }

    @Override
    void onError(final ErrorCode code, final long commandId, final long subscriptionId) {
        if (commandId == deleteCommandId && commandId != 0) {
            deleteCommandId = 0;
        }
        switch (code) {
            case JOURNAL_FULL -> onFull(commandId);
            case JOURNAL_FAILED -> {
                network.reached.add(State.JOURNAL_FAILED);
                // Nobody knows what is on the disk: it is published again when the broker was restarted.
                isStopped = true;
                forget(commandId);
            }
            default -> throw new Violation(name + ": " + code + " for command " + commandId);
        }
    }

    /** No later acknowledgement is for what was published up to a command. */
    private void forget(final long commandId) {
        for (int i = 0; i < sent; i++) {
            final Message message = outstanding.get(i);
            if (message.isJournaled() && message.commandId <= commandId) {
                message.commandId = Long.MAX_VALUE;
            }
        }
    }

    /** This one was not applied, nor was what came after it: all of it is published again later. */
    private void onFull(final long commandId) {
        network.reached.add(State.JOURNAL_FULL);
        notBeforeNs = network.clock.nanoTime() + RETRY_NS;
        for (int i = 0; i < sent; i++) {
            if (outstanding.get(i).commandId == commandId) {
                for (int j = i; j < sent; j++) {
                    outstanding.get(j).commandId = 0;
                }
                sent = i;
                return;
            }
        }
        if (!againCommandIds.contains(commandId)) {
            return;
        }
        // It was one that was acknowledged long ago: nobody publishes that again, so that there is room for the next.
        hangUp();
    }

    @Override
    public String toString() {
        return name + " with " + outstanding.size() + " outstanding, " + sent + " sent, delete " + deleteCommandId
                + (isStopped ? ", stopped" : "");
    }
}
