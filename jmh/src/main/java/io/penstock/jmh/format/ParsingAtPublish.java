package io.penstock.jmh.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.format.MessageValidator;
import io.penstock.format.UniqueFields;
import io.penstock.format.ValidatingReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the receiver of a message does with its bytes: validation, the key, the filter of a permission, and the look for
 * members that stand twice. Beside it what any parser has to do at least: to read the bytes once, and to find the quotes,
 * brackets, colons and commas among them, eight at a time. All cases take turns; time is processor time of the thread.
 *
 * <p>The argument is the number of rounds, 30 unless given. The first third of them warms up.
 */
public final class ParsingAtPublish {
    private static final int COUNT = 512;
    private static final int PASSES = 20;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long GATHER = 0x0102040810204081L;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final UnsafeBuffer buffer;
    private final int[] offsets = new int[COUNT];
    private final int[] lengths = new int[COUNT];
    private final List<Case> cases = new ArrayList<>();
    private long sink;

    private ParsingAtPublish(final int length) {
        final SplittableRandom random = new SplittableRandom(1);
        final byte[][] messages = new byte[COUNT][];
        int total = 0;
        for (int i = 0; i < COUNT; i++) {
            messages[i] = message(random, i, length);
            offsets[i] = total;
            lengths[i] = messages[i].length;
            total += messages[i].length;
        }
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(total + Long.BYTES));
        for (int i = 0; i < COUNT; i++) {
            buffer.putBytes(offsets[i], messages[i]);
        }
        addCases();
        addOnePass();
    }

    /** Runs it. */
    public static void main(final String... args) {
        final int rounds = args.length == 0 ? 30 : Integer.parseInt(args[0]);
        for (final int length : new int[] {100, 400, 2048}) {
            new ParsingAtPublish(length).run(rounds);
        }
    }

    private static byte[] message(final SplittableRandom random, final int i, final int length) {
        final String[] symbols = {"IBM", "MSFT", "AAPL", "GOOG", "C", "ORCL"};
        final StringBuilder text = new StringBuilder("{\"id\":").append(1_000_000 + i);
        text.append(",\"desk\":\"EMEA\",\"symbol\":\"").append(symbols[random.nextInt(symbols.length)]);
        text.append("\",\"side\":\"").append(random.nextBoolean() ? 'B' : 'S');
        text.append("\",\"qty\":").append(100 * random.nextInt(1, 100));
        text.append(",\"price\":").append(random.nextInt(100, 40_000) / 100.0);
        for (int field = 0; text.length() < length - 20; field++) {
            if (field % 4 == 3) {
                text.append(",\"amount").append(field).append("\":").append(random.nextInt(1_000_000) / 100.0);
            } else if (field % 4 == 1) {
                text.append(",\"remark")
                        .append(field)
                        .append("\":\"order text ")
                        .append(random.nextInt(1_000_000));
                text.append(" of a client's desk\"");
            } else {
                text.append(",\"field")
                        .append(field)
                        .append("\":\"value ")
                        .append(random.nextInt(1_000_000))
                        .append('"');
            }
        }
        return text.append('}').toString().getBytes(UTF_8);
    }

    private void addCases() {
        final MessageFormat format = MessageFormats.formatFor("json");
        final MessageValidator validator = format.newValidator();
        final KeyReader key = new KeyReader(format, FieldSelection.parse("id"));
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile("desk = 'EMEA'", fields, FilterLimits.COMBINED);
        final FieldReader reader = format.newReader(fields);
        final UniqueFields unique = format.newUniqueFields(fields);
        add("sum of longs", this::sum);
        add("structural scan", this::scan);
        add("validate", (at, length) -> validator.validate(buffer, at, length) == null ? 1 : 0);
        add(
                "validate, key",
                (at, length) -> validator.validate(buffer, at, length) == null && key.read(buffer, at, length) == null
                        ? key.length()
                        : 0);
        add("validate, filter", (at, length) -> {
            boolean holds = validator.validate(buffer, at, length) == null;
            reader.wrap(buffer, at, length);
            holds &= filter.matches(reader);
            return holds ? 1 : 0;
        });
        add("validate, filter, unique", (at, length) -> {
            boolean holds = validator.validate(buffer, at, length) == null;
            reader.wrap(buffer, at, length);
            holds &= filter.matches(reader) && unique.areUnique(buffer, at, length);
            return holds ? 1 : 0;
        });
        add("validate, filter, unique, key", (at, length) -> {
            boolean holds = validator.validate(buffer, at, length) == null;
            reader.wrap(buffer, at, length);
            holds &= filter.matches(reader) && unique.areUnique(buffer, at, length);
            holds &= key.read(buffer, at, length) == null;
            return holds ? key.length() : 0;
        });
    }

    private void addOnePass() {
        final MessageFormat format = MessageFormats.formatFor("json");
        final FieldSet noFields = new FieldSet();
        final ValidatingReader nothing = format.newValidatingReader(noFields, 0);
        final FieldSet keyFields = new FieldSet();
        keyFields.slotOf(FieldPath.of("id"));
        final ValidatingReader ofKey = format.newValidatingReader(keyFields, 0);
        final KeyReader key = KeyReader.of(ofKey, keyFields, FieldSelection.parse("id"));
        final FieldSet fields = new FieldSet();
        final Filter filter = FilterCompiler.compile("desk = 'EMEA'", fields, FilterLimits.COMBINED);
        final ValidatingReader ofFilter = format.newValidatingReader(fields, fields.count());
        final FieldSet allFields = new FieldSet();
        final Filter filterOfAll = FilterCompiler.compile("desk = 'EMEA'", allFields, FilterLimits.COMBINED);
        final int uniqueCount = allFields.count();
        allFields.slotOf(FieldPath.of("id"));
        final ValidatingReader ofAll = format.newValidatingReader(allFields, uniqueCount);
        final KeyReader keyOfAll = KeyReader.of(ofAll, allFields, FieldSelection.parse("id"));
        add("one pass: nothing", (at, length) -> nothing.validate(buffer, at, length) == null ? 1 : 0);
        add(
                "one pass: key",
                (at, length) -> ofKey.validate(buffer, at, length) == null && key.read() == null ? key.length() : 0);
        add(
                "one pass: filter, unique",
                (at, length) -> ofFilter.validate(buffer, at, length) == null
                                && filter.matches(ofFilter)
                                && ofFilter.areUnique()
                        ? 1
                        : 0);
        add(
                "one pass: filter as before",
                (at, length) -> ofFilter.validate(buffer, at, length) == null && isAllowed(ofFilter, filter) ? 1 : 0);
        add(
                "one pass: filter as before, key",
                (at, length) -> ofAll.validate(buffer, at, length) == null
                                && isAllowed(ofAll, filterOfAll)
                                && keyOfAll.read() == null
                        ? keyOfAll.length()
                        : 0);
    }

    /** As a broker does: what was allowed with the same values is allowed again. */
    private static boolean isAllowed(final ValidatingReader reader, final Filter filter) {
        if (reader.areRemembered() && reader.areUnique()) {
            return true;
        }
        final boolean isAllowed = filter.matches(reader) && reader.areUnique();
        if (isAllowed) {
            reader.remember();
        }
        return isAllowed;
    }

    private void add(final String name, final Work work) {
        cases.add(new Case(name, work));
    }

    private long sum(final int at, final int length) {
        long sum = 0;
        for (int i = 0; i < length; i += Long.BYTES) {
            sum += buffer.getLong(at + i, ByteOrder.LITTLE_ENDIAN);
        }
        return sum;
    }

    /** A bit for each byte that is a quote, a backslash, a bracket, a brace, a colon or a comma; not which of them. */
    private long scan(final int at, final int length) {
        long sum = 0;
        for (int i = 0; i < length; i += Long.BYTES) {
            final long word = buffer.getLong(at + i, ByteOrder.LITTLE_ENDIAN);
            final long braces = word | ONES * 0x20;
            final long found = zeros(word ^ ONES * '"')
                    | zeros(word ^ ONES * '\\')
                    | zeros(word ^ ONES * ':')
                    | zeros(word ^ ONES * ',')
                    | zeros(braces ^ ONES * '{')
                    | zeros(braces ^ ONES * '}');
            sum += ((found >>> 7) * GATHER) >>> 56;
        }
        return sum;
    }

    /** The high bits of exactly the bytes that are zero. */
    private static long zeros(final long word) {
        return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word) & HIGH_BITS;
    }

    private void run(final int rounds) {
        final double[][] ns = new double[cases.size()][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < cases.size(); i++) {
                final int place = (i + round) % cases.size();
                ns[place][round] = round(cases.get(place).work);
            }
        }
        int total = 0;
        for (final int length : lengths) {
            total += length;
        }
        System.out.printf("messages of %d bytes%n", total / COUNT);
        for (int i = 0; i < cases.size(); i++) {
            final double[] measured = Arrays.copyOfRange(ns[i], rounds / 3, rounds);
            Arrays.sort(measured);
            System.out.printf(
                    "  %-32s %7.1f ns a message (lower quartile)%n", cases.get(i).name, measured[measured.length / 4]);
        }
        if (sink == 0) {
            System.out.println("nothing was read");
        }
    }

    private double round(final Work work) {
        final long startNs = THREADS.getCurrentThreadCpuTime();
        for (int pass = 0; pass < PASSES; pass++) {
            for (int i = 0; i < COUNT; i++) {
                sink += work.read(offsets[i], lengths[i]);
            }
        }
        return (double) (THREADS.getCurrentThreadCpuTime() - startNs) / (PASSES * COUNT);
    }

    /** Reads one message. */
    @FunctionalInterface
    private interface Work {
        long read(int at, int length);
    }

    /** Some work under a name. */
    private record Case(String name, Work work) {}
}
