package io.penstock.spring.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.penstock.client.Publication;

/** What is known of a message that is being sent; the trace is added to its headers. */
public final class SendContext extends SenderContext<Publication> {
    private final String topic;

    /**
     * Makes a context.
     *
     * @param topic       published to.
     * @param publication to which the trace's headers are added, before it is published.
     */
    public SendContext(final String topic, final Publication publication) {
        super(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.header(name, value);
                    }
                },
                Kind.PRODUCER);
        this.topic = topic;
        setCarrier(publication);
        setRemoteServiceName("penstock");
    }

    /**
     * The topic.
     *
     * @return its name.
     */
    public String topic() {
        return topic;
    }
}
