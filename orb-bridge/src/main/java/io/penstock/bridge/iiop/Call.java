package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.MessageHeader;
import io.penstock.bridge.giop.MessageType;
import io.penstock.bridge.giop.OutgoingMessage;
import io.penstock.bridge.giop.ReplyHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.orb.BrokerException;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request that is under way. It is answered once, by any thread, unless its client has given it up; the answer has the
 * version and byte order of the request.
 */
final class Call {
    private static final System.Logger LOG = System.getLogger(Call.class.getName());

    private final IiopConnection connection;
    private final MessageHeader header;
    private final int id;
    private final boolean isReplyExpected;
    private final long length;
    private final Charset charset;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private @Nullable IiopSession session;
    private boolean isHandingOver;
    private volatile @Nullable Runnable onCancel;
    private volatile @Nullable Runnable work;

    // Used by the connection's thread.
    private boolean isTimed;
    private long deadlineNs;
    private boolean isPosted;
    private boolean isGivenUp;

    /**
     * A request has come.
     *
     * @param connection      it came by.
     * @param header          of its message.
     * @param id              of the request.
     * @param isReplyExpected whether its client waits.
     * @param length          of the message, in bytes.
     * @param charset         of strings in the answer.
     */
    Call(
            final IiopConnection connection,
            final MessageHeader header,
            final int id,
            final boolean isReplyExpected,
            final long length,
            final Charset charset) {
        this.connection = connection;
        this.header = header;
        this.id = id;
        this.isReplyExpected = isReplyExpected;
        this.length = length;
        this.charset = charset;
    }

    int id() {
        return id;
    }

    long length() {
        return length;
    }

    InetAddress caller() {
        return connection.caller();
    }

    IiopConnection connection() {
        return connection;
    }

    /** Keeps a session until the call is over. */
    void use(final IiopSession used) {
        session = used;
        used.enter();
    }

    /** Whether nobody waits for an answer any more. */
    boolean isOver() {
        return isOver.get();
    }

    /** Run when the client gives the call up; at once, if it has. */
    void onCancel(final Runnable work) {
        onCancel = work;
        if (isOver.get()) {
            work.run();
        }
    }

    /** Has work done for it, by a thread that may wait. */
    void submit(final Runnable newWork) {
        work = newWork;
        connection.submit(newWork);
    }

    /**
     * The client has given it up, or has disconnected. The call still counts as long as the bridge works on it. Called
     * by the connection's thread.
     */
    void cancel() {
        if (begin()) {
            isGivenUp = true;
            final Runnable known = onCancel;
            if (known != null) {
                known.run();
            }
            leave();
            if (!isPosted && isWorkTakenBack()) {
                endWork();
            }
        }
    }

    /** Whether no thread of the pool does anything for it, nor will. */
    private boolean isWorkTakenBack() {
        final Runnable known = work;
        return known == null || connection.withdraw(known);
    }

    /** It is refused if it is not answered before. Called by the connection's thread. */
    void answerBefore(final long newDeadlineNs) {
        deadlineNs = newDeadlineNs;
        isTimed = true;
    }

    /** The broker has been asked, and answers any thread. Called by the connection's thread. */
    void onPosted() {
        isPosted = true;
    }

    /** Refuses it when it is time; as long as something is done for it all the same, it counts. Called by the connection's thread. */
    void refuseWhenLate(final long nowNs) {
        if (!isTimed || nowNs - deadlineNs < 0) {
            return;
        }
        if (isGivenUp) {
            if (isPosted) {
                endWork();
            }
        } else if (begin()) {
            // If not, another thread is just answering it.
            isGivenUp = true;
            leave();
            connection.send(this, reply(MessageType.REPLY, written(BridgeSession.noAnswer())));
            if (isPosted || isWorkTakenBack()) {
                endWork();
            }
        }
    }

    /** Nothing is done any more for a call that was given up. */
    void endWork() {
        connection.onOver(this);
    }

    /** Messages taken for the client are not lost yet: they count as being handed over until they are sent. */
    void beginHandOver() {
        if (!isHandingOver) {
            isHandingOver = true;
            connection.server().handingOver().incrementAndGet();
        }
    }

    void endHandOver() {
        if (isHandingOver) {
            isHandingOver = false;
            connection.server().handingOver().decrementAndGet();
        }
    }

