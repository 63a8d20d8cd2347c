#pragma once
#include <sqlite3.h>

/// Binds a copy of the text. SQLITE_TRANSIENT is a macro that casts -1 to a function, which Swift does not import.
static inline int pasteup_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Whether closing the last connection leaves the file alone instead of moving the write-ahead log into it.
/// sqlite3_db_config is variadic.
static inline int pasteup_sqlite3_leave_log_on_close(sqlite3 *connection, int leave) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leave, (int *)0);
}
