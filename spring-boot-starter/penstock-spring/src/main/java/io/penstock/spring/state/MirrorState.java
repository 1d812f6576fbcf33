package io.penstock.spring.state;

/** How a mirror stands to the topic that it mirrors. */
public enum MirrorState {
    /** Its records have not all come yet; the map is empty. */
    LOADING,
    /** It has all records, and follows their changes. */
    LIVE,
    /** The client is not connected: the map is as it was then. */
    STALE,
    /** All records come again; until they have, the map is as it was before. */
    RESYNCHRONISING,
    /** It follows no more, as it has reached its bound; the map is as it was then. */
    FAILED,
    /** It was stopped with the context; the map is as it was then. */
    STOPPED
}
