package io.penstock.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where the broker is, and as whom to log on. A bean of this type takes the place of the properties {@code penstock.servers},
 * {@code penstock.user}, {@code penstock.password} and {@code penstock.token}, and its SSL bundle, if it has one, that of {@code
 * penstock.ssl.bundle}. Asked once, by the thread that starts the context.
 */
public interface PenstockConnectionDetails extends ConnectionDetails {
    /**
     * Where brokers are.
     *
     * @return at least one endpoint, for example {@code tcp://127.0.0.1:9100}; all with the same scheme.
     */
    List<String> servers();

    /**
     * Who logs on.
     *
     * @return the user; empty for brokers that ask for none.
     */
    default String user() {
        return "";
    }

    /**
     * The user's password.
     *
     * @return maybe empty.
     */
    default String password() {
        return "";
    }

    /**
     * What proves a user instead of a password.
     *
     * @return a bearer token; empty for none.
     */
    default String token() {
        return "";
    }

    /**
     * Whom to trust, and the certificate to show, for servers at {@code tcps} addresses.
     *
     * @return null for what the properties say.
     */
    default @Nullable SslBundle sslBundle() {
        return null;
    }
}
