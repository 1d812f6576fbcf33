package io.penstock.format.tck;

import io.penstock.format.MessageFormat;
import java.util.List;

/**
 * A format that the kits test, with samples of its messages; the more of the format's ways the samples take, the more is
 * tested.
 */
public interface TestedFormat {
    /**
     * The format.
     *
     * @return an instance, the same each time or not.
     */
    MessageFormat format();

    /**
     * Valid messages.
     *
     * @return at least two that differ.
     */
    List<FormatSample> samples();

    /**
     * Messages that must be refused.
     *
     * @return some, or none when the format accepts any bytes.
     */
    List<byte[]> refusedMessages();

    /**
     * Whether a sample is refused when it is cut off, wherever that is.
     *
     * @return true when it is.
     */
    boolean refusesTruncation();
}
