#include "tools/master/master.hpp"

#include "core/math/error.hpp"
#include "tools/master/checkpoint.hpp"
#include "tools/master/driver.hpp"
#include "tools/master/initialization.hpp"
#include "tools/master/recorder.hpp"
#include "tools/master/scheme_choice.hpp"

namespace tenon::master {
namespace {

std::unique_ptr<Scheme> scheme_with_slaves(Ensemble& ensemble, const MasterOptions& options) {
    std::unique_ptr<Scheme> scheme = choose_scheme(ensemble, options);
    ensemble.make_slaves(options, scheme.get());
    return scheme;
}

} // namespace

struct Master::Parts {
    Ensemble ensemble;
    std::unique_ptr<Scheme> scheme;
    Recorder recorder;
    Events events;
    Driver driver;
    bool running = false;

    Parts(system::CheckedSystem system, const MasterOptions& options)
        : ensemble(std::move(system), options), scheme(scheme_with_slaves(ensemble, options)),
          recorder(ensemble, *scheme, options), events(ensemble, recorder),
          driver(ensemble, *scheme, events) {}
};

Master::Master(system::CheckedSystem system, const MasterOptions& options)
    : parts_(std::make_unique<Parts>(std::move(system), options)) {}
Master::~Master() = default;
Master::Master(Master&&) noexcept = default;
Master& Master::operator=(Master&&) noexcept = default;

const system::CheckedSystem& Master::system() const { return parts_->ensemble.system; }
const std::vector<Column>& Master::columns() const { return parts_->recorder.columns(); }
double Master::time() const { return parts_->driver.time(); }

void Master::initialize() {
    const double start = parts_->ensemble.system.system.master.start;
    tenon::master::initialize(parts_->ensemble);
    if (const std::vector<Placement> placements = parts_->scheme->assembly(start); !placements.empty()) {
        reset(parts_->ensemble);
        tenon::master::initialize(parts_->ensemble, placements);
    }
    if (lose_rollback(parts_->ensemble)) {
        reset(parts_->ensemble);
        tenon::master::initialize(parts_->ensemble);
    }
    const bool goes_on = parts_->events.settle(start);
    parts_->scheme->start(start);
    parts_->driver.start(start, !goes_on);
    parts_->running = true;
}

bool Master::step(double end) { return parts_->driver.advance_to(end); }

void Master::read(std::span<double> values) { parts_->recorder.read(parts_->driver.time(), values); }

std::span<const Master::EventRow> Master::event_rows() const { return parts_->events.rows(); }

void Master::terminate() {
    if (!parts_->running)
        return;
    parts_->running = false;
    for (const auto& participant : parts_->ensemble.participants)
        if (participant->failure.status < fmi::Status::error)
            participant->succeeded("Terminate", participant->slave->terminate());
}

const MasterReport& Master::report() const {
    MasterReport& report = parts_->ensemble.report;
    report.dosteps = 0;
    for (const auto& participant : parts_->ensemble.participants) {
        FmuReport& one = report.fmus[participant->number];
        one.seconds = participant->seconds;
        one.dosteps = participant->dosteps;
        report.dosteps += participant->dosteps;
    }
    parts_->scheme->report(report);
    return report;
}

std::string Master::cannot_checkpoint() const { return tenon::master::cannot_checkpoint(parts_->ensemble); }

std::vector<unsigned char> Master::to_bytes() {
    return write_checkpoint(parts_->ensemble, *parts_->scheme, parts_->driver);
}

void Master::restore(std::span<const unsigned char> bytes) {
    read_checkpoint(parts_->ensemble, *parts_->scheme, parts_->driver, bytes);
    parts_->running = true;
}

} // namespace tenon::master