    /** It has returned nothing. */
    void answer() {
        if (beginAnswer()) {
            final CdrWriter out = out();
            new ReplyHeader(id, ReplyHeader.NO_EXCEPTION).write(out, header.minor(), false);
            send(MessageType.REPLY, out);
        }
    }

    /** It has returned nothing, or was refused. */
    void answerOrRefuse(final @Nullable BrokerException refusal) {
        if (refusal == null) {
            answer();
        } else {
            refuse(refusal);
        }
    }

    /** It has returned something. */
    void answer(final Results results) {
        answer(results, null);
    }

    /**
     * It has returned results, which are lost when they cannot be written.
     *
     * @param results what it has returned.
     * @param loss    run when that cannot be written, and says what to answer instead; null = the reason itself.
     */
    void answer(final Results results, final @Nullable Loss loss) {
        if (!beginAnswer()) {
            endHandOver();
            return;
        }
        final CdrWriter out = out();
        new ReplyHeader(id, ReplyHeader.NO_EXCEPTION).write(out, header.minor(), true);
        try {
            results.write(out);
        } catch (final SystemException e) {
            sendUnwritten(e, loss);
            return;
        } catch (final RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "bridge: an answer cannot be written", e);
            sendUnwritten(Failures.failed(e), loss);
            return;
        }
        send(MessageType.REPLY, out);
    }

    private void sendUnwritten(final SystemException reason, final @Nullable Loss loss) {
        send(MessageType.REPLY, loss == null ? written(reason.completed()) : written(loss.of(reason)));
    }

    /** It was refused, or has failed. */
    void onFailure(final Throwable cause) {
        if (cause instanceof BrokerException refusal) {
            refuse(refusal);
        } else if (cause instanceof SystemException failure) {
            LOG.log(System.Logger.Level.DEBUG, "a request is refused", failure);
            connection.server().counters().add(BridgeCounter.ARGUMENTS_REFUSED, 1);
            fail(failure);
        } else {
            LOG.log(System.Logger.Level.WARNING, "bridge: a request has failed", cause);
            fail(Failures.failed(cause));
        }
    }

    private void refuse(final BrokerException refusal) {
        if (beginAnswer()) {
            send(MessageType.REPLY, written(refusal));
        }
    }

    private CdrWriter written(final BrokerException refusal) {
        final CdrWriter out = out();
        new ReplyHeader(id, ReplyHeader.USER_EXCEPTION).write(out, header.minor(), true);
        Values.write(out, refusal);
        return out;
    }

    private void fail(final SystemException failure) {
        if (beginAnswer()) {
            send(MessageType.REPLY, written(failure));
        }
    }

    /** Returns whether an object is here. */
    void locate(final boolean isHere) {
        if (beginAnswer()) {
            final CdrWriter out = out();
            new ReplyHeader(id, isHere ? ReplyHeader.OBJECT_HERE : ReplyHeader.UNKNOWN_OBJECT).writeLocate(out);
            send(MessageType.LOCATE_REPLY, out);
        }
    }

    private boolean begin() {
        return isOver.compareAndSet(false, true);
    }

    private boolean beginAnswer() {
        final boolean isAwaited = begin();
        if (!isAwaited) {
            endWork();
        }
        return isAwaited;
    }

    private CdrWriter out() {
        final CdrWriter out = CdrWriter.message(header.isLittleEndian());
        out.charset(charset);
        return out;
    }

    private CdrWriter written(final SystemException failure) {
        final CdrWriter out = out();
        new ReplyHeader(id, ReplyHeader.SYSTEM_EXCEPTION).write(out, header.minor(), true);
        failure.write(out);
        return out;
    }

    private void send(final int type, final CdrWriter out) {
        leave();
        connection.onAnswered(this, reply(type, out));
    }

    private @Nullable OutgoingMessage reply(final int type, final CdrWriter out) {
        return isReplyExpected
                ? new OutgoingMessage(
                        header.minor(), type, id, out, connection.server().fragmentLength())
                : null;
    }

    private void leave() {
        if (session != null) {
            session.exit();
        }
    }

    /** The results of an operation. */
    interface Results {
        void write(CdrWriter out) throws SystemException;
    }

    /** Called when results are lost. */
    interface Loss {
        BrokerException of(SystemException reason);
    }
}
