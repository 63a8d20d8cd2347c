#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

/// A daemon that takes connections from `listener`, a listening socket, which it closes at its end; one polling thread;
/// connections can be suspended. Null leaves the socket to the caller. MHD_start_daemon is variadic.
///
/// poll is asked for, not epoll: a connection is cut by putting another socket in its place, which poll does not mind
/// and epoll does.
static inline struct MHD_Daemon *_Nullable pasteup_mhd_start(
    int listener, MHD_AccessHandlerCallback _Nonnull handler, MHD_RequestCompletedCallback _Nonnull completed,
    void *_Nonnull context, size_t connection_memory) {
    return MHD_start_daemon(
        MHD_USE_POLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory, MHD_OPTION_END);
}

/// The socket of a connection, -1 when it is not known. MHD_get_connection_info is variadic.
static inline int pasteup_mhd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// The port at the client's end of a connection, 0 when it is not known. MHD_get_connection_info is variadic.
static inline uint16_t pasteup_mhd_client_port(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || info->client_addr->sa_family != AF_INET) return 0;
    return ntohs(((const struct sockaddr_in *)info->client_addr)->sin_port);
}
