package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonEditorTest {
    private final Edits edits = new Edits();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    # replaces, appends, keeps
                    {"a":1,"b":2}                  | {"b":3}                | {"a":1,"b":3}
                    {"a":1}                        | {"b":3,"c":[]}         | {"a":1,"b":3,"c":[]}
                    {"a":1,"b":2,"c":3}            | {"b":null}             | {"a":1,"b":null,"c":3}
                    {}                             | {"b":3}                | {"b":3}
                    {"b":3}                        | {}                     | {"b":3}
                    {}                             | {}                     | {}
                    # objects within
                    {"o":{"a":1,"b":2},"c":3}      | {"o":{"b":4,"d":5}}    | {"o":{"a":1,"b":4,"d":5},"c":3}
                    {"o":{"a":1}}                  | {"o":7}                | {"o":7}
                    {"o":7}                        | {"o":{"a":1}}          | {"o":{"a":1}}
                    {"o":{"a":{"b":{}}}}           | {"o":{"a":{"b":{"c":1}}}} | {"o":{"a":{"b":{"c":1}}}}
                    {"o":[{"a":1}]}                | {"o":[{"b":2}]}        | {"o":[{"b":2}]}
                    # names by their characters; the text is the message's
                    {"\\u0061":1}                  | {"a":2}                | {"\\u0061":2}
                    {"é":1}                        | {"\\u00e9":2}          | {"é":2}
                    {"aVeryLongName":1,"aVeryLongNamf":2} | {"aVeryLongNamf":3} | {"aVeryLongName":1,"aVeryLongNamf":3}
                    {"":1}                         | {"":2}                 | {"":2}
                    # of several members the first counts
                    {"a":1,"a":2}                  | {"a":3}                | {"a":3}
                    {"a":1,"b":0,"a":2}            | {"a":3,"a":4}          | {"a":3,"b":0}
                    {"a":{"x":1},"a":{"y":2}}      | {"a":{"z":3}}          | {"a":{"x":1,"z":3}}
                    # white space within values is theirs
                    { "a" : [ 1 ] , "b" : 2 }      | { "b" : { "c" : 1 } }  | {"a" : [ 1 ],"b":{ "c" : 1 }}
                    # what is no object is replaced whole
                    [1]                            | {"a":1}                | {"a":1}
                    {"a":1}                        | [1]                    | [1]
                    {"a":1}                        | ` 7 `                  | 7
                    "x"                            | "y"                    | "y"
                    """)
    void shouldReplaceMembersWhenMerged(final String message, final String delta, final String expected) {
        assertThat(edits.merge(message, delta)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"a":1,"b":2}              | {"a":1,"b":3}             |       | {"b":3}
                    {"a":1,"b":2}              | {"b":3,"a":1}             |       | {"b":3}
                    {"a":1,"b":2}              | {"b":2,"a":1}             |       | ``
                    {"a":1,"b":2}              | {"a":1}                   |       | {"b":null}
                    {"a":1,"b":null}           | {"a":1}                   |       | ``
                    {"a":1}                    | {"a":1,"b":null}          |       | {"b":null}
                    {"a":1}                    | {"a":1,"b":[]}            |       | {"b":[]}
                    {"a":2}                    | {"a":2.0}                 |       | {"a":2.0}
                    {"a":"é"}                  | {"a":"\\u00e9"}           |       | ``
                    {"a":"1"}                  | {"a":1}                   |       | {"a":1}
                    {"a":[1,2]}                | {"a":[1,3]}               |       | {"a":[1,3]}
                    {"o":{"a":1,"b":2}}        | {"o":{"a":1,"b":3}}       |       | {"o":{"b":3}}
                    {"o":{"a":1,"b":2}}        | {"o":{}}                  |       | {"o":{"a":null,"b":null}}
                    {"o":{"a":1}}              | {"o":5}                   |       | {"o":5}
                    {"o":5}                    | {"o":{"a":1}}             |       | {"o":{"a":1}}
                    {"o":{"a":1}}              | {"o": {"a": 1}}           |       | ``
                    # kept
                    {"id":7,"b":2}             | {"id":7,"b":3}            | id    | {"id":7,"b":3}
                    {"id":7,"b":2}             | {"b":3,"id":7}            | id    | {"b":3,"id":7}
                    {"id":7,"b":2}             | {"id":7,"b":2}            | id    | ``
                    {"id":7,"b":2}             | {"id":7, "b":2}           | id    | ``
                    {"o":{"id":7,"c":0},"b":2} | {"o":{"id":7,"c":0},"b":3}| /o/id | {"o":{"id":7},"b":3}
                    {"o":{"id":7,"c":0},"b":2} | {"o":{"id":7,"c":0},"b":3}| o     | {"o":{"id":7,"c":0},"b":3}
                    {"o":{"id":7,"c":0},"b":2} | {"o":{"id":7,"c":1},"b":2}| o     | {"o":{"id":7,"c":1}}
                    {"o":{"id":7,"c":0}}       | {"o":{"c":0,"id":7}}      | o     | ``
                    {"o":{"id":7,"c":0}}       | {"o":{"id":7}}            | o     | {"o":{"id":7,"c":null}}
                    {"o":{},"b":2}             | {"o":{ },"b":3}           | o     | {"o":{},"b":3}
                    {"a":[1,2],"b":2}          | {"a":[1,2],"b":3}         | a[1]  | {"a":[1,2],"b":3}
                    # of several members the first counts
                    {"a":1,"a":2}              | {"a":1,"a":3}             |       | ``
                    {"a":1,"a":2}              | {"x":0,"a":2}             |       | {"x":0,"a":2}
                    {"b":1}                    | {"b":1,"n":1,"n":2}       |       | {"n":1}
                    # what is no object is sent whole
                    [1]                        | [2]                       | id    | [2]
                    [1]                        | ` [1] `                   |       | ``
                    {"a":1}                    | 5                         |       | 5
                    5                          | {"a":1,"b":null}          |       | {"a":1,"b":null}
                    """)
    void shouldWriteWhatDiffersAndWhatIsKept(
            final String old, final String now, final String kept, final String expected) {
        assertThat(edits.diff(old, now, kept == null ? "" : kept)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"a":1,"b":2,"c":3}        | {"a":2,"b":3,"c":4}       | b     | {"b":3}
                    {"a":1,"b":2,"c":3}        | {"a":2,"b":2,"c":4}       | b     | ``
                    {"o":{"a":1,"b":2}}        | {"o":{"a":2,"b":3}}       | /o/b  | {"o":{"b":3}}
                    {"o":{"a":1,"b":2}}        | {"o":{"a":2}}             | /o/b  | {"o":{"b":null}}
                    {"o":{"a":1,"b":2}}        | {}                        | /o/b  | {"o":null}
                    {"o":{"a":1}}              | {}                        | /o/b  | ``
                    {"o":{"a":1,"b":2}}        | {"o":5}                   | /o/b  | {"o":null}
                    {"o":{"p":{"b":2}}}        | {}                        | /o/p/b| {"o":null}
                    {"o":{"a":1}}              | {"o":5}                   | /o/b  | ``
                    {"o":5}                    | {"o":{"a":1,"b":2}}       | /o/b  | {"o":{"b":2}}
                    {"o":5}                    | {"o":{"a":1}}             | /o/b  | ``
                    {"a":1}                    | [1]                       | a     | ``
                    [1]                        | {"a":1,"b":2}             | a     | {"a":1}
                    [1]                        | {"b":2}                   | a     | ``
                    """)
    void shouldLookOnlyAtWhatIsSelected(
            final String old, final String now, final String selected, final String expected) {
        assertThat(edits.diff(old, now, "", selected, false)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"id":1,"a":1}             | {"id":1,"a":null}         | id    | ``
                    {"id":1,"a":1}             | {"id":1}                  | id    | ``
                    {"id":1,"a":1,"b":1}       | {"id":1,"a":"","b":2}     | id    | {"id":1,"b":2}
                    {"id":1}                   | {"id":1,"a":[ ],"b":{ }}  | id    | ``
                    {"id":1}                   | {"id":1,"a":{"b":{"c":""}}} | id  | ``
                    {"id":1}                   | {"id":1,"a":{"b":null,"c":2}} | id | {"id":1,"a":{"c":2}}
                    {"id":1}                   | {"id":1,"a":[null]}       | id    | {"id":1,"a":[null]}
                    {"id":1}                   | {"id":null}               | id    | {"id":null}
                    {"id":1}                   | {}                        | id    | {"id":null}
                    {"b":1}                    | {"n":null,"n":2}          |       | ``
                    5                          | {"a":null}                |       | {}
                    """)
    void shouldLeaveEmptyMembersOutWhenAskedTo(
            final String old, final String now, final String kept, final String expected) {
        assertThat(edits.diff(old, now, kept == null ? "" : kept, null, true)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"a":1,"b":2,"c":3}           | c, a              | false | {"a":1,"c":3}
                    {"a":1}                       | b                 | false | {}
                    {"o":{"a":1,"b":{"c":2}}}     | /o/b              | false | {"o":{"b":{"c":2}}}
                    {"o":{"a":1,"b":{"c":2}}}     | o                 | false | {"o":{"a":1,"b":{"c":2}}}
                    {"o":{"a":1},"p":5}           | /o/b, /p/q        | false | {}
                    {"o":{"a":1},"p":{"q":[{}]}}  | /p/q[3]/x         | false | {"p":{"q":[{}]}}
                    {"\\u0061" : 1}               | a                 | false | {"\\u0061":1}
                    {"odd name":1,"b":2}          | [/odd name]       | false | {"odd name":1}
                    {"a":1,"a":2}                 | a                 | false | {"a":1}
                    {"a":1,"a":{"b":2}}           | /a/b              | false | {}
                    {"a":null,"b":"","c":1}       | a, b, c           | true  | {"c":1}
                    {"a":null,"a":1}              | a                 | true  | {}
                    {"o":{"a":null}}              | o                 | true  | {}
                    {"o":{"a":null}}              | o                 | false | {"o":{"a":null}}
                    [{"a":1}]                     | a                 | false | {}
                    5                             | a                 | false | {}
                    """)
    void shouldKeepOnlyWhatIsSelected(
            final String message, final String selected, final boolean noEmpties, final String expected) {
        assertThat(edits.select(message, selected, noEmpties)).isEqualTo(expected);
    }

    @Test
    void shouldEditMessagesThatAreNestedAsDeepAsTheyMay() {
        final String prefix = "{\"a\":".repeat(JsonFormat.DEPTH_MAX - 1);
        final String suffix = "}".repeat(JsonFormat.DEPTH_MAX - 1);
        final String old = prefix + "{\"b\":1,\"c\":1}" + suffix;
        final String now = prefix + "{\"b\":2,\"c\":1}" + suffix;
        final String change = prefix + "{\"b\":2}" + suffix;
        assertThat(edits.diff(old, now, "")).isEqualTo(change);
        assertThat(edits.merge(old, change)).isEqualTo(now);
        assertThat(edits.select(now, "/a".repeat(JsonFormat.DEPTH_MAX - 1) + "/b", false))
                .isEqualTo(change);
    }

    @Test
    void shouldFindMembersWhenThereAreMany() {
        final StringBuilder old = new StringBuilder("{");
        final StringBuilder now = new StringBuilder("{");
        for (int i = 0; i < 5_000; i++) {
            old.append(i == 0 ? "" : ",")
                    .append("\"member")
                    .append(i)
                    .append("\":")
                    .append(i);
            now.append(i == 0 ? "" : ",")
                    .append("\"member")
                    .append(4_999 - i)
                    .append("\":")
                    .append(4_999 - i);
        }
        assertThat(edits.diff(old + "}", now + "}", "")).isEmpty();
        assertThat(edits.diff(old + "}", now + ",\"x\":1}", "member3")).isEqualTo("{\"member3\":3,\"x\":1}");
        assertThat(edits.merge(old + "}", now + "}")).isEqualTo(old + "}");
    }
}
