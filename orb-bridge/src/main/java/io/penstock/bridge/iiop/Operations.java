package io.penstock.bridge.iiop;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.RequestHeader;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.Batch;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Listener;
import io.penstock.bridge.service.PublishCommand;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The operations of the contract, and those that every object of CORBA has. Arguments are read by the connection's thread,
 * which also publishes; what has to wait for the broker is done by the pool. Owned by no thread.
 */
final class Operations {
    private static final String OBJECT_TYPE = "IDL:omg.org/CORBA/Object:1.0";

    private final BridgeConfig config;
    private final SessionKeys sessions;
    private final Listeners listeners;

    Operations(final BridgeConfig config, final SessionKeys sessions, final Listeners listeners) {
        this.config = config;
        this.sessions = sessions;
        this.listeners = listeners;
    }

    boolean isHere(final String key) {
        return sessions.find(key) != null;
    }

    /**
     * Begins what is asked for, and answers it at once if nobody has to be waited for.
     *
     * @param call    to answer.
     * @param request what is asked for.
     * @param in      its arguments.
     * @throws BrokerException when an argument is beyond a bound.
     * @throws SystemException when it cannot be read, or there is no such thing.
     */
    void begin(final Call call, final RequestHeader request, final CdrReader in)
            throws BrokerException, SystemException {
        final IiopSession found = sessions.find(request.key());
        if (request.operation().startsWith("_") && isOfObject(call, request.operation(), found, in)) {
            return;
        }
        if (found == null) {
            throw Failures.noSuchObject();
        }
        call.use(found);
        call.connection().use(found);
        begin(call, request.operation(), found, in);
    }

