#include "core/model/choice.hpp"

#include "core/model/key.hpp"

#include <algorithm>

namespace tenon {
namespace {

template <class T> T get(const Choice& choice, std::string_view key, T fallback) {
    const auto place = choice.values.find(key);
    if (place == choice.values.end())
        return fallback;
    const T* value = std::get_if<T>(&place->second);
    return value ? *value : fallback;
}

} // namespace

const ChoiceType* find_choice(const std::vector<ChoiceType>& types, std::string_view name) {
    const auto found = std::ranges::find(types, name, &ChoiceType::name);
    return found == types.end() ? nullptr : &*found;
}

double Choice::number(std::string_view key, double fallback) const { return get(*this, key, fallback); }

std::vector<double> Choice::list(std::string_view key) const {
    return get(*this, key, std::vector<double>());
}

std::vector<std::vector<double>> Choice::rows(std::string_view key) const {
    return get(*this, key, std::vector<std::vector<double>>());
}

} // namespace tenon
