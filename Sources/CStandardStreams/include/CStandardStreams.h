#pragma once

/// Nothing to call: linking this target gives each standard stream that the program was started without `/dev/null`.
