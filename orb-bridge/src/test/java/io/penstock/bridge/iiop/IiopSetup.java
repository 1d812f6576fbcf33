package io.penstock.bridge.iiop;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.IiopTls;
import io.penstock.bridge.config.RmiConfig;
import java.util.List;

/** A configuration of the bridge with small bounds where a test wants them. */
final class IiopSetup {
    String address = IiopConfig.ADDRESS_DEFAULT;
    String host = "";
    int connectionCountMax = IiopConfig.CONNECTION_COUNT_MAX_DEFAULT;
    int requestCountMax = IiopConfig.REQUEST_COUNT_MAX_DEFAULT;
    int fragmentedCountMax = IiopConfig.FRAGMENTED_COUNT_MAX_DEFAULT;
    int fragmentLength = IiopConfig.FRAGMENT_LENGTH_DEFAULT;
    long receivedLengthMax = IiopConfig.RECEIVED_LENGTH_MAX_DEFAULT;
    int threadCountMax = IiopConfig.THREAD_COUNT_MAX_DEFAULT;
    int idleTimeoutMs = IiopConfig.IDLE_TIMEOUT_MS_DEFAULT;
    List<String> callbackHosts = List.of();
    boolean allowInsecureListen;
    IiopTls tls = IiopTls.NONE;
    String iorFile = "";
    String naming = "";
    int messageLengthMax = BridgeConfig.MESSAGE_LENGTH_MAX_DEFAULT;
    int batchLengthMax = BridgeConfig.BATCH_LENGTH_MAX_DEFAULT;
    int queueCountMax = BridgeConfig.QUEUE_COUNT_MAX_DEFAULT;
    int leaseMs = BridgeConfig.LEASE_MS_DEFAULT;
    int callTimeoutMs = BridgeConfig.CALL_TIMEOUT_MS_DEFAULT;
    int callbackTimeoutMs = BridgeConfig.CALLBACK_TIMEOUT_MS_DEFAULT;
    int callbackThreadCountMax = BridgeConfig.CALLBACK_THREAD_COUNT_MAX_DEFAULT;

    IiopConfig iiop() {
        return new IiopConfig(
                0,
                address,
                host,
                connectionCountMax,
                requestCountMax,
                fragmentedCountMax,
                fragmentLength,
                receivedLengthMax,
                threadCountMax,
                IiopConfig.IO_THREAD_COUNT_DEFAULT,
                idleTimeoutMs,
                callbackHosts,
                allowInsecureListen,
                tls,
                iorFile,
                naming,
                IiopConfig.NAME_DEFAULT);
    }

    BridgeConfig config() {
        return new BridgeConfig(
                RmiConfig.none(),
                iiop(),
                BridgeConfig.SESSION_COUNT_MAX_DEFAULT,
                BridgeConfig.SUBSCRIPTION_COUNT_MAX_DEFAULT,
                BridgeConfig.QUERY_COUNT_MAX_DEFAULT,
                messageLengthMax,
                BridgeConfig.BATCH_COUNT_MAX_DEFAULT,
                batchLengthMax,
                queueCountMax,
                BridgeConfig.QUEUE_LENGTH_MAX_DEFAULT,
                BridgeConfig.HELD_LENGTH_MAX_DEFAULT,
                leaseMs,
                callTimeoutMs,
                BridgeConfig.WAIT_MS_MAX_DEFAULT,
                callbackTimeoutMs,
                callbackThreadCountMax,
                "");
    }
}
