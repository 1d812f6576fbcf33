package io.penstock.system.permission;

/**
 * What one who may do everything does to a topic.
 *
 * @param kind   of it.
 * @param topic  name of it.
 * @param sample the message; of a delete its key alone counts.
 */
record Change(Type kind, String topic, Sample sample) {
    enum Type {
        PUT,
        DELTA,
        DELETE
    }

    @Override
    public String toString() {
        return kind + " " + topic + " " + sample.json() + (sample.headers().isEmpty() ? "" : sample.headers());
    }
}
