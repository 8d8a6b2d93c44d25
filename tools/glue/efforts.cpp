#include "tools/glue/efforts.hpp"

#include <algorithm>

namespace tenon::glue {

void Efforts::place(std::vector<fmi::Reference> variables, std::size_t elements, Delivery how, int order) {
    references_ = std::move(variables);
    delivery_ = how;
    order_ = order;
    for (std::vector<double>* values : {&w0, &w1, &w2, &w3, &values_})
        values->assign(elements, 0.0);
    if (how != Delivery::derivatives)
        return;
    for (std::int32_t o = 1; o <= order; ++o) {
        repeated_.insert(repeated_.end(), references_.begin(), references_.end());
        orders_.resize(repeated_.size(), o);
    }
    slopes_.assign(repeated_.size(), 0.0);
}

fmi::Status Efforts::send(fmi::Slave& slave) {
    std::ranges::copy(w0, values_.begin());
    const fmi::Status status = send_values(slave);
    if (delivery_ != Delivery::derivatives || status > fmi::Status::warning)
        return status;
    const std::size_t n = w0.size(); // FMI 2.0: one element a variable
    for (std::size_t i = 0; i < n; ++i) {
        slopes_[i] = w1[i] / length;
        if (order_ == 2)
            slopes_[n + i] = 2 * w2[i] / (length * length);
    }
    return slave.set_input_derivatives(repeated_, orders_, slopes_);
}

fmi::Status Efforts::send_at(fmi::Slave& slave, double time) {
    const double s = (time - start) / length;
    for (std::size_t i = 0; i < w0.size(); ++i)
        values_[i] = w0[i] + s * (w1[i] + s * (w2[i] + s * w3[i]));
    return send_values(slave);
}

fmi::Status Efforts::send_mean(fmi::Slave& slave) {
    for (std::size_t i = 0; i < w0.size(); ++i)
        values_[i] = w0[i] + w1[i] / 2 + w2[i] / 3 + w3[i] / 4;
    return send_values(slave);
}

fmi::Status Efforts::send_half(fmi::Slave& slave, bool second) {
    for (std::size_t i = 0; i < w0.size(); ++i) {
        const double M0 = w0[i] + w1[i] / 2 + w2[i] / 3 + w3[i] / 4;
        const double M1 = w0[i] / 2 + w1[i] / 3 + w2[i] / 4 + w3[i] / 5;
        values_[i] = M0 + (second ? 1 : -1) * (4 * M1 - 2 * M0);
    }
    return send_values(slave);
}

fmi::Status Efforts::send_zero(fmi::Slave& slave) {
    std::ranges::fill(values_, 0.0);
    return send_values(slave);
}

fmi::Status Efforts::send_unit(fmi::Slave& slave, std::size_t element) {
    std::ranges::fill(values_, 0.0);
    values_[element] = 1;
    return send_values(slave);
}

} // namespace tenon::glue
