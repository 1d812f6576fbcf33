// Load by omniORB for what is measured: calls the bridge, or a peer that serves the same contract, from many threads over a
// bounded number of connections.
//
//     orb_load REFERENCE echo|publish THREADS CONNECTIONS LENGTH WARM_UP_S SECONDS
//
// prints one line of JSON. Times are in microseconds. The histogram has a pair for each step that occurred, its lower bound
// and the count; steps are 1/16 of a power of two wide.
//
//     orb_load REFERENCE CONNECTIONS
//
// takes lines: "run echo|publish THREADS LENGTH WARM_UP_MS FIRST_CALLS_MS MS". It prints "warm" when it measures, and then
// "done" with calls, nanoseconds, the median, the 99th percentile and the longest in microseconds, the number of calls that
// failed, that of threads that had not called once when it began, and why the first call failed that did. CONNECTIONS of 0 leaves their number to omniORB.
//
// It publishes to the topic "bytes", which takes binary messages (penstock serve --topic bytes=binary). Measuring begins when
// the warm-up is over and each thread has called once, or after FIRST_CALLS_MS more (ten seconds). Calls count that end in the
// measured time; times are of those and of the calls that are under way at its end.

#include "Penstock.hh"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

// Counts by time: 16 steps for each power of two of nanoseconds.
class Histogram {
public:
    void record(std::uint64_t ns) {
        counts[step(ns)]++;
    }

    void add(const Histogram& other) {
        for (std::size_t i = 0; i < counts.size(); i++) {
            counts[i] += other.counts[i];
        }
    }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (std::uint64_t count : counts) {
            sum += count;
        }
        return sum;
    }

    double percentileUs(double percent) const {
        const double wanted = static_cast<double>(total()) * percent / 100;
        double seen = 0;
        for (std::size_t i = 0; i < counts.size(); i++) {
            seen += static_cast<double>(counts[i]);
            if (counts[i] != 0 && seen >= wanted) {
                return lowestUs(i + 1);
            }
        }
        return 0;
    }

    void print(std::ostream& out) const {
        const char* separator = "";
        for (std::size_t i = 0; i < counts.size(); i++) {
            if (counts[i] != 0) {
                out << separator << "[" << lowestUs(i) << ", " << counts[i] << "]";
                separator = ", ";
            }
        }
    }

private:
    static const int STEP_BITS = 4;

    std::array<std::uint64_t, 64 << STEP_BITS> counts{};

    static std::size_t step(std::uint64_t ns) {
        if (ns < (1u << STEP_BITS)) {
            return ns;
        }
        const int power = 63 - __builtin_clzll(ns);
        return ((power - STEP_BITS + 1) << STEP_BITS) + ((ns >> (power - STEP_BITS)) & ((1u << STEP_BITS) - 1));
    }

    static double lowestUs(std::size_t step) {
        const std::size_t power = step >> STEP_BITS;
        const std::uint64_t rest = step & ((1u << STEP_BITS) - 1);
        const std::uint64_t ns = power == 0 ? rest : ((1ull << STEP_BITS) + rest) << (power - 1);
        return static_cast<double>(ns) / 1000;
    }
};

struct Worker {
    Histogram histogram;
    std::uint64_t callCount = 0;
    std::uint64_t maxNs = 0;
    std::uint64_t errorCount = 0;
    std::string error;
};

enum Phase { WARM_UP, MEASURE, END };

static const std::chrono::seconds FIRST_CALLS{10};
static const std::chrono::milliseconds PAUSE{1};

static std::atomic<int> phase{WARM_UP};
static std::atomic<std::size_t> calledCount{0};

// What was measured, and for how long.
struct Measured {
    Worker all;
    std::size_t lateCount = 0;
    std::chrono::nanoseconds time{};
};

static Penstock::Publication publication(CORBA::ULong length) {
    Penstock::Publication message;
    message.topic = "bytes";
    message.data.length(length);
    for (CORBA::ULong i = 0; i < length; i++) {
        message.data[i] = static_cast<CORBA::Octet>(i);
    }
    message.key = "";
    message.isDelta = false;
    message.expirationMs = 0;
    return message;
}

static void fail(Worker& worker, const char* reason) {
    if (worker.errorCount++ == 0) {
        worker.error = reason;
    }
    std::this_thread::sleep_for(PAUSE);
}

static void work(Penstock::PenstockBroker_ptr broker, bool isEcho, const Penstock::Publication& message, Worker& worker) {
    bool hasCalled = false;
    while (phase != END) {
        const Clock::time_point start = Clock::now();
        try {
            if (isEcho) {
                Penstock::Bytes_var echoed = broker->echo(message.data);
                if (echoed->length() != message.data.length()) {
                    fail(worker, "echo of another length");
                    continue;
                }
            } else {
                broker->publish(message, false);
            }
        } catch (const CORBA::Exception& e) {
            fail(worker, e._name());
            continue;
        }
        if (!hasCalled) {
            hasCalled = true;
            calledCount++;
        }
        const int endedIn = phase;
        if (endedIn == MEASURE) {
            worker.callCount++;
        }
        if (endedIn != WARM_UP) {
            const std::uint64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
            worker.histogram.record(ns);
            worker.maxNs = std::max(worker.maxNs, ns);
        }
    }
}

