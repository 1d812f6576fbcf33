package io.penstock.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurveTest {
    @Test
    void shouldHaveAllFiguresOfAStepTogetherWhenReportedAndDrawn(@TempDir final Path folder) throws IOException {
        final List<Step> steps = List.of(Step.of(10), Step.of(100));
        final Curve curve = new Curve("some", "Some <figures>", "rows", steps);
        curve.add(steps.get(0), "scan", "penstock", 0.000012345);
        curve.add(steps.get(1), "scan", "penstock", 12_345_678);
        curve.add(steps.get(1), "scan", "plain", Double.NaN);

        final String json = curve.report(new Json()).end();
        curve.write(folder.resolve("charts"), json);

        assertThat(json)
                .isEqualTo("{\"10\":{\"scan: penstock\":0.00001235,\"scan: plain\":null},"
                        + "\"100\":{\"scan: penstock\":12350000,\"scan: plain\":null}}");
        assertThat(folder.resolve("charts/some.json")).hasContent(json);
        assertThat(Files.readString(folder.resolve("charts/some.svg")))
                .startsWith("<svg ")
                .contains("Some &lt;figures>", ">10<", ">100<", ">penstock<");
    }
}
