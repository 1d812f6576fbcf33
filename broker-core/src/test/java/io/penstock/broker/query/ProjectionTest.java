package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.format.binary.BinaryFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What select lists without aggregates write of one message. */
class ProjectionTest {
    private static final String ORDER = "{\"id\":7,\"symbol\":\"I\\\"BM\\u00fc\",\"price\":2.50,\"live\":true,"
            + "\"none\":null,\"legs\":[{\"px\":1.5}],\"tags\":[\"a\",\"b\"],\"to\":{\"desk\":\"x\"}}";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            id                                  ~ {"id":7}
            price, id, live                     ~ {"price":2.5,"id":7,"live":true}
            symbol                              ~ {"symbol":"I\\"BMü"}
            none, gone                          ~ {"none":null,"gone":null}
            /to/desk, /legs[0]/px               ~ {"desk":"x","px":1.5}
            to, tags, tags[1] AS second         ~ {"to":null,"tags":"a","second":"b"}
            price * id AS value, id + 1         ~ {"value":17.5,"id + 1":8}
            1e308 * id AS huge                  ~ {"huge":null}
            id > 5 AS big, symbol IS NULL AS no ~ {"big":true,"no":false}
            MAX(id, 9) AS nine                  ~ {"nine":9}
            UPPER(/to/desk) || '"' AS "a""b"    ~ {"a\\"b":"X\\""}
            """)
    void shouldWriteTheItems(final String select, final String expected) {
        assertThat(Rows.project(select, ORDER)).isEqualTo(expected);
    }

    @Test
    void shouldCopyTheMessageWhenTheListIsBlank() {
        assertThat(Rows.project(" ", ORDER)).isEqualTo(ORDER);
    }

    @Test
    void shouldCopyBytesWithoutFieldsWhenTheListIsBlank() {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[] {9, 1, 2, 3});
        final UnsafeBuffer to = new UnsafeBuffer(new byte[5]);
        final Projection projection = new Projection(Rows.list("", ""), new BinaryFormat());
        assertThat(projection.project(message, 1, 3, to, 2, 3)).isEqualTo(3);
        assertThat(to.byteArray()).containsExactly(0, 0, 1, 2, 3);
    }

    @Test
    void shouldSayThatItDoesNotFitAndWriteNothingBeyondWhenTooLong() {
        final UnsafeBuffer message = Rows.bytes(ORDER);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[20]);
        for (final String select : new String[] {"id, symbol", ""}) {
            final Projection projection = new Projection(Rows.list(select, ""), Rows.JSON);
            assertThat(projection.project(message, 0, message.capacity(), to, 1, 12))
                    .isEqualTo(Projection.TOO_LONG);
            assertThat(to.getByte(0)).isZero();
            assertThat(to.getStringWithoutLengthAscii(13, 7)).isEqualTo("\0\0\0\0\0\0\0");
        }
    }

    @Test
    void shouldRefuseWhatItCannotBeMadeOf() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Projection(Rows.list("COUNT(*)", ""), Rows.JSON))
                .withMessage("projection: not of single messages: COUNT(*) (use an Aggregation)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Projection(Rows.list("price", ""), new BinaryFormat()))
                .withMessage("select: messages have no fields to write: binary");
    }
}
