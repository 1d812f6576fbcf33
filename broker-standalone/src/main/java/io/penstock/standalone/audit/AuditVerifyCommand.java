package io.penstock.standalone.audit;

import io.penstock.broker.security.audit.AuditVerifier.Verdict;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.console.Counted;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies an audit. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Reads every entry, compares it with its hash, and its place with that of the entry before it. The first that"
                    + " is not as it was written, is missing or stands elsewhere is named.",
            "Whoever can write the files can write all that follows anew, or cut off their end: --expect holds them"
                    + " against a hash that was noted elsewhere, as the broker's log has them (audit head)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all entries are right", "1:one is not, or cannot be read", "2:there is no audit"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock audit verify /var/lib/penstock/audit",
            "  penstock audit verify /backup/audit --expect 1402:8a1f…03  # a hash from the broker's log"
        })
final class AuditVerifyCommand implements Callable<Integer> {
    private static final Pattern EXPECTED = Pattern.compile("(\\d{1,18}):([0-9a-f]{64})");
    private static final Pattern SEQUENCE = Pattern.compile("^\\{\"seq\":(\\d+),.*", Pattern.DOTALL);

    @Spec
    private CommandSpec spec;

    @Mixin
    private AuditPath path;

    @Option(
            names = "--expect",
            paramLabel = "ENTRY:HASH",
            description = "Entry that has to be there, with this hash; repeatable.")
    private List<String> expected = List.of();

    @Override
    public Integer call() {
        final List<String> missing = new ArrayList<>();
        for (final String each : expected) {
            if (!EXPECTED.matcher(each.toLowerCase(Locale.ROOT)).matches()) {
                throw CommandFailure.badInput("--expect: no entry with its hash: " + each
                        + " (give a number, a colon and 64 hexadecimal digits, as in 12:8a1f…)");
            }
            // There is none before the first.
            if (!each.startsWith("0:")) {
                missing.add(each.toLowerCase(Locale.ROOT));
            }
        }
        final Verdict verdict = path.read(entry -> missing.removeIf(each -> isExpected(each, entry)));
        final PrintWriter out = spec.commandLine().getOut();
        verdict.remarks().forEach(remark -> out.println("remark: " + remark));
        if (verdict.problem() != null) {
            out.println("BROKEN: " + verdict.problem());
        }
        missing.forEach(each -> out.println("BROKEN: entry " + each.substring(0, each.indexOf(':'))
                + " is not here, or has another hash than " + each.substring(each.indexOf(':') + 1)));
        final boolean isRight = verdict.problem() == null && missing.isEmpty();
        out.println((isRight ? "" : "right before that: ") + entries(verdict.entryCount()) + " in "
                + Counted.of(verdict.fileCount(), "file") + ", the last is "
                + (verdict.sequence() == 0 ? "none" : verdict.sequence() + ":" + verdict.hash()));
        out.flush();
        return isRight ? Main.EXIT_OK : Main.EXIT_FAILED;
    }

    private static String entries(final long count) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "entry" : "entries");
    }

    private static boolean isExpected(final String each, final String entry) {
        final int colon = each.indexOf(':');
        return entry.endsWith(",\"hash\":\"" + each.substring(colon + 1) + "\"}")
                && SEQUENCE.matcher(entry).replaceFirst("$1").equals(each.substring(0, colon));
    }
}
