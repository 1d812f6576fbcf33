package io.penstock.transport.tls;

import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The engines of the JDK. Any thread.
 *
 * @param context       with certificates and trust.
 * @param ciphers       that the settings allow and this JDK has, the best one first.
 * @param config        the settings.
 * @param isHostChecked whether a side that connects takes only certificates for the host that was asked for.
 */
record JdkEngines(SSLContext context, List<String> ciphers, TlsConfig config, boolean isHostChecked)
        implements TlsEngines {
    @Override
    public String name() {
        return "jdk";
    }

    @Override
    public SSLEngine server() {
        final SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(serverParameters());
        return engine;
    }

    @Override
    public SSLEngine client(final String host, final int port) {
        final SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(clientParameters());
        return engine;
    }

    SSLParameters serverParameters() {
        final SSLParameters parameters = parameters();
        switch (config.clientCertificates()) {
            case NONE -> parameters.setNeedClientAuth(false);
            case OPTIONAL -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        // The order of this side decides which suite is used.
        parameters.setUseCipherSuitesOrder(true);
        return parameters;
    }

    SSLParameters clientParameters() {
        final SSLParameters parameters = parameters();
        if (isHostChecked) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        return parameters;
    }

    private SSLParameters parameters() {
        final SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(config.protocols().toArray(new String[0]));
        parameters.setCipherSuites(ciphers.toArray(new String[0]));
        return parameters;
    }

    @Override
    public void close() {
        // The garbage collector does.
    }
}
