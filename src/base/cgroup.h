// How much CPU time the control groups of this process allow.
#pragma once

#include <string>

namespace colonnade {

// CPUs that the quotas of the process's control groups amount to (1.5: one and a half), version 1
// and 2, the smallest on the way from its own group up to the mount; 0 when there is no quota or it
// cannot be read. `root` stands in front of every path that is opened; empty outside tests.
double cgroup_cpus(const std::string& root = {});

}  // namespace colonnade
