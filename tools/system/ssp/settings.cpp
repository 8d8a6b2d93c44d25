#include "tools/system/ssp/settings.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace tenon::system {
namespace {

class ParameterApplier {
  public:
    ParameterApplier(const SspFmus& fmus, const SspAliases& aliases, System& system)
        : fmus_(fmus), aliases_(aliases), system_(system) {}

    /// Lower systems first, so that higher ones come later and win.
    void apply(const SspElement& element) {
        for (const SspElement& inner : element.elements)
            apply(inner);
        for (const Setting& setting : element.parameters) {
            if (element.kind == SspElement::Kind::component)
                add(fmus_.at(&element), setting);
            else if (!spread(element, setting, setting.variable))
                system_.remarks.push_back(
                    fmt::format("parameter '{}' of system '{}' means nothing there and has no effect",
                                printable(setting.variable), printable(element.name)));
        }
    }

  private:
    void add(std::size_t fmu, Setting setting) { system_.fmus[fmu].set.push_back(std::move(setting)); }

    /// Whether `name` meant something in the system. It may mean several things (SSP calls that punning); all are set.
    bool spread(const SspElement& element, const Setting& setting, const std::string& name) {
        bool found = false;
        if (const auto own = aliases_.find(&element); own != aliases_.end())
            if (const auto alias = own->second.find(name); alias != own->second.end()) {
                for (const SspAlias& target : alias->second)
                    add_behind(target, setting);
                found = true;
            }
        for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
            const SspElement* inner = find(element, name.substr(0, dot));
            if (!inner)
                continue;
            const std::string rest = name.substr(dot + 1);
            if (inner->kind == SspElement::Kind::component) {
                Setting own = setting;
                own.variable = rest;
                add(fmus_.at(inner), std::move(own));
                found = true;
            } else {
                found = spread(*inner, setting, rest) || found;
            }
        }
        return found;
    }

    void add_behind(const SspAlias& alias, const Setting& setting) {
        Setting own = setting;
        own.variable = alias.target.variable;
        if (own.unit.empty() && alias.unit) {
            own.unit = alias.unit->name;
            own.base = alias.unit->base;
        }
        const Linear linear = Linear{setting.factor, setting.offset}.then(alias.transformation);
        own.factor = linear.factor;
        own.offset = linear.offset;
        add(alias.target.fmu, std::move(own));
    }

    const SspElement* find(const SspElement& system, const std::string& name) {
        auto& names = elements_[&system];
        if (names.empty())
            for (const SspElement& element : system.elements)
                names.emplace(element.name, &element);
        const auto place = names.find(name);
        return place == names.end() || place->second->kind == SspElement::Kind::dictionary ? nullptr
                                                                                           : place->second;
    }

    const SspFmus& fmus_;
    const SspAliases& aliases_;
    System& system_;
    std::map<const SspElement*, std::map<std::string_view, const SspElement*>> elements_;
};

/// The last of several settings of one variable stays.
void keep_last(std::vector<Setting>& settings) {
    std::set<std::string> seen;
    std::vector<Setting> kept;
    for (auto setting = settings.rbegin(); setting != settings.rend(); ++setting)
        if (seen.insert(setting->variable).second)
            kept.push_back(std::move(*setting));
    std::reverse(kept.begin(), kept.end());
    settings = std::move(kept);
}

} // namespace

void apply_parameters(const SspElement& root, const SspFmus& fmus, const SspAliases& aliases,
                      System& system) {
    ParameterApplier(fmus, aliases, system).apply(root);
    for (SystemFmu& fmu : system.fmus)
        keep_last(fmu.set);
}

} // namespace tenon::system
