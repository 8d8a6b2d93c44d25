#include "tools/master/rewind.hpp"

namespace tenon::master {

bool Rewind::back(Failure& failure) {
    if (!saved_ || !ensemble_.restore_base(failure))
        return saved_ = false;
    for (const auto& participant : ensemble_.participants) {
        if (!participant->rollback || participant->is_dead())
            continue;
        if (!participant->receive_others()) {
            failure = participant->failure;
            return saved_ = false;
        }
    }
    return true;
}

void Rewind::cut() {
    saved_ = false;
    ensemble_.forget_base();
}

} // namespace tenon::master
