#pragma once

namespace leasegate {

/** How the caller's signal stands when it calls. A later abort is reported with the ticket. */
enum class Signal : bool { live, aborted };

}  // namespace leasegate