    /** Returns whether it is an operation that every object has. */
    private static boolean isOfObject(
            final Call call, final String operation, final @Nullable IiopSession found, final CdrReader in)
            throws SystemException {
        switch (operation) {
            case "_non_existent", "_not_existent" -> call.answer(out -> out.writeBoolean(found == null));
            case "_is_a" -> {
                orNoSuchObject(found);
                final String type = in.string();
                call.answer(out -> out.writeBoolean(type.equals(Values.BROKER_TYPE) || type.equals(OBJECT_TYPE)));
            }
            case "_repository_id" -> {
                orNoSuchObject(found);
                call.answer(out -> out.text(Values.BROKER_TYPE));
            }
            case "_component" -> {
                orNoSuchObject(found);
                call.answer(Ior::writeNothing);
            }
            case "_interface", "_get_interface", "_get_interface_def", "_domain_managers" -> {
                orNoSuchObject(found);
                throw Failures.notImplemented(operation);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void orNoSuchObject(final @Nullable IiopSession found) throws SystemException {
        if (found == null) {
            throw Failures.noSuchObject();
        }
    }

    private void begin(final Call call, final String operation, final IiopSession found, final CdrReader in)
            throws BrokerException, SystemException {
        final BridgeSession session = found.session();
        switch (operation) {
            case "echo" -> {
                final byte[] data = session.echo(in.octets());
                call.answer(out -> out.octets(data));
            }
            case "publish", "publishWithHeaders" ->
                publish(call, session, Values.readPublish(in, operation.equals("publishWithHeaders")));
            case "publishBatch", "publishBatchWithHeaders" -> {
                final Batch batch = Values.readBatch(in, operation, config.batchCountMax());
                submit(call, () -> {
                    session.publish(batch);
                    call.answer();
                });
            }
            case "next", "nextWithHeaders" -> {
                final var source =
                        new MessageSource(session, in.readLong(), in.readInt(), operation.equals("nextWithHeaders"));
                call.submit(new TakingCall<>(call, source, Math.min(in.readInt(), config.waitMsMax())));
            }
            case "fetch", "fetchWithHeaders" -> {
                final var source =
                        new RecordSource(session, in.readLong(), in.readInt(), operation.equals("fetchWithHeaders"));
                call.submit(new TakingCall<>(call, source, Math.min(in.readInt(), config.waitMsMax())));
            }
            case "logon", "logoff" -> beginSession(call, operation, found, in);
            case "query", "closeQuery" -> beginQuery(call, operation, session, in);
            default -> beginSubscription(call, operation, session, in);
        }
    }

    /** At once, from where it was received; by the pool when somebody has to be waited for. */
    private void publish(final Call call, final BridgeSession session, final PublishRequest request)
            throws BrokerException {
        // Before it is copied together.
        session.checkLength(request.data().readableBytes());
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.callTimeoutMs());
        call.answerBefore(deadlineNs);
        final PublishCommand command = request.command();
        if (session.tryPublish(command, call::answerOrRefuse)) {
            call.onPosted();
            return;
        }
        final PublishCommand kept = request.kept(command);
        submit(call, () -> {
            session.publish(kept, deadlineNs, call::answerOrRefuse);
            call.connection().onThread(call::onPosted);
        });
    }

    private void beginSession(final Call call, final String operation, final IiopSession found, final CdrReader in)
            throws BrokerException, SystemException {
        if (operation.equals("logon")) {
            final Credentials credentials = Values.readCredentials(in);
            submit(call, () -> {
                final IiopSession opened = sessions.open(credentials, call.connection());
                call.connection().useLater(opened);
                call.answer(out -> sessions.reference(opened.key()).write(out));
            });
            return;
        }
        if (found.session().isGuest()) {
            throw new BrokerException(
                    ErrorCode.NOT_SUPPORTED.code(),
                    ErrorCode.NOT_SUPPORTED.name(),
                    "logoff: the guests' session does not end (log off a session of your own)");
        }
        submit(call, () -> {
            sessions.close(found);
            call.answer();
        });
    }

    private void beginSubscription(
            final Call call, final String operation, final BridgeSession session, final CdrReader in)
            throws BrokerException, SystemException {
        switch (operation) {
            case "subscribe" -> {
                final SubscribeRequest request = Values.readSubscribeRequest(in);
                submit(call, () -> subscribe(call, session, request, null));
            }
            case "subscribeWithCallback", "subscribeWithHeaders" -> {
                final SubscribeRequest request = Values.readSubscribeRequest(in);
                final Listener listener = listeners.listener(
                        Ior.read(in),
                        call.caller(),
                        call.connection().identity().isEncrypted(),
                        operation.equals("subscribeWithHeaders"));
                submit(call, () -> subscribe(call, session, request, listener));
            }
            case "acknowledge" -> {
                final long subscription = in.readLong();
                final String bookmark = in.string();
                submit(call, () -> {
                    session.acknowledge(subscription, bookmark);
                    call.answer();
                });
            }
            case "forget" -> {
                final String name = in.string();
                submit(call, () -> {
                    session.forget(name);
                    call.answer();
                });
            }
            case "unsubscribe" -> {
                final long subscription = in.readLong();
                submit(call, () -> {
                    session.unsubscribe(subscription);
                    call.answer();
                });
            }
            default -> throw Failures.badOperation(operation);
        }
    }

    private static void subscribe(
            final Call call,
            final BridgeSession session,
            final SubscribeRequest request,
            final @Nullable Listener listener)
            throws BrokerException {
        final long subscription = session.subscribe(request, listener);
        call.answer(out -> out.writeLong(subscription));
    }

    private static void beginQuery(
            final Call call, final String operation, final BridgeSession session, final CdrReader in)
            throws SystemException {
        if (operation.equals("query")) {
            final QueryRequest request = Values.readQueryRequest(in);
            submit(call, () -> {
                final long query = session.queries().begin(request);
                call.answer(out -> out.writeLong(query));
            });
            return;
        }
        final long query = in.readLong();
        submit(call, () -> {
            session.queries().close(query);
            call.answer();
        });
    }

    private static void submit(final Call call, final Work work) {
        call.submit(() -> {
            if (call.isOver()) {
                call.endWork();
                return;
            }
            try {
                work.run();
            } catch (final Throwable e) {
                // Whatever it is, its client waits, and what the call holds is counted until it is answered.
                call.onFailure(e);
            }
        });
    }

    /** Work that may wait for the broker. */
    private interface Work {
        void run() throws BrokerException;
    }
}
