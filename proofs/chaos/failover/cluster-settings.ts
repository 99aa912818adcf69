/** The settings under test: docs/self-hosting.md recommends them for PostgreSQL with failover. */
import { join } from 'node:path'

export const CLUSTER = {
  /** Patroni asks for ttl ≥ loop_wait + 2 × retry_timeout. */
  ttlSeconds: 7,
  loopWaitSeconds: 1,
  retryTimeoutSeconds: 3,
  switchoverMs: 30_000,
}

export const BINARIES = '/usr/lib/postgresql/15/bin'
export const SUPERUSER = 'postgres'
const REPLICATION_USER = 'replicator'
const REWIND_USER = 'rewinder'

type NodeSettings = Record<'name' | 'home' | 'data' | 'password', string> &
  Record<'port' | 'linkPort' | 'restPort' | 'etcdPort', number>

export function patroniSettings(node: NodeSettings): object {
  const { name, home, data, password, port, linkPort, restPort, etcdPort } = node
  // Who calls must be seen by the link between the nodes, so nothing is enciphered here.
  const user = (username: string) => ({ username, password, sslmode: 'disable' })
  return {
    scope: 'nameplate',
    name,
    // By etcd's second protocol: over the third, Patroni before 3.0.3 lets a primary that wakes up after its lease take the
    // lock from the node that has it by then, and what that node acknowledged is lost.
    etcd: { host: `127.0.0.1:${etcdPort}`, use_proxies: true },
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    bootstrap: {
      dcs: {
        ttl: CLUSTER.ttlSeconds,
        loop_wait: CLUSTER.loopWaitSeconds,
        retry_timeout: CLUSTER.retryTimeoutSeconds,
        // A primary whose PostgreSQL crashed is not waited for.
        primary_start_timeout: 0,
        primary_stop_timeout: 5,
        synchronous_mode: true,
        synchronous_node_count: 1,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 150,
            shared_buffers: '64MB',
            wal_level: 'replica',
            wal_log_hints: 'on',
            hot_standby: 'on',
            max_wal_size: '256MB',
            wal_keep_size: '128MB',
            // A standby that fell silent holds up commits no longer than this.
            wal_sender_timeout: '4s',
            wal_receiver_timeout: '4s',
            wal_receiver_status_interval: '1s',
            wal_retrieve_retry_interval: '1s',
            tcp_keepalives_idle: 5,
            tcp_keepalives_interval: 2,
            tcp_keepalives_count: 2,
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${linkPort}`,
      data_dir: data,
      bin_dir: BINARIES,
      pgpass: join(home, 'pgpass'),
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: home, password_encryption: 'scram-sha-256' },
      authentication: {
        superuser: user(SUPERUSER),
        replication: user(REPLICATION_USER),
        rewind: user(REWIND_USER),
      },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      basebackup: [{ checkpoint: 'fast' }],
    },
    watchdog: { mode: 'off' },
    log: { level: 'INFO' },
  }
}

/** Sessions are cut as soon as their server is no longer the primary: no client waits for one that is gone. */
export function haproxySettings(
  listenPort: number,
  nodes: ReadonlyArray<{ name: string; port: number; restPort: number }>,
): string {
  return [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode tcp',
    '  retries 2',
    '  option redispatch',
    '  timeout connect 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${listenPort}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`),
    '',
  ].join('\n')
}