static Measured measure(Penstock::PenstockBroker_ptr broker, bool isEcho, std::size_t threadCount, CORBA::ULong length,
        std::chrono::duration<double> warmUp, std::chrono::milliseconds firstCalls, std::chrono::duration<double> time,
        const std::function<void()>& onWarm) {
    const Penstock::Publication message = publication(length);
    std::vector<Worker> workers(threadCount);
    std::vector<std::thread> threads;
    phase = WARM_UP;
    calledCount = 0;
    for (Worker& each : workers) {
        threads.emplace_back([&, isEcho] { work(broker, isEcho, message, each); });
    }
    std::this_thread::sleep_for(warmUp);
    const Clock::time_point late = Clock::now() + firstCalls;
    while (calledCount < threadCount && Clock::now() < late) {
        std::this_thread::sleep_for(PAUSE);
    }
    Measured measured;
    measured.lateCount = threadCount - calledCount;
    const Clock::time_point start = Clock::now();
    phase = MEASURE;
    onWarm();
    std::this_thread::sleep_until(start + time);
    phase = END;

    measured.time = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    for (std::size_t i = 0; i < threadCount; i++) {
        threads[i].join();
        measured.all.histogram.add(workers[i].histogram);
        measured.all.callCount += workers[i].callCount;
        measured.all.maxNs = std::max(measured.all.maxNs, workers[i].maxNs);
        measured.all.errorCount += workers[i].errorCount;
        if (measured.all.error.empty()) {
            measured.all.error = workers[i].error;
        }
    }
    return measured;
}

static void runOnce(Penstock::PenstockBroker_ptr broker, char** argv) {
    const Measured measured = measure(broker, std::string(argv[2]) == "echo", std::strtoul(argv[3], nullptr, 10),
        std::strtoul(argv[5], nullptr, 10), std::chrono::duration<double>(std::strtod(argv[6], nullptr)),
        FIRST_CALLS, std::chrono::duration<double>(std::strtod(argv[7], nullptr)), [] {});
    const Histogram& histogram = measured.all.histogram;
    std::cout << "{\"calls\": " << measured.all.callCount
              << ", \"seconds\": " << std::chrono::duration<double>(measured.time).count()
              << ", \"errors\": " << measured.all.errorCount << ", \"p50Us\": " << histogram.percentileUs(50)
              << ", \"p99Us\": " << histogram.percentileUs(99) << ", \"maxUs\": " << measured.all.maxNs / 1e3
              << ", \"lateThreads\": " << measured.lateCount << ", \"histogram\": [";
    histogram.print(std::cout);
    std::cout << "]}" << std::endl;
}

static void runByLines(Penstock::PenstockBroker_ptr broker) {
    std::string word;
    std::string operation;
    std::size_t threadCount;
    CORBA::ULong length;
    long warmUpMs;
    long firstCallsMs;
    long ms;
    while (std::cin >> word >> operation >> threadCount >> length >> warmUpMs >> firstCallsMs >> ms) {
        const Measured measured = measure(broker, operation == "echo", threadCount, length,
            std::chrono::milliseconds(warmUpMs), std::chrono::milliseconds(firstCallsMs), std::chrono::milliseconds(ms), [] { std::cout << "warm" << std::endl; });
        const Histogram& histogram = measured.all.histogram;
        std::cout << std::fixed << "done " << measured.all.callCount << " " << measured.time.count() << " "
                  << histogram.percentileUs(50) << " " << histogram.percentileUs(99) << " " << measured.all.maxNs / 1e3
                  << " " << measured.all.errorCount << " " << measured.lateCount << " " << measured.all.error << std::endl;
    }
}

int main(int argc, char** argv) {
    if (argc != 8 && argc != 3) {
        std::cerr << "usage: orb_load REFERENCE echo|publish THREADS CONNECTIONS LENGTH WARM_UP_S SECONDS\n"
                     "       orb_load REFERENCE CONNECTIONS (and lines: run echo|publish THREADS LENGTH WARM_UP_MS FIRST_CALLS_MS MS)"
                  << std::endl;
        return 2;
    }
    const std::string connections = argv[argc == 8 ? 4 : 2];
    const char* options[][2] = {
        {"nativeCharCodeSet", "UTF-8"},
        {"giopMaxMsgSize", "67108864"},
        {"maxGIOPConnectionPerServer", connections.c_str()},
        {nullptr, nullptr},
    };
    if (connections == "0") {
        options[2][0] = nullptr;
        options[2][1] = nullptr;
    }
    int orbArgumentCount = 1;
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(orbArgumentCount, argv, "omniORB4", options);
        CORBA::Object_var object = orb->string_to_object(argv[1]);
        Penstock::PenstockBroker_var broker = Penstock::PenstockBroker::_narrow(object);
        if (argc == 8) {
            runOnce(broker, argv);
        } else {
            runByLines(broker);
        }
        orb->destroy();
        return 0;
    } catch (const CORBA::Exception& e) {
        std::cerr << "failed: " << e._name() << std::endl;
        return 1;
    }
}
